import type { Environment } from 'vitest/environments';

/** An environment of Vitest without a page, in which Svelte's runes react as they do in a browser. */
export default {
  name: 'client',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => undefined }),
} satisfies Environment;
