/** The file of this page's games, in the browser's own file system. Reads and writes are done when they return. */
export interface Storage {
  /** Whether it outlasts this visit. */
  readonly kept: boolean;
  size(): number;
  read(at: number, length: number): Uint8Array;
  /** Returns how much of it was written. */
  write(at: number, data: Uint8Array): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

interface SyncHandle {
  getSize(): number;
  read(into: Uint8Array, options: { at: number }): number;
  write(data: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

const PATIENCE = 10_000; // for a worker that was ended to give the file back
const BETWEEN = 50;

/** Open the file for a page below this root; where the browser keeps none, one in memory. */
export async function openStorage(root: string): Promise<Storage> {
  let handle: SyncHandle;
  try {
    const folder = await navigator.storage.getDirectory();
    const file = await folder.getFileHandle(fileName(root), { create: true });
    handle = await openHandle(file as unknown as { createSyncAccessHandle(): Promise<SyncHandle> });
  } catch (problem) {
    if (isTaken(problem)) throw problem;
    return memory();
  }
  return {
    kept: true,
    size: () => handle.getSize(),
    read(at, length) {
      const data = new Uint8Array(Math.max(0, Math.min(length, handle.getSize() - at)));
      return data.subarray(0, handle.read(data, { at }));
    },
    write: (at, data) => handle.write(data, { at }),
    truncate: (size) => handle.truncate(size),
    flush: () => handle.flush(),
    close: () => handle.close(),
  };
}

const fileName = (root: string): string => `ferrovia${new URL(root).pathname.replaceAll('/', '.')}log`;

const isTaken = (problem: unknown): boolean => (problem as Error).name === 'NoModificationAllowedError';

async function openHandle(file: { createSyncAccessHandle(): Promise<SyncHandle> }): Promise<SyncHandle> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await file.createSyncAccessHandle();
    } catch (problem) {
      if (!isTaken(problem) || performance.now() > until) throw problem;
      await new Promise((done) => setTimeout(done, BETWEEN));
    }
  }
}

function memory(): Storage {
  let data = new Uint8Array();
  return {
    kept: false,
    size: () => data.length,
    read: (at, length) => data.slice(at, at + length),
    write(at, more) {
      const longer = new Uint8Array(Math.max(data.length, at + more.length));
      longer.set(data);
      longer.set(more, at);
      data = longer;
      return more.length;
    },
    truncate(size) {
      data = data.slice(0, size);
    },
    flush: () => undefined,
    close: () => undefined,
  };
}
