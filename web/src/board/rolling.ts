import { cubicOut } from 'svelte/easing';
import { prefersReducedMotion } from 'svelte/motion';
import type { TransitionConfig } from 'svelte/transition';

/** A piece rolls into its place, one after the other. */
export function roll(_: Element, { order }: { order: number }): TransitionConfig {
  const off = prefersReducedMotion.current;
  return {
    duration: off ? 0 : 200,
    delay: off ? 0 : order * 35,
    easing: cubicOut,
    css: (t) => `opacity: ${Math.min(1, t * 2)}; translate: ${(t - 1) * 14}px`,
  };
}
