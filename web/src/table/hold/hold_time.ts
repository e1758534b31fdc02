/** How long a move is held before it is sent: a setting of this browser, by default by what the person moves with. */
import { load, save } from '../../lib/storage.ts';

/** Milliseconds; `auto`: three seconds for fingers and keys, half as long for a mouse; 0: not at all. */
export const HOLD_TIMES = ['auto', '0', '1500', '3000', '6000'] as const;
const FINGER = 3_000;
const MOUSE = 1_500;

export const loadHoldTime = (): string => load('hold') ?? 'auto';
export const saveHoldTime = (chosen: string): void => save('hold', chosen);

let moved: 'mouse' | 'finger' | 'keys' = 'keys';
/** Note what the person moves with from now on; returns a function that ends it. */
export function watchPointer(
  target: Pick<Window, 'addEventListener' | 'removeEventListener'> = globalThis as unknown as Window,
): () => void {
  const pointed = (event: PointerEvent) => (moved = event.pointerType === 'mouse' ? 'mouse' : 'finger');
  const typed = () => (moved = 'keys');
  target.addEventListener('pointerdown', pointed, true);
  target.addEventListener('keydown', typed, true);
  return () => {
    target.removeEventListener('pointerdown', pointed, true);
    target.removeEventListener('keydown', typed, true);
  };
}

/** Return for how many milliseconds a move is held now. */
export function holdTime(): number {
  const chosen = loadHoldTime();
  if (chosen === 'auto') return moved === 'mouse' ? MOUSE : FINGER;
  const time = Number(chosen);
  return Number.isFinite(time) ? Math.max(0, time) : FINGER;
}

/**
 * Whether what has one answer only is done at once, not asked for: as the person has set it, and else where a move can still
 * be taken back after it. A finger hits what is beside it: it is always asked, unless it has chosen otherwise.
 */
export function actsAtOnce(): boolean {
  const chosen = load('at_once');
  return chosen === null ? moved !== 'finger' && holdTime() > 0 : chosen === '1';
}
export const saveAtOnce = (chosen: boolean): void => save('at_once', chosen ? '1' : '0');
