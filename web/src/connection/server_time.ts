/** The time of the server, in which deadlines are told: this device's own clock may be wrong. */

let offset = 0;

/** Note the server's time, in seconds since 1970, as it came in an answer to a message sent at `sent` (milliseconds). */
export function noteServerTime(now: number, sent: number, received = Date.now()): void {
  offset = now * 1_000 - (sent + received) / 2;
}

/** Return the time of the server, in seconds since 1970. */
export const serverTime = (): number => (Date.now() + offset) / 1_000;
