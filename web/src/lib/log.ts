/** The log of a table: its entries, and the lines that put them into words. */

import type { Key } from '../i18n/index.svelte.ts';
import type { Params } from '../i18n/message.ts';
import type { State } from '../protocol.gen.ts';
import type { Edition } from './edition.ts';

export type Entry = State['entries'][number];
type GameEvent = Extract<Entry, { events: unknown }>['events'][number];

/** Return the entries after one more message; `last` is the number of the last known one. A gap starts the log anew. */
export function extendLog(known: readonly Entry[], last: number, state: State): readonly Entry[] {
  if (state.since > last) return [...state.entries];
  const fresh = state.entries.filter((entry) => entry.number > last);
  if (!fresh.length) return known;
  const withheld = new Set(fresh.flatMap((entry) => (entry.entry === 'withheld' ? [entry.line] : [])));
  const standing = withheld.size ? known.map((entry) => (withheld.has(entry.number) ? silenced(entry) : entry)) : known;
  return [...standing, ...fresh];
}

/** A line of the chat whose words the people who run the server have taken away. */
function silenced(entry: Entry): Entry {
  return entry.entry === 'said' ? { ...entry, text: null } : entry;
}

/** Return the numbers of the decisions that were taken back, in one pass: an undo takes back the last ones that stand. */
export function takenBack(entries: readonly Entry[]): ReadonlySet<number> {
  const gone = new Set<number>();
  const standing: number[] = [];
  for (const entry of entries) {
    if (entry.entry === 'decided') standing.push(entry.number);
    else if (entry.entry === 'undone')
      while (standing.length && standing.at(-1)! >= entry.first) gone.add(standing.pop()!);
  }
  return gone;
}

/** Return the entries with a page of earlier ones before them; one that does not fit changes nothing. */
export function prependLog(known: readonly Entry[], page: readonly Entry[]): readonly Entry[] {
  const last = page.at(-1)?.number;
  return last !== undefined && last + 1 === known[0]?.number ? [...page, ...known] : known;
}

/** A line of the log: a message of the catalogue with its parameters, and cards to show. */
export interface LogLine {
  readonly key: Key;
  readonly params: Params;
  readonly seat: number | null;
  readonly cards: readonly (string | null)[];
  /** The number of its entry. */
  readonly number: number;
  readonly at: number;
}

/** What lines call things by. */
export interface Names {
  readonly edition: Edition | null;
  readonly seatName: (seat: number) => string;
}

/** Return the lines of an entry; some entries have none. */
export function logLines(entry: Entry, names: Names): LogLine[] {
  return entryMessages(entry, names).map((message) => ({
    key: message.key,
    params: message.params ?? {},
    seat: message.seat ?? null,
    cards: message.cards ?? [],
    number: entry.number,
    at: entry.at,
  }));
}

/** A line as a list keeps it: with an id of its own, and whether its decision was taken back. */
export interface KeyedLine extends LogLine {
  readonly id: string;
  readonly gone: boolean;
}

const DRAWS: ReadonlySet<Key> = new Set(['log.take', 'log.draw']);

/** Return one line for two that are of one turn: two cards, or tickets drawn and kept; else null. */
function joined(a: KeyedLine | undefined, b: KeyedLine): KeyedLine | null {
  if (a?.seat !== b.seat || a.gone !== b.gone) return null;
  if (DRAWS.has(a.key) && DRAWS.has(b.key) && a.cards.length === 1)
    return { ...a, key: a.key === b.key ? a.key : 'log.take', cards: [...a.cards, ...b.cards] };
  if (a.key === 'log.offer' && b.key === 'log.kept')
    return { ...a, key: 'log.kept_of', params: { ...b.params, drawn: a.params['count']! } };
  return null;
}

/**
 * Return the lines of a log, one for a turn, in one pass over it.
 *
 * The id of a line is the number of its entry and its place there: it stays the same whatever comes before or after. A line
 * that says what it said `before` is the same object as then, so that after a move only what is new is drawn.
 */
export function keyedLines(
  entries: readonly Entry[],
  names: Names,
  before: readonly KeyedLine[] = [],
): readonly KeyedLine[] {
  const gone = takenBack(entries);
  const known = new Map(before.map((line) => [line.id, line]));
  const lines: KeyedLine[] = [];
  for (const entry of entries)
    logLines(entry, names).forEach((line, at) => {
      const keyed = { ...line, id: `${line.number}.${at}`, gone: gone.has(line.number) };
      const both = joined(lines.at(-1), keyed);
      if (both) lines[lines.length - 1] = both;
      else lines.push(keyed);
    });
  return lines.map((line) => {
    const old = known.get(line.id);
    return old && saysTheSame(old, line) ? old : line;
  });
}

function saysTheSame(a: KeyedLine, b: KeyedLine): boolean {
  return (
    a.key === b.key &&
    a.seat === b.seat &&
    a.at === b.at &&
    a.gone === b.gone &&
    alike(a.params, b.params) &&
    alike(a.cards, b.cards)
  );
}

/** Whether two lists, or two flat objects, hold the same. */
function alike(a: object, b: object): boolean {
  const [mine, theirs] = [Object.entries(a), new Map(Object.entries(b))];
  return mine.length === theirs.size && mine.every(([name, value]) => theirs.get(name) === value);
}

type Message = { key: Key; params?: Params; seat?: number | null; cards?: readonly (string | null)[] };

function entryMessages(entry: Entry, names: Names): Message[] {
  const seat = 'seat' in entry ? entry.seat : null;
  const name = seat === null ? '' : names.seatName(seat);
  switch (entry.entry) {
    case 'seated':
      return [{ key: 'log.seated', params: { name: entry.name }, seat }];
    case 'unseated':
      return [{ key: 'log.unseated', params: { seat: entry.seat + 1 } }];
    case 'filled':
      return [{ key: 'log.filled', params: { name, seat: entry.seat + 1 }, seat }];
    case 'started': {
      const first: Message = { key: 'log.started', params: { name: names.seatName(entry.first) } };
      return [first, ...eventMessages(entry.events, names, true)];
    }
    case 'decided': {
      const late: Message[] = entry.clock ? [{ key: 'log.clock', params: { name }, seat }] : [];
      return [...late, ...eventMessages(entry.events, names, false)];
    }
    case 'left':
      return [{ key: `log.left_${entry.why}`, params: { name }, seat }];
    case 'returned':
      return [{ key: 'log.returned', params: { name }, seat }];
    case 'pause_asked':
      return [{ key: 'log.pause_asked', params: { name }, seat }];
    case 'pause_declined':
      return [{ key: 'log.pause_declined', params: { name }, seat }];
    case 'paused':
      return [{ key: seat === null ? 'log.paused_host' : 'log.paused', params: { name }, seat }];
    case 'resumed':
      return [{ key: seat === null ? 'log.resumed_host' : 'log.resumed', params: { name }, seat }];
    case 'rematched':
      return [{ key: 'log.rematched' }];
    case 'undo_asked':
      return [{ key: 'log.undo_asked', params: { name }, seat }];
    case 'undo_agreed':
      return [{ key: 'log.undo_agreed', params: { name }, seat }];
    case 'undo_refused':
      return [seat === null ? { key: 'log.undo_unanswered' } : { key: 'log.undo_refused', params: { name }, seat }];
    case 'undone':
      return [{ key: 'log.undone', params: { name }, seat }];
    case 'closed':
      return [{ key: 'log.closed' }];
    case 'sealed':
      return [{ key: 'log.sealed' }];
    case 'locked':
      return [{ key: entry.locked ? 'log.locked' : 'log.unlocked' }];
    case 'entry_asked':
      return [seat === null ? { key: 'log.screen_asked' } : { key: 'log.entry_asked', params: { name }, seat }];
    case 'let_in': {
      const by = names.seatName(entry.by);
      return [
        seat === null
          ? { key: 'log.let_in_screen', params: { by } }
          : { key: 'log.let_in', params: { name, by }, seat },
      ];
    }
    case 'entry_refused':
      return [seat === null ? { key: 'log.screen_refused' } : { key: 'log.entry_refused', params: { name }, seat }];
    case 'trimmed':
    case 'created':
    case 'committed':
    case 'revealed':
    case 'chosen':
    case 'said': // the chat has it
    case 'withheld':
    case 'aside':
      return [];
  }
}

function eventMessages(events: readonly GameEvent[], names: Names, start: boolean): Message[] {
  return events.map((event) => eventMessage(event, names, start)).filter((message) => message !== null);
}

/** `start`: the event belongs to the deal, where everybody is offered tickets. */
function eventMessage(event: GameEvent, names: Names, start: boolean): Message | null {
  const name = 'player' in event ? names.seatName(event.player) : '';
  const seat = 'player' in event ? event.player : null;
  const route = 'route' in event ? (names.edition?.routeName(event.route) ?? event.route) : '';
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
      const city = names.edition?.cityName(event.city) ?? event.city;
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
