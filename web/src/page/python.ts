import type { PyodideInterface } from 'pyodide';

/** Python in a worker, with the modules of Ferrovia and the library of the kernel. */

/** The files that every Python of a page needs, below `python/`, and their bytes for the progress. */
const FILES = ['pyodide.asm.wasm', 'standard-library.zip', 'ferrovia.zip'] as const;

type Sizes = Readonly<Record<(typeof FILES)[number], number> & { later: Record<string, number> }>;

/** Load Python; `progress` is called with the part that is there, from 0 to 1. */
export async function loadPython(root: string, progress: (part: number) => void): Promise<PyodideInterface> {
  const at = `${root}python/`;
  const sizes = (await (await fetch(`${at}sizes.json`)).json()) as Sizes;
  const all = FILES.reduce((sum, name) => sum + sizes[name], 0);
  let loaded = 0;
  const bytes = async (name: (typeof FILES)[number]): Promise<Uint8Array<ArrayBuffer>> => {
    const data = await readAll(await fetch(at + name), (more) => {
      loaded += more;
      progress((0.8 * loaded) / all);
    });
    return data;
  };
  const { loadPyodide } = (await import(/* @vite-ignore */ `${at}pyodide.mjs`)) as typeof import('pyodide');
  const [library, modules] = [bytes('standard-library.zip'), bytes('ferrovia.zip')];
  const libraryUrl = URL.createObjectURL(new Blob([await library]));
  const python = await loadPyodide({ indexURL: at, stdLibURL: libraryUrl, env: { HOME: '/home' } });
  URL.revokeObjectURL(libraryUrl);
  progress(0.9);
  python.unpackArchive(await modules, 'zip', { extractDir: SITE });
  for (const [path, size] of Object.entries(sizes.later))
    addLater(python, `${SITE}/${path}`, `${at}later/${path}`, size);
  progress(0.95);
  return python;
}

/** Where the modules lie. */
export const SITE = '/ferrovia';

/** A file that is fetched when it is read for the first time: Python waits for it, as it would for a disk. */
function addLater({ FS }: PyodideInterface, path: string, url: string, size: number): void {
  const folder = path.slice(0, path.lastIndexOf('/'));
  FS.mkdirTree(folder);
  FS.writeFile(path, new Uint8Array());
  const { node } = FS.lookupPath(path, {}) as { node: object };
  let data: Uint8Array | null = null;
  Object.defineProperty(node, 'usedBytes', { get: () => size });
  Object.defineProperty(node, 'contents', { get: () => (data ??= fetched(FS, url)) });
}

const INPUT_OUTPUT_ERROR = 29; // of WASI

function fetched(FS: PyodideInterface['FS'], url: string): Uint8Array {
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.responseType = 'arraybuffer';
  try {
    request.send();
  } catch {
    // no network: the same as no answer
  }
  if (request.status !== 200) throw new FS.ErrnoError(INPUT_OUTPUT_ERROR) as Error;
  return new Uint8Array(request.response as ArrayBuffer);
}

async function readAll(response: Response, more: (bytes: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.ok || !response.body) throw new Error(`${response.url}: ${response.status}`);
  const parts: Uint8Array[] = [];
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    more(value.length);
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}
