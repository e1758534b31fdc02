import { setLanguage, withMoreTexts } from '../../../src/i18n/index.svelte.ts';

// As main.ts does before the first page, and pages that say more: without a catalogue, keys would be shown.
await withMoreTexts(setLanguage('en'));
