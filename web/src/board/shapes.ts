/** Small shapes of the board, each centred on (0, 0). Those of the colours are in ui/symbols.ts. */

export { STATION } from '../drawing.gen.ts';
export const WAVE = 'M-6 0.8Q-3.6-2.4-1.2 0.4T3.6 0.4T6-0.6';
export const CHECK = 'M-2.6 0.2L-0.7 2.2L2.8-2';
export const PENNANT = 'M-1.8 3.2V-3L2.4-1.2L-1.8 0.7';
