/** Keep the screen of this device on while a page is looked at, where the browser can: it needs an encrypted page. */

export function stayAwake(): () => void {
  let lock: { release(): Promise<void> } | null = null;
  let ended = false;
  const ask = async () => {
    if (ended || document.hidden) return;
    try {
      lock = (await navigator.wakeLock?.request('screen')) ?? null;
      if (ended) await lock?.release();
    } catch {
      // A device that is low on power, or does not know this.
    }
  };
  void ask();
  document.addEventListener('visibilitychange', ask);
  return () => {
    ended = true;
    document.removeEventListener('visibilitychange', ask);
    void lock?.release();
  };
}

/** Whether this browser could keep its screen on and be sent notices: only over an encrypted connection. */
export const canStayAwake = (): boolean => globalThis.isSecureContext === true && 'wakeLock' in navigator;
