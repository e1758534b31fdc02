/** The sound of a turn: the two notes of a station's gong, made here and off until somebody asks for it. */

const NOTES = [659.25, 523.25]; // E and C
const SECONDS = 0.9;

let context: AudioContext | null = null;

/** Play the gong; a browser that has not been touched yet plays nothing. */
export function gong(): void {
  try {
    context ??= new AudioContext();
    void context.resume();
    NOTES.forEach((note, at) => strike(context!, note, context!.currentTime + at * 0.35));
  } catch {
    // No device, or not allowed: a sound is never needed.
  }
}

function strike(audio: AudioContext, note: number, when: number): void {
  for (const [overtone, loudness] of [
    [1, 0.22],
    [2, 0.06],
    [3.01, 0.03],
  ] as const) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = note * overtone;
    volume.gain.setValueAtTime(0, when);
    volume.gain.linearRampToValueAtTime(loudness, when + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0001, when + SECONDS / overtone ** 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(when);
    tone.stop(when + SECONDS);
  }
}
