import { mount } from 'svelte';
import App from './App.svelte';
import { preferredLanguage, setLanguage } from './i18n/index.svelte.ts';
import { parseAddress } from './lib/address.ts';
import { unpackLink } from './lib/link.ts';
import { keepForLater } from './lib/offline.ts';
import { onSaved } from './lib/storage.ts';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';

unpackLink();
await setLanguage(preferredLanguage()).catch(() => setLanguage('en'));
onSaved('language', () => void setLanguage(preferredLanguage()));
keepForLater(parseAddress(new URL(location.href)).root);
mount(App, { target: document.getElementById('app')! });
