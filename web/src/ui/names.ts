/** Names, in the chosen language, of what the server calls by an id or a code. */
import { named, t, type Key } from '../i18n/index.svelte.ts';
import { countCards } from '../lib/moves.ts';
import type { RouteFact, SeatInfo } from '../protocol.gen.ts';
import { OF_BOTS } from './portraits.ts';

const STYLE = ':sociable';
/** Who plays behind the name of a bot: a level in the sociable style is the same somebody. */
export const levelOf = (bot: string): string => bot.replace(STYLE, '');
export const botName = (bot: string): string =>
  bot.endsWith(STYLE) ? t('bot.sociable', { level: botName(levelOf(bot)) }) : named('bot', bot, bot);
/** A line on how a level plays; empty for other bots. */
export const botAbout = (bot: string): string => (bot.endsWith(STYLE) ? t('level.sociable') : named('level', bot, ''));
/** A board that was made for its table is called after its part of the world. */
export const editionName = (id: string, name: string): string =>
  named(
    'edition',
    id,
    name.replace(/^made-\w+-\d+-(.+)/, (_, region: string) =>
      region.replace(/(^|-)./g, (start) => start.replace('-', ' ').toUpperCase()),
    ),
  );
export const packName = (name: string): string => named('pack_name', name, name);
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

/** What the levels of bots are called, the same in every language. */
const CALLED: Readonly<Record<string, string>> = {
  passenger: 'Nell',
  conductor: 'Bruno',
  stoker: 'Otto',
  driver: 'Mira',
  director: 'Aurelia',
};
/** The name by which a bot is known at a table, in a hint and in a film. */
export const botCalled = (bot: string): string => CALLED[levelOf(bot)] ?? capital(botName(bot));

const AGAIN = ['', ' II', ' III', ' IV', ' V', ' VI'];

/** Who sits somewhere, as far as their name is concerned. */
export type Sitting = Pick<SeatInfo, 'kind' | 'name' | 'bot'>;

/** Return what everybody at a table is called: bots by their own names, the second of a kind with a number. */
export function seatNames(seats: readonly Sitting[]): string[] {
  const people = seats.flatMap((seat) => (seat.kind === 'person' ? [seat.name] : []));
  const taken = new Set(people);
  return seats.map((seat) => {
    if (seat.kind === 'open') return t('seat.open');
    if (seat.kind === 'person') return seat.name;
    const free = AGAIN.map((end) => botCalled(seat.bot) + end).find((name) => !taken.has(name));
    const name = free ?? botCalled(seat.bot);
    taken.add(name);
    return name;
  });
}

/** Return who sits on a seat. */
export const seatName = (seats: readonly Sitting[] | undefined, seat: number): string =>
  seatNames(seats ?? [])[seat] ?? t('seat.open');

/** Return the players of a record as they sit: bots are `bot:NAME`. */
export const sittingOf = (players: readonly string[]): Sitting[] =>
  players.map((name) =>
    name.startsWith('bot:') ? { kind: 'bot', name: '', bot: name.slice(4) } : { kind: 'person', name, bot: '' },
  );

export const portraitOfBot = (bot: string): string => OF_BOTS[levelOf(bot)] ?? 'engine';
/** The portrait of a seat. */
export const portraitOf = (seat: Sitting & { readonly portrait?: string }): string =>
  seat.kind === 'bot' ? portraitOfBot(seat.bot) : (seat.portrait ?? '');

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
