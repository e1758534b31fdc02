import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { bundled } from './scripts/bundled.ts';
import { catalogues } from './scripts/catalogues.ts';
import { entryFiles } from './scripts/entry_files.ts';

export default defineConfig({
  base: './',
  plugins: [catalogues(), svelte(), bundled(), entryFiles()],
  worker: { format: 'es' },
  build: {
    outDir: '../src/ferrovia/server/client',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    // The table is in one piece, whoever else uses parts of it: together it is packed better than apart.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'Table', test: /\/src\/(table|board|chat|ui|pages\/TablePage)/ }] } },
    },
  },
  server: {
    fs: { allow: ['.', '../src/ferrovia'] },
    proxy: {
      '/api': 'http://127.0.0.1:8765',
      '/socket': { target: 'ws://127.0.0.1:8765', ws: true },
    },
  },
});
