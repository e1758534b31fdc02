import { mount } from 'svelte';
import App from './App.svelte';
import { preferred, speak } from './i18n/index.svelte.ts';
import { onSaved } from './lib/storage.ts';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';

await speak(preferred()).catch(() => speak('en'));
onSaved('language', () => void speak(preferred()));
mount(App, { target: document.getElementById('app')! });
