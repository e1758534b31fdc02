/** What the page does before it is shown: the texts of a language are loaded. */
import { setLanguage } from '../../../src/i18n/index.svelte.ts';

await setLanguage('en');
