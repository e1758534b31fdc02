import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** A package of others of which the client holds something. */
export interface Bundled {
  name: string;
  version: string;
  license: string;
}

/**
 * A plugin that writes `bundled.json`: the packages of others that are in the built client. From it the licences in
 * `licenses/` are checked, and the list of parts (SBOM) of the Python package is made.
 */
export function bundled(): Plugin {
  let root = '';
  return {
    name: 'ferrovia-bundled',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((part) =>
        part.type === 'asset'
          ? part.originalFileNames.map((name) => join(root, name))
          : Object.entries(part.modules).flatMap(([name, { renderedLength }]) => (renderedLength ? [name] : [])),
      );
      const folders = new Set(files.filter((file) => file.includes('/node_modules/')).map(packageOf));
      const packages = [...folders].map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Bundled;
        return { name, version, license };
      });
      packages.sort((one, other) => (one.name < other.name ? -1 : 1));
      const source = JSON.stringify(packages, null, 1) + '\n';
      this.emitFile({ type: 'asset', fileName: 'bundled.json', source });
    },
  };
}

/** Return the folder of the package that a file belongs to. */
function packageOf(file: string): string {
  let folder = dirname(file.replaceAll('\\', '/').split('?')[0] ?? '');
  while (!isPackage(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Packages have such files in their folders too, which name nothing. */
function isPackage(file: string): boolean {
  return existsSync(file) && 'version' in (JSON.parse(readFileSync(file, 'utf8')) as object);
}
