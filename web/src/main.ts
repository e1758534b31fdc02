import { mount } from 'svelte';
import App from './App.svelte';
import { preferredLanguage, setLanguage } from './i18n/index.svelte.ts';
import { unpackLink } from './lib/link.ts';
import { followPace } from './lib/pace.ts';
import { onSaved } from './lib/storage.ts';
import { applySettings } from './settings/settings.svelte.ts';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';

unpackLink();
applySettings();
await setLanguage(preferredLanguage()).catch(() => setLanguage('en'));
onSaved('language', () => void setLanguage(preferredLanguage()));
followPace();
onSaved('pace', followPace);
mount(App, { target: document.getElementById('app')! });
