/** Names, in the chosen language, of what the server calls by an id or a code. */
import { named, t } from '../i18n/index.svelte.ts';
import type { SeatInfo } from '../protocol.gen.ts';

export const botName = (bot: string): string => named('bot', bot, bot);
/** A line on how a level plays; empty for other bots. */
export const botAbout = (bot: string): string => named('level', bot, '');
export const editionName = (id: string, name: string): string => named('edition', id, name);
export const colorName = (color: string): string => named('color', color, color);
export const errorText = (code: string): string => named('code', code, t('code.unknown', { code }));

/** Return who sits on a seat; a bot is called by the colour of its trains. */
export function seatName(seat: SeatInfo | undefined, color: string): string {
  if (!seat || seat.kind === 'open') return t('seat.open');
  if (seat.kind === 'person') return seat.name;
  return capital(t('seat.bot', { color: colorName(color) }));
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
