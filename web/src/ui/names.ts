/** Names, in the chosen language, of what the server calls by an id or a code. */
import { named, t, type Key } from '../i18n/index.svelte.ts';
import { countCards } from '../lib/moves.ts';
import type { RouteFact, SeatInfo } from '../protocol.gen.ts';

export const botName = (bot: string): string => named('bot', bot, bot);
/** A line on how a level plays; empty for other bots. */
export const botAbout = (bot: string): string => named('level', bot, '');
export const editionName = (id: string, name: string): string => named('edition', id, name);
/** The colour of a player's trains. */
export const colorName = (color: string): string => named('color', color, color);
/** Cards of a kind in words, "3 black cards"; null is a card face down. */
export const cardsText = (card: string | null, count: number): string =>
  t(`cards.${card ?? 'hidden'}` as Key, { count });
/** Cards in words, equal ones together: "2 black cards, 1 locomotive". */
export const cardListText = (cards: readonly (string | null)[]): string =>
  countCards(cards)
    .map(([card, count]) => cardsText(card, count))
    .join(', ');
/** The spaces of a route in words, "4 black spaces". */
export const spacesText = (color: string, count: number): string => t(`spaces.${color}` as Key, { count });
/** What a route is besides its length and colour: a tunnel, or a ferry with its locomotives; empty for most. */
export const routeKind = ({ tunnel, ferry }: RouteFact): string =>
  tunnel ? t('route.tunnel') : ferry ? t('route.ferry', { count: ferry }) : '';
export const errorText = (code: string): string => named('code', code, t('code.unknown', { code }));

/** Return who sits on a seat; a bot is called by the colour of its trains. */
export function seatName(seat: SeatInfo | undefined, color: string): string {
  if (!seat || seat.kind === 'open') return t('seat.open');
  if (seat.kind === 'person') return seat.name;
  return capital(t('seat.bot', { color: colorName(color) }));
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
