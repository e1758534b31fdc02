import { expect, test } from 'vitest';
import { settings } from '../../src/settings/settings.svelte.ts';

test('symbols are shown, sound and notices wait to be asked for', () => {
  expect(settings).toMatchObject({ symbols: true, sound: false, notices: false });
});
