/** The settings of this browser: kept between visits, followed by all of its windows, and written on the root of the page. */
import { load, onSaved, save } from '../lib/storage.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export const TEXT_SIZES = ['100', '115', '130', '150', '200'] as const;
export type Theme = (typeof THEMES)[number];
export type TextSize = (typeof TEXT_SIZES)[number];

const oneOf = <T extends string>(all: readonly T[], text: string | null, usual: T): T =>
  all.find((one) => one === text) ?? usual;

const KEYS = ['theme', 'text', 'symbols', 'numbers', 'sound', 'notices', 'keys', 'effects', 'remarks'] as const;
type Name = (typeof KEYS)[number];

const quiet = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? true;

const read = () => ({
  theme: oneOf(THEMES, load('theme'), 'system'),
  text: oneOf(TEXT_SIZES, load('text'), '100'),
  symbols: load('symbols') !== '0',
  numbers: load('numbers') === '1',
  sound: load('sound') === '1',
  notices: load('notices') === '1',
  keys: load('keys') !== '0',
  // Who asks the system for less motion is not greeted with noises either.
  effects: load('effects') === null ? !quiet : load('effects') === '1',
  remarks: load('remarks') !== '0',
});
type Settings = ReturnType<typeof read>;

const current = $state<Settings>(read());

/** What is chosen now; it can be followed like any other state. */
export const settings: Readonly<Settings> = current;

/** How many times as large everything is for people who look from afar: at the screen of a room. */
let afar = $state(1);

/** How many times as large everything is in a window of very many pixels. */
let vast = $state(1);

/** How many times as large as usual text is. */
export const textScale = (): number => (Number(current.text) / 100) * Math.max(afar, vast);

const READABLE = 1_100; // pixels of a page that is read from the chair in front of it
const VAST = 1_800; // pixels: from this width on, what is made for screens of usual size is small

/** Measure the window: on a large screen everything is larger, not only the map, though by less: a screen of 3840 pixels is seldom twice as near. */
function measureWindow(): void {
  vast = Math.round(100 * Math.max(1, Math.min(innerWidth / VAST, innerHeight / (VAST * 0.5625))) ** 0.7) / 100;
  apply();
}

/** Make everything as large as a screen needs that is read from the other side of a room; returns a function that ends it. */
export function showAfar(): () => void {
  const measure = () => {
    afar = Math.max(1, Math.min(innerWidth / READABLE, innerHeight / (READABLE * 0.5625)));
    apply();
  };
  measure();
  addEventListener('resize', measure);
  return () => {
    removeEventListener('resize', measure);
    afar = 1;
    apply();
  };
}

/** Choose a setting, also for the next time. */
export function choose<N extends Name>(name: N, value: Settings[N]): void {
  save(name, typeof value === 'boolean' ? (value ? '1' : '0') : value);
  current[name] = value;
  apply();
}

const dark = globalThis.matchMedia?.('(prefers-color-scheme: dark)');

/** Write on the root of the page what its styles depend on. */
function apply(): void {
  const root = document.documentElement;
  const night = current.theme === 'dark' || (current.theme === 'system' && !!dark?.matches);
  root.dataset['theme'] = night ? 'dark' : 'light';
  root.dataset['symbols'] = current.symbols ? 'on' : 'off';
  root.dataset['numbers'] = current.numbers ? 'on' : 'off';
  root.style.setProperty('--text', String(textScale()));
}

/** Apply the settings, and follow what the system and other windows change. Call it once, before anything is shown. */
export function applySettings(): void {
  measureWindow();
  addEventListener('resize', measureWindow);
  dark?.addEventListener('change', apply);
  for (const key of KEYS) {
    onSaved(key, () => {
      Object.assign(current, read());
      apply();
    });
  }
}
