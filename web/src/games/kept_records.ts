/** Records of games that were brought to this device: no server has their tables. The browser keeps them. */

const RECORDS = 'records';

/** Return the record of a table that was brought here; null where there is none. */
export async function keptRecord(table: string): Promise<Blob | null> {
  const text = await inStore<string | undefined>('readonly', (records) => records.get(table)).catch(() => undefined);
  return text !== undefined ? new Blob([text], { type: 'application/jsonl' }) : null;
}

/** Keep the record of a table; throws where the browser keeps nothing, or has no room. */
export async function keepRecord(table: string, text: string): Promise<void> {
  await inStore('readwrite', (records) => records.put(text, table));
}

export async function forgetRecord(table: string): Promise<void> {
  await inStore('readwrite', (records) => records.delete(table)).catch(() => undefined);
}

/** Do something with the store, and return what came of it when it is done for good. */
async function inStore<T>(mode: IDBTransactionMode, act: (records: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await new Promise<IDBDatabase>((done, failed) => {
    const opening = indexedDB.open('ferrovia', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(RECORDS);
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => failed(opening.error!);
  });
  try {
    return await new Promise((done, failed) => {
      const transaction = database.transaction(RECORDS, mode);
      const asked = act(transaction.objectStore(RECORDS));
      transaction.oncomplete = () => done(asked.result);
      transaction.onabort = () => failed(transaction.error!);
    });
  } finally {
    database.close();
  }
}
