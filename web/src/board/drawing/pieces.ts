/** Small shapes of the board, each centred on (0, 0), and how pieces arrive. The colours' symbols are in ui/symbols.ts. */

import { cubicOut } from 'svelte/easing';
import { prefersReducedMotion } from 'svelte/motion';
import type { TransitionConfig } from 'svelte/transition';

export { CARRIAGE, CARRIAGE_LENGTH, STATION } from '../../drawing.gen.ts';
export const CHECK = 'M-2.6 0.2L-0.7 2.2L2.8-2';
export const CROSS = 'M-2.3-2.3L2.3 2.3M2.3-2.3L-2.3 2.3';

/** Return whether nothing moves by itself here. */
export const still = (): boolean =>
  prefersReducedMotion.current || (globalThis.document?.documentElement.hasAttribute('data-still') ?? true);

/** A transition: a train runs onto its spaces from the first end of the route, car `order` the farthest; at once where motion is off. */
export function roll(_: Element, { order }: { order: number }): TransitionConfig {
  return {
    duration: still() ? 0 : 180 + order * 10,
    easing: cubicOut,
    css: (t) => `opacity: ${Math.min(1, t * 3)}; translate: ${(t - 1) * (14 + order * 22)}px`,
  };
}
