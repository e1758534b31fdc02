import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default defineConfig(
  globalIgnores(['**/*.gen.ts', '.svelte-check/', 'look/', 'test-results/']),
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // Sets and maps are built anew and assigned whole, or are nobody's to watch: a reactive copy of each would only cost time.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  // TypeScript knows what is defined.
  { files: ['**/*.ts', '**/*.svelte'], rules: { 'no-undef': 'off' } },
  // The first argument of a fixture says what it needs, also where that is nothing.
  { files: ['tests/browser/**'], rules: { 'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }] } },
  {
    files: ['**/*.ts', '**/*.svelte'],
    rules: { '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }] },
  },
);
