/** What happened, as messages of the catalogue: a key, its parameters, and cards to show. */

import type { Key } from '../i18n/index.svelte.ts';
import type { Params } from '../i18n/message.ts';
import type { Edition } from './edition.ts';
import type { Entry } from './folding.ts';

type GameEvent = Extract<Entry, { events: unknown }>['events'][number];

export interface Line {
  readonly key: Key;
  readonly params: Params;
  readonly seat: number | null;
  readonly cards: readonly (string | null)[];
  readonly number: number;
  readonly at: number;
}

export interface Words {
  readonly edition: Edition | null;
  readonly seatName: (seat: number) => string;
  readonly botName: (bot: string) => string;
}

type Told = { key: Key; params?: Params; seat?: number | null; cards?: readonly (string | null)[] };

function tellEvent(event: GameEvent, words: Words, start: boolean): Told | null {
  const name = 'player' in event ? words.seatName(event.player) : '';
  const seat = 'player' in event ? event.player : null;
  const route = 'route' in event ? (words.edition?.routeName(event.route) ?? event.route) : '';
  switch (event.event) {
    case 'take':
      return { key: 'log.take', params: { name }, seat, cards: [event.card] };
    case 'draw':
      return { key: 'log.draw', params: { name }, seat, cards: [event.card] };
    case 'offer':
      if (start) return null;
      return { key: 'log.offer', params: { name, count: event.tickets.length }, seat };
    case 'keep':
      if (event.kept === null) return { key: 'log.kept_secretly', params: { name }, seat };
      return { key: 'log.kept', params: { name, count: event.kept.length }, seat };
    case 'claim': {
      const { cards, points } = event;
      return { key: 'log.claim', params: { name, route, points }, seat, cards };
    }
    case 'tunnel': {
      const { extra, revealed } = event;
      return { key: 'log.tunnel', params: { name, route, extra }, seat, cards: revealed };
    }
    case 'withdraw':
      return { key: 'log.withdraw', params: { name, route }, seat };
    case 'station': {
      const city = words.edition?.cityName(event.city) ?? event.city;
      return { key: 'log.station', params: { name, city }, seat, cards: event.cards };
    }
    case 'flush':
      return { key: 'log.flush', cards: event.cards };
    case 'shuffle':
      return { key: 'log.shuffle', params: { count: event.count } };
    case 'pass':
      return { key: 'log.pass', params: { name }, seat };
    case 'last_round':
      return { key: 'log.last_round', params: { name }, seat };
    default:
      return null;
  }
}

function tellEntry(entry: Entry, words: Words): Told[] {
  const seat = 'seat' in entry ? entry.seat : null;
  const name = seat === null ? '' : words.seatName(seat);
  switch (entry.entry) {
    case 'seated':
      return [{ key: 'log.seated', params: { name: entry.name }, seat }];
    case 'unseated':
      return [{ key: 'log.unseated', params: { seat: entry.seat + 1 } }];
    case 'filled':
      return [{ key: 'log.filled', params: { bot: words.botName(entry.bot), seat: entry.seat + 1 }, seat }];
    case 'started': {
      const first: Told = { key: 'log.started', params: { name: words.seatName(entry.first) } };
      return [first, ...tellEvents(entry.events, words, true)];
    }
    case 'decided':
      return tellEvents(entry.events, words, false);
    case 'left':
      return [{ key: `log.left_${entry.why}`, params: { name }, seat }];
    case 'returned':
      return [{ key: 'log.returned', params: { name }, seat }];
    case 'paused':
      return [{ key: seat === null ? 'log.paused_host' : 'log.paused', params: { name }, seat }];
    case 'resumed':
      return [{ key: seat === null ? 'log.resumed_host' : 'log.resumed', params: { name }, seat }];
    case 'rematched':
      return [{ key: 'log.rematched' }];
    case 'created':
      return [];
  }
}

function tellEvents(events: readonly GameEvent[], words: Words, start: boolean): Told[] {
  return events.map((event) => tellEvent(event, words, start)).filter((told) => told !== null);
}

export function tell(entry: Entry, words: Words): Line[] {
  return tellEntry(entry, words).map((told) => ({
    key: told.key,
    params: told.params ?? {},
    seat: told.seat ?? null,
    cards: told.cards ?? [],
    number: entry.number,
    at: entry.at,
  }));
}
