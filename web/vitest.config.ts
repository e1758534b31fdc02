// Apart from vite.config.ts: whoever only builds the client has no Vitest.
import { defaultClientConditions } from 'vite';
import { defineConfig, mergeConfig } from 'vitest/config';
import site from './vite.config.ts';

export default mergeConfig(
  site,
  defineConfig({
    // Vite's own default, which Vitest would replace: in tests Svelte is the browser's as well.
    environments: { client: { resolve: { conditions: [...defaultClientConditions] } } },
    test: {
      include: ['tests/unit/**/*.test.ts'],
      environment: './tests/unit/support/client.ts',
      setupFiles: ['./tests/unit/support/storage.ts', './tests/unit/support/english.ts'],
      // Files share two or three threads and the modules they load: a test puts back what it has changed. A process for each took twice the processor.
      // Their order is another one every time; Vitest prints the seed.
      sequence: { shuffle: { files: true } },
      pool: 'threads',
      isolate: false,
    },
  }),
);
