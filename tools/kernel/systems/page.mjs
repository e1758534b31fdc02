// `node page.mjs CHECKOUT PACKAGES`: records.py --check by Python as it runs in a page. See README.md.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { loadPyodide } = await import(pathToFileURL(resolve('node_modules/pyodide/pyodide.mjs')));
const python = await loadPyodide();
process.argv.slice(2, 4).forEach((folder, number) => {
  python.FS.mkdirTree(`/given/${number}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: resolve(folder) }, `/given/${number}`);
});
process.exitCode = python.runPython(`
import sys
sys.path[:0] = ["/given/0/src", "/given/0", "/given/1"]
sys.argv = ["records", "--check"]
from tools.kernel.systems.records import main
main()
`);
