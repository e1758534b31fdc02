/** Notice that it is somebody's turn: by sound, and by the browser while nobody looks at the page. */
import { settings } from '../settings/settings.svelte.ts';
import { gong } from './sound.ts';

/** Whether the browser can show notices at all: only on an encrypted page, or on the machine of the server. */
export const canNotify = (): boolean => 'Notification' in globalThis && globalThis.isSecureContext === true;

/** Ask the browser for the permission to show notices; returns whether there is one. */
export async function allowNotices(): Promise<boolean> {
  if (!canNotify()) return false;
  try {
    return (await Notification.requestPermission()) === 'granted';
  } catch {
    return false;
  }
}

/**
 * Say that it is this person's turn. `about`: which table; a newer notice about it takes the place of an older one. Where
 * the page has a worker, that shows it: phones take notices from nobody else.
 */
export async function notifyTurn(text: string, about: string): Promise<void> {
  if (settings.sound) gong();
  if (!settings.notices || !document.hidden || !canNotify() || Notification.permission !== 'granted') return;
  const data = location.origin + location.pathname;
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker?.active) return await worker.showNotification('Ferrovia', { body: text, tag: about, data });
    const shown = new Notification('Ferrovia', { body: text, tag: about });
    shown.onclick = () => {
      globalThis.focus();
      shown.close();
    };
  } catch {
    // This browser shows none.
  }
}

/** Watch something that becomes true and false: returns a function that is told, and calls `act` whenever it has become true. */
export function whenever(act: () => void): (now: boolean) => void {
  let before: boolean | null = null;
  return (now) => {
    if (now && before === false) act();
    before = now;
  };
}
