/** Six small sounds of the table, made here: a card, a train, a punch, a tunnel, the last round and the win. */
import { settings } from '../settings/settings.svelte.ts';
import { audio } from './sound.ts';

export type Effect = 'card' | 'train' | 'punch' | 'tunnel' | 'last_round' | 'win';

/** A tone: its pitch in hertz, when it begins and how long it sounds in seconds, how loud it is, and its form. */
type Tone = readonly [pitch: number, at: number, length: number, loudness: number, form?: OscillatorType];

const TONES: Readonly<Record<Effect, readonly Tone[]>> = {
  card: [[1_250, 0, 0.05, 0.05, 'triangle']],
  train: [
    [98, 0, 0.09, 0.12, 'square'],
    [98, 0.13, 0.09, 0.1, 'square'],
    [392, 0.02, 0.3, 0.04],
  ],
  punch: [
    [180, 0, 0.06, 0.2, 'square'],
    [784, 0.08, 0.3, 0.07],
    [1_175, 0.18, 0.4, 0.06],
  ],
  tunnel: [
    [73, 0, 0.7, 0.16, 'triangle'],
    [110, 0.05, 0.6, 0.06, 'sawtooth'],
  ],
  last_round: [
    [587, 0, 0.7, 0.1],
    [440, 0.35, 0.9, 0.1],
  ],
  win: [
    [392, 0, 0.3, 0.1],
    [494, 0.16, 0.3, 0.1],
    [587, 0.32, 0.3, 0.1],
    [784, 0.48, 0.9, 0.12],
  ],
};

/** Play a sound, unless this browser is silent; nothing sounds before the first press. */
export function play(effect: Effect): void {
  if (!settings.effects || !navigator.userActivation?.hasBeenActive) return;
  const context = audio();
  if (!context) return;
  for (const [pitch, at, length, loudness, form = 'sine'] of TONES[effect]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const when = context.currentTime + at;
    tone.type = form;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, when);
    volume.gain.linearRampToValueAtTime(loudness / 2, when + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, when + length);
    tone.connect(volume).connect(context.destination);
    tone.start(when);
    tone.stop(when + length);
  }
}
