import { mount } from 'svelte';
import App from './App.svelte';
import { preferredLanguage, setLanguage } from './i18n/index.svelte.ts';
import { parseAddress } from './connection/address.ts';
import { Server } from './connection/http.ts';
import { network } from './connection/transport.ts';
import { unpackLink } from './connection/link.ts';
import { keepForLater } from './connection/offline.ts';
import { followPace } from './lib/pace.ts';
import { onSaved } from './lib/storage.ts';
import { applySettings } from './settings/settings.svelte.ts';
import { guardPresses } from './ui/presses.ts';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';

unpackLink();
guardPresses(document);
applySettings();
await setLanguage(preferredLanguage()).catch(() => setLanguage('en'));
onSaved('language', () => void setLanguage(preferredLanguage()));
followPace();
onSaved('pace', followPace);
const { root } = parseAddress(new URL(location.href));
keepForLater(root);
// In a page that needs no server in the network, there is one in the page.
const transport =
  import.meta.env.MODE === 'page' ? await (await import('./page/begin.ts')).serverInPage(root) : network(root);
mount(App, { target: document.getElementById('app')!, props: { server: new Server(transport) } });
