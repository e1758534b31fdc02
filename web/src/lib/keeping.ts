/** What this browser remembers: names, settings, and the tokens that hold its seats. */

const PREFIX = 'ferrovia.';

function storage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

const memory = new Map<string, string>();

export function recall(key: string): string | null {
  const kept = memory.get(key) ?? null;
  try {
    return storage()?.getItem(PREFIX + key) ?? kept;
  } catch {
    return kept;
  }
}

/** Call `act` when another page of this browser has changed what is kept under a key. */
export function whenKept(key: string, act: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === PREFIX + key) act();
  });
}

export function keep(key: string, value: string): void {
  memory.set(key, value);
  try {
    storage()?.setItem(PREFIX + key, value);
  } catch {
    // A browser that keeps nothing: the seat is held as long as the page is open.
  }
}

export const recallToken = (table: string) => recall(`table.${table}`);
export const keepToken = (table: string, token: string) => keep(`table.${table}`, token);

/** A secret of 256 random bits, in the form of the server's tokens. */
export function newSecret(bytes = 32): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  const text = btoa(String.fromCharCode(...random));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
