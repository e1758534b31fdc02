import { setLanguage, withMoreTexts } from '../../../src/i18n/index.svelte.ts';

// As main.ts does before the first page: without a catalogue, keys would be shown.
await setLanguage('en');
await withMoreTexts(Promise.resolve());
