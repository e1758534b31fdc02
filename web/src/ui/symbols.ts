/** The symbol of every card, as the drawing of `ferrovia show` has it. */
export { SYMBOLS } from '../drawing.gen.ts';
