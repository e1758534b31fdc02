/** The sound of a turn: the two notes of a station's gong, made here and off until somebody asks for it. */

const NOTES = [659.25, 523.25]; // E and C
const SECONDS = 0.9;

let context: AudioContext | null = null;

/** Return what plays sounds here; null without a device, or where it is not allowed: a sound is never needed. */
export function audio(): AudioContext | null {
  try {
    context ??= new AudioContext();
    void context.resume();
    return context;
  } catch {
    return null;
  }
}

/** Play the gong; a browser that has not been touched yet plays nothing. */
export function gong(): void {
  const playing = audio();
  if (playing) NOTES.forEach((note, at) => strike(playing, note, playing.currentTime + at * 0.35));
}

function strike(playing: AudioContext, note: number, when: number): void {
  for (const [overtone, loudness] of [
    [1, 0.22],
    [2, 0.06],
    [3.01, 0.03],
  ] as const) {
    const tone = playing.createOscillator();
    const volume = playing.createGain();
    tone.frequency.value = note * overtone;
    volume.gain.setValueAtTime(0, when);
    volume.gain.linearRampToValueAtTime(loudness, when + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0001, when + SECONDS / overtone ** 0.5);
    tone.connect(volume).connect(playing.destination);
    tone.start(when);
    tone.stop(when + SECONDS);
  }
}
