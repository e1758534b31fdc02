// Packs the modules of a page as bytecode, made by the very Python of the page, and of the standard library what is
// used: `node pack.mjs WORK OUT`, where WORK/modules has the modules. To find what is used, it plays.
import {
  copyFileSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [work, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(here, "../../web/package.json"));
const pyodide = dirname(require.resolve("pyodide"));
const { loadPyodide } = await import(
  pathToFileURL(join(pyodide, "pyodide.mjs")).href
);

const python = await loadPyodide({
  indexURL: `${pyodide}/`,
  env: { HOME: "/home" },
});
const write = (folder, to) => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const target = `${to}/${name}`;
    if (statSync(path).isDirectory()) {
      python.FS.mkdirTree(target);
      write(path, target);
    } else python.FS.writeFile(target, readFileSync(path));
  }
};
python.FS.mkdirTree("/ferrovia");
write(join(work, "modules"), "/ferrovia");
write(join(out, "later"), "/ferrovia");
python.FS.writeFile(
  "/library.zip",
  readFileSync(join(pyodide, "python_stdlib.zip")),
);
for (const name of ["play.py", "pack.py"])
  python.FS.writeFile(`/${name}`, readFileSync(join(here, "inside", name)));
await python.runPythonAsync(
  python.FS.readFile("/play.py", { encoding: "utf8" }),
);
const later = {};
for (const path of readdirSync(join(out, "later"), { recursive: true })) {
  const { size } = statSync(join(out, "later", path));
  if (!python.FS.analyzePath(`/ferrovia/${path}`).exists) continue;
  if (python.FS.isDir(python.FS.stat(`/ferrovia/${path}`).mode)) continue;
  python.FS.unlink(`/ferrovia/${path}`);
  later[path] = size;
}
python.runPython(python.FS.readFile("/pack.py", { encoding: "utf8" }));

const sizes = {};
for (const [from, name] of [
  ["/packed/ferrovia.zip", "ferrovia.zip"],
  ["/packed/standard-library.zip", "standard-library.zip"],
]) {
  const data = python.FS.readFile(from);
  writeFileSync(join(out, name), data);
  sizes[name] = data.length;
}
for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"])
  copyFileSync(join(pyodide, name), join(out, name));
sizes["pyodide.asm.wasm"] = statSync(join(out, "pyodide.asm.wasm")).size;
const lock = JSON.parse(
  readFileSync(join(pyodide, "pyodide-lock.json"), "utf8"),
);
writeFileSync(
  join(out, "pyodide-lock.json"),
  JSON.stringify({ info: lock.info, packages: {} }),
);
writeFileSync(join(out, "sizes.json"), JSON.stringify({ ...sizes, later }));
console.log(`${relative(process.cwd(), out)}: ${JSON.stringify(sizes)}`);
process.exit(0);
