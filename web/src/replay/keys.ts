/** The keys of a film. */
import type { FilmSession } from './film_session.svelte.ts';
import type { Eyes } from './reel.ts';

/** Return what a key does to a film; null where it does nothing, or belongs to what has the focus. */
export function keyAction(event: KeyboardEvent, session: FilmSession, views: readonly Eyes[]): (() => unknown) | null {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const on = target instanceof Element ? target : null;
  if (on?.closest('input, select, textarea, dialog')) return null;
  const moves = key.startsWith('Arrow') || key === 'Home' || key === 'End';
  if (moves && on?.closest('.board, [role=tablist]')) return null; // they move the map, or the focus
  if (key === '0' && on?.closest('.board')) return null;
  if (key === ' ' && on?.closest('button, a, [role=button]')) return null;
  switch (key) {
    case 'ArrowRight':
      return () => (event.shiftKey ? session.jump(1, 'turn') : session.step(1));
    case 'ArrowLeft':
      return () => (event.shiftKey ? session.jump(-1, 'turn') : session.step(-1));
    case 'l':
    case '.':
      return () => session.step(1);
    case 'j':
    case ',':
      return () => session.step(-1);
    case 'n':
      return () => session.jump(1);
    case 'p':
      return () => session.jump(-1);
    case 'Home':
      return () => session.show(0);
    case 'End':
      return () => session.show(session.last);
    case ' ':
    case 'k':
      return session.play;
  }
  const eyes = /^[0-6]$/.test(key) ? views[key === '0' ? 0 : Number(key) + 1] : undefined;
  return eyes === undefined ? null : () => session.see(eyes);
}
