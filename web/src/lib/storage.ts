/** Local storage: names and settings that this browser keeps between visits. */

const PREFIX = 'ferrovia.';

function browserStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** A copy for browsers that store nothing: it lasts as long as the page is open. */
const memory = new Map<string, string>();

/** Return what is stored under a key, or null. */
export function load(key: string): string | null {
  const copy = memory.get(key) ?? null;
  try {
    return browserStorage()?.getItem(PREFIX + key) ?? copy;
  } catch {
    return copy;
  }
}

export function save(key: string, value: string): void {
  memory.set(key, value);
  try {
    browserStorage()?.setItem(PREFIX + key, value);
  } catch {
    // Storage is full or forbidden: the copy in memory has to do.
  }
}

/** Forget what is stored under a key. */
export function forget(key: string): void {
  memory.delete(key);
  try {
    browserStorage()?.removeItem(PREFIX + key);
  } catch {
    // Where nothing can be stored, nothing has to be forgotten.
  }
}

/** Return the rest of every key that begins like this. */
export function stored(beginning: string): string[] {
  const keys = new Set(memory.keys());
  try {
    for (const key of Object.keys(browserStorage() ?? {}))
      if (key.startsWith(PREFIX)) keys.add(key.slice(PREFIX.length));
  } catch {
    // What is in memory has to do.
  }
  return [...keys].flatMap((key) => (key.startsWith(beginning) ? [key.slice(beginning.length)] : []));
}

/** Call `act` when another page of this browser has stored something under a key. */
export function onSaved(key: string, act: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === PREFIX + key) act();
  });
}
