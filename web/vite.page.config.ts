import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { catalogues } from './scripts/catalogues.ts';
import { pageDocument } from './scripts/page_document.ts';
import site from './vite.config.ts';

/** The client of a page that needs no server: `make page` puts the rest beside it. */
export default defineConfig({
  ...site,
  mode: 'page',
  plugins: [catalogues(), svelte(), pageDocument()],
  define: { 'import.meta.env.FERROVIA_SERVER': JSON.stringify(process.env.FERROVIA_SERVER ?? '') },
  // The start page is there before the table is: they are apart.
  build: { ...site.build, rolldownOptions: {}, outDir: '../build/page' },
});
