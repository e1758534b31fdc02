import { setLanguage, withMoreTexts } from '../../../src/i18n/index.svelte.ts';

// As main.ts and the pages that say more do before they are shown: without a catalogue, keys would be shown.
await withMoreTexts(setLanguage('en'));
