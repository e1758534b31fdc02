import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Edition } from '../../../src/lib/edition.ts';
import { forget, save } from '../../../src/lib/storage.ts';
import type { Server } from '../../../src/connection/http.ts';
import { network } from '../../../src/connection/transport.ts';
import { TableModel } from '../../../src/lib/table.svelte.ts';
import type { EditionDocument, OwnState, PublicState, State, TableInfo } from '../../../src/protocol.gen.ts';
import { TableSession } from '../../../src/table/session.svelte.ts';
import { cardsText, spacesText } from '../../../src/ui/names.ts';
import { FakeSocket } from '../support/socket.ts';

const edition = {
  board: 'small',
  cities: ['a', 'b', 'c'].map((id) => ({ id, name: id.toUpperCase(), lat: 0, lon: 0 })),
  routes: [
    { id: 'a-b', a: 'a', b: 'b', length: 2, color: 'gray', ferry: 0, tunnel: false },
    { id: 'b-c', a: 'b', b: 'c', length: 1, color: 'red', ferry: 0, tunnel: false },
  ],
  tickets: [],
  in_play: [{ id: 'small:a-c', a: 'a', b: 'c', points: 5, long: false }],
  edition: { id: 'small', name: 'Small', stations: 3, player_colors: ['blue', 'red'], route_points: { 1: 1, 2: 2 } },
} as unknown as EditionDocument;

const CLAIMS = ['claim a-b blue blue', 'claim a-b red red', 'claim a-b red locomotive', 'claim b-c red'];
const STATIONS = ['station a red', 'station c blue'];
const hand = { red: 2, blue: 2, locomotive: 1 };
const seat = { kind: 'person', name: 'Ada', bot: '', away: false, ready: true } as const;
const seatState = {
  trains: 45,
  points: 0,
  cards: 5,
  known: {},
  tickets: 1,
  stations_left: 3,
  stations: [],
  routes: [],
  closed: [],
};

interface Position {
  readonly actions?: readonly string[] | null;
  readonly barred?: Record<string, string>;
  readonly second?: readonly string[];
  readonly own?: Partial<OwnState>;
  readonly game?: Partial<PublicState>;
  readonly table?: Partial<TableInfo>;
  readonly entries?: State['entries'];
  readonly final?: object;
}

let socket: FakeSocket;
let session: TableSession;
let number = 0;
let rematches: string[] = [];
let end: () => void;

/** The server sends the next state; `actions: null` while others decide. */
function state({
  actions = [...CLAIMS, ...STATIONS, 'draw', 'tickets'],
  barred = {},
  second = [],
  own,
  game,
  table,
  entries = [],
  final,
}: Position = {}): void {
  number += 1;
  socket.say({
    type: 'state',
    number,
    since: number - 1,
    entries,
    final: final ?? null,
    table: {
      id: 't',
      edition: 'small',
      extras: [],
      clock: { kind: 'none' },
      seats: [seat, { ...seat, name: 'Bob' }],
      paused: false,
      rematch: null,
      ...table,
    },
    public: {
      phase: 'turn',
      turn: actions ? 0 : 1,
      seats: [seatState, seatState],
      tunnel: null,
      turns_left: null,
      ...game,
    },
    own: {
      seat: 0,
      hand,
      tickets: [{ id: 'small:a-c', done: false }],
      offer: [],
      moves: actions && { actions, barred, second },
      ...own,
    },
  });
  flushSync();
}

const sent = () => socket.sent.at(-1)!;

/** The server accepts the last command, and the next state shows it. */
async function accept(position: Position = {}): Promise<void> {
  socket.say({ type: 'accepted', id: sent().id, number: number + 1 });
  state(position);
  await settled();
}

/** Let promises that are due be answered. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  flushSync();
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor() {
        return (socket = new FakeSocket());
      }
    },
  );
  vi.stubGlobal('document', { hidden: false, addEventListener: () => undefined, removeEventListener: () => undefined });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  number = 0;
  rematches = [];
  save('at_once', '0');
  save('hold', '0');
  save('pace', '0');
  const server = {
    open: network('http://h/').open,
    editionOf: async () => edition,
    picture: async () => ({}),
  } as unknown as Server;
  const model = new TableModel(server, 't', 'secret');
  const stop = model.start();
  const dispose = $effect.root(() => {
    session = new TableSession(model, (table) => rematches.push(table));
  });
  end = () => {
    dispose();
    stop();
  };
  socket.onopen?.();
  state();
  await settled();
});

afterEach(() => {
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a choice', () => {
  test('of a route offers its payments, those of the chosen colour only', () => {
    session.choices.chooseRoute('a-b');
    expect(session.choices.choice).toEqual({ kind: 'route', id: 'a-b' });
    expect(session.choices.payments).toHaveLength(3);
    expect(session.map.selected).toBe('a-b');
    session.choices.chooseColor('blue');
    expect(session.choices.payments.map((payment) => payment.action)).toEqual(['claim a-b blue blue']);
    expect([...session.choices.open]).toEqual(['a-b']);
  });

  test('stays while others do something, and as long as it can be paid', () => {
    session.choices.chooseRoute('b-c');
    state();
    expect(session.choices.choice).not.toBeNull();
    state({ actions: ['claim a-b blue blue'] });
    expect(session.choices.choice).toBeNull();
  });

  test('does not come back in the next turn', () => {
    session.choices.chooseRoute('a-b');
    state({ actions: null });
    expect(session.asking).toBe(false);
    state();
    expect(session.choices.choice).toBeNull();
  });

  test('is sent as a decision, and forgotten when the server has accepted it', async () => {
    session.choices.chooseRoute('a-b');
    session.choices.chooseColor('red');
    void session.decide('claim a-b red red');
    expect(sent()).toMatchObject({ type: 'decide', action: 'claim a-b red red' });
    await accept();
    expect(session.choices.choice).toBeNull();
    expect(session.choices.color).toBeNull();
  });

  test('that the server refused stays, with the reason', async () => {
    session.choices.chooseRoute('a-b');
    void session.decide('claim a-b red red');
    socket.say({ type: 'refused', id: sent().id, code: 'stale' });
    await settled();
    expect(session.notice.text).not.toBeNull();
    expect(session.choices.choice).not.toBeNull();
  });

  test('with one answer is no question where it can be taken back, else as the player has set it; a tunnel always is one', () => {
    forget('at_once');
    session.choices.chooseRoute('b-c'); // holds are off
    expect(session.choices.choice).toEqual({ kind: 'route', id: 'b-c' });
    session.choices.cancel();
    save('hold', '3000');
    session.choices.chooseRoute('a-b'); // three ways to pay
    expect(session.choices.choice).toEqual({ kind: 'route', id: 'a-b' });
    session.choices.chooseRoute('b-c');
    expect(session.hold.command).toEqual({ type: 'decide', action: 'claim b-c red' });
    session.hold.takeBack();
    session.choices.chooseStation();
    session.choices.chooseCity('c');
    expect(session.hold.command).toEqual({ type: 'decide', action: 'station c blue' });
    session.hold.takeBack();
    const tunnel = { ...edition.routes[1]!, tunnel: true };
    session.model.edition = new Edition({ ...edition, routes: [edition.routes[0]!, tunnel] });
    session.choices.chooseRoute('b-c');
    expect(session.choices.choice).toEqual({ kind: 'route', id: 'b-c' });
    expect(session.hold.command).toBeNull();
  });

  test('with one payment is paid at once, where the player has set it so', () => {
    save('at_once', '1');
    session.choices.chooseRoute('b-c');
    expect(session.choices.choice).toBeNull();
    expect(sent()).toMatchObject({ action: 'claim b-c red' });
  });

  test('and everything else that was begun ends with Escape', () => {
    session.choices.chooseColor('red');
    session.choices.chooseStation();
    session.choices.chooseRoute('a-b');
    session.cancelAll();
    expect([session.choices.choice, session.choices.color, session.notice.text, session.choices.building]).toEqual([
      null,
      null,
      null,
      false,
    ]);
  });
});

test('a station: the cities where it can be built, then its payments', () => {
  expect(session.choices.buildable.size).toBe(0);
  session.choices.chooseStation();
  expect([...session.choices.buildable]).toEqual(['a', 'c']);
  session.choices.chooseCity('b');
  expect(session.choices.choice).toBeNull();
  session.choices.chooseCity('c');
  expect(session.choices.building).toBe(false);
  expect(session.choices.payments.map((payment) => payment.action)).toEqual(['station c blue']);
});

test('a colour is forgotten with its last card', () => {
  session.choices.chooseColor('red');
  state({ own: { hand: { blue: 2 } } });
  expect(session.choices.color).toBeNull();
});

test('what is not legal is not sent, and the reason is shown for a while', async () => {
  state({
    actions: ['draw'],
    barred: { 'claim b-c': 'too_few_trains' },
    game: { seats: [{ ...seatState, trains: 0 }, seatState] },
  });
  const before = socket.sent.length;
  session.choices.chooseRoute('b-c');
  expect(session.notice.text).toContain('B – C');
  void session.decide('take red');
  state({ actions: null });
  await session.decide('draw');
  expect(session.notice.text).toBe('It is not your turn.');
  expect(socket.sent).toHaveLength(before);
  vi.advanceTimersByTime(7_000);
  expect(session.notice.text).toBeNull();
});

test('a tunnel that is on stage is seen on the map, whoever tries it', () => {
  expect(session.map.selected).toBeNull();
  session.scenes.tunnel = {
    scene: { kind: 'tunnel', seat: 1, route: 'b-c', laid: [], revealed: [], counting: [], extra: 0 },
    turned: 0,
    told: false,
  };
  expect(session.map.selected).toBe('b-c');
});

test('where something else comes first, that is the reason', async () => {
  for (const [phase, why] of [
    ['second_card', 'First take your second card.'],
    ['tunnel', 'First pay for the tunnel'],
    ['start', 'First choose your tickets.'],
  ] as const) {
    state({ actions: ['draw'], game: { phase } as never });
    session.choices.chooseRoute('b-c');
    expect(session.notice.text, phase).toContain(`B – C (1 red space · 1 point): ${why}`);
    session.choices.chooseStation();
    expect(session.notice.text, phase).toContain(why);
    await session.decide('tickets');
    expect(session.notice.text, phase).toContain(why);
  }
  state({ actions: null });
  session.choices.chooseRoute('b-c');
  expect(session.notice.text).toBe('B – C (1 red space · 1 point)');
  session.choices.chooseStation();
  expect(session.notice.text).toBe('It is not your turn.');
});

test('a hint is valid until this seat has decided, or until Escape; others may choose tickets meanwhile', async () => {
  const ask = async (meanwhile: () => void) => {
    void session.hints.ask();
    expect(session.hints.thinking).toBe(true);
    const { id } = sent();
    meanwhile();
    socket.say({ type: 'hint', id, bot: 'greedy', action: 'claim a-b red red', number });
    await settled();
    expect(session.hints.thinking).toBe(false);
  };
  for (const end of [() => state({ actions: ['draw'] }), () => session.cancelAll()]) {
    state();
    await ask(state);
    expect(session.hints.target).toBe('a-b');
    state();
    expect(session.hints.target).toBe('a-b');
    end();
    expect(session.hints.hint).toBeNull();
  }
  // An answer that comes when something else is asked.
  await ask(() => state({ actions: ['draw', 'take red'] }));
  expect(session.hints.hint).toBeNull();
});

test('what is said about a route or a city keeps clear of it', () => {
  state({ actions: null });
  session.choices.chooseRoute('b-c');
  expect(session.notice.about).toBe('b-c');
  session.choices.chooseCity('a');
  expect(session.notice.about).toBe('a');
  session.choices.chooseStation();
  expect(session.notice.about).toBeNull();
});

test('a ticket that is looked at has its path on the map, along what is open', () => {
  expect(session.map.marks).toEqual({ a: [{ letter: 'A', state: 'open' }], c: [{ letter: 'A', state: 'open' }] });
  expect(session.map.needs.get('small:a-c')).toBe(3);
  expect(session.map.path.size).toBe(0);
  session.choices.viewTicket('small:a-c');
  expect([...session.map.path]).toEqual(['a-b', 'b-c']);
  state({ game: { seats: [seatState, { ...seatState, routes: ['b-c'] }] } });
  expect(session.map.path.size).toBe(0);
  expect(session.map.needs.get('small:a-c')).toBeNull();
  state({ game: { seats: [{ ...seatState, routes: ['a-b'] }, seatState] } });
  expect(session.map.needs.get('small:a-c')).toBe(1);
  state({ game: { seats: [{ ...seatState, closed: ['b-c'] }, seatState] } });
  expect(session.map.needs.get('small:a-c')).toBeNull();
  expect([...session.map.closed]).toEqual(['b-c']);
});

test('what glows is on the way of a ticket and can be paid now; everything else on asking', () => {
  expect([...session.map.glowing]).toEqual(['a-b', 'b-c']);
  state({ actions: ['claim b-c red', 'draw'] });
  expect([...session.map.glowing]).toEqual(['b-c']);
  state({ own: { tickets: [{ id: 'small:a-c', done: true }] } });
  expect(session.map.glowing.size).toBe(0);
  session.choices.toggleAll();
  expect([...session.map.glowing]).toEqual(['a-b', 'b-c']);
  expect(session.notice.text).toBe('You can pay for 2 routes now.');
  session.choices.toggleAll();
  session.choices.chooseColor('blue');
  expect([...session.map.glowing]).toEqual(['a-b']);
});

test('tickets on offer are marked as such, with a letter that follows those held', () => {
  state({ actions: ['keep 1'], game: { phase: 'tickets' }, own: { tickets: [], offer: ['small:a-c'] } });
  expect(session.map.marks).toEqual({ a: [{ letter: 'A', state: 'offered' }], c: [{ letter: 'A', state: 'offered' }] });
  expect(session.map.glowing.size).toBe(0);
});

test('everything that happened stays to be read aloud, also what came with an earlier message', () => {
  const passed = (at: number) =>
    [
      { entry: 'decided', seat: 1, bot: '', number: at, at: 0, events: [{ event: 'pass', player: 1 }] },
    ] as unknown as State['entries'];
  state({ entries: passed(number + 1) });
  state({ entries: passed(number + 1) });
  expect(session.announcements.lines.map((line) => line.text)).toEqual(['Bob passed.', 'Bob passed.']);
  expect(new Set(session.announcements.lines.map((line) => line.id)).size).toBe(2);
});

test('the last round is announced', () => {
  state({
    entries: [
      { entry: 'decided', seat: 1, bot: '', number: 2, at: 0, events: [{ event: 'last_round', player: 1 }] },
    ] as unknown as State['entries'],
  });
  expect(session.announcements.lines).toHaveLength(1);
  expect(session.notice.text).toBe(session.announcements.lines[0]!.text);
});

test('whoever asks for a rematch goes there as soon as there is one, and nobody else', async () => {
  const over = {
    actions: null,
    game: { phase: 'over', turn: null },
    final: { result: { winners: [0], scores: [] } },
  } as const;
  state(over);
  state({ ...over, table: { rematch: 'x' } });
  expect(rematches).toEqual([]);
  state(over);
  void session.rematch.ask();
  expect(sent()).toMatchObject({ type: 'rematch' });
  await accept({ ...over, table: { rematch: 'y' } });
  expect(rematches).toEqual(['y']);
});

test('a chosen colour is told with what the hand has of it', () => {
  session.choices.chooseColor('blue');
  expect(session.notice.text).toBe('With 2 blue cards you can claim 1 route now.');
});

test('the table uses the words of its board', () => {
  expect(cardsText('purple', 1)).toBe('1 purple card');
  session.model.edition = new Edition({ ...edition, board: 'usa' });
  flushSync();
  expect([cardsText('purple', 1), spacesText('purple', 3)]).toEqual(['1 pink card', '3 pink spaces']);
});

describe('a move is held before it is sent', () => {
  beforeEach(() => save('hold', '3000'));
  const commands = () => socket.sent.filter((message) => message.type === 'decide').map((message) => message.action);

  test('it is shown as done, and nothing has left', () => {
    session.choices.chooseRoute('b-c');
    void session.decide('claim b-c red');
    flushSync();
    expect(session.model.owners['b-c']).toBe(0);
    expect(session.model.own?.hand['red']).toBe(1);
    expect(session.asking).toBe(false);
    expect(commands()).toEqual([]);
    vi.advanceTimersByTime(3_000);
    expect(commands()).toEqual(['claim b-c red']);
  });

  test('taken back, everything is as before: the payment is asked again', async () => {
    session.choices.chooseRoute('b-c');
    void session.decide('claim b-c red');
    flushSync();
    session.cancelAll(); // Escape
    await settled();
    expect(session.model.owners['b-c']).toBeUndefined();
    expect(session.model.own?.hand['red']).toBe(2);
    expect(session.choices.choice).toEqual({ kind: 'route', id: 'b-c' });
    vi.advanceTimersByTime(60_000);
    expect(commands()).toEqual([]);
  });

  test('the next tap carries it out, and of two cards the second is held in turn', async () => {
    const display = ['red', 'blue', 'green', 'black', 'white'];
    state({ actions: ['take red', 'take blue', 'draw'], game: { display, deck: 40 } as never });
    void session.decide('take red');
    vi.advanceTimersByTime(500);
    void session.decide('take blue');
    expect(commands()).toEqual(['take red']);
    await accept({
      actions: ['take blue', 'draw'],
      game: { display, deck: 39, phase: 'second_card' } as never,
      entries: [{ entry: 'decided', number: number + 1, at: 0, seat: 0, bot: '', events: [] }] as never,
    });
    await settled();
    expect(session.hold.command).toEqual({ type: 'decide', action: 'take blue' });
    expect(commands()).toEqual(['take red']);
    vi.advanceTimersByTime(3_000);
    expect(commands()).toEqual(['take red', 'take blue']);
  });

  test('what can follow a card that is held can be pressed, and nothing follows a locomotive or a second card', () => {
    const display = ['red', 'blue', 'locomotive', 'black', 'white'];
    const actions = ['take red', 'take blue', 'take locomotive', 'draw', 'tickets'];
    const game = { display, deck: 40 } as never;
    state({ actions, second: ['take red', 'take blue', 'draw'], game });
    expect([...session.decisions.draws]).toEqual(actions.slice(0, 4));
    void session.decide('take red');
    flushSync();
    expect([...session.decisions.draws]).toEqual(['take red', 'take blue', 'draw']);
    session.hold.takeBack();
    void session.decide('take locomotive');
    flushSync();
    expect([...session.decisions.draws]).toEqual([]);
    session.hold.takeBack();
    state({ actions: ['take blue', 'draw'], game: { display, deck: 40, phase: 'second_card' } as never });
    expect([...session.decisions.draws]).toEqual(['take blue', 'draw']);
    void session.decide('take blue');
    flushSync();
    expect([...session.decisions.draws]).toEqual([]);
  });

  test('two quick presses on the deck are two cards, three are not three', async () => {
    const game = { display: [], deck: 40 } as never;
    state({ actions: ['draw'], game });
    void session.decide('draw');
    expect(commands()).toEqual(['draw']); // nobody chooses a card from the deck: it is not held
    void session.decide('draw');
    void session.decide('draw');
    expect(commands()).toEqual(['draw']);
    const entries = () => [{ entry: 'decided', number: number + 1, at: 0, seat: 0, bot: '', events: [] }] as never;
    await accept({
      actions: ['draw'],
      game: { display: [], deck: 39, phase: 'second_card' } as never,
      entries: entries(),
    });
    await settled();
    expect(commands()).toEqual(['draw', 'draw']);
    await accept({ actions: null, game: { display: [], deck: 38, phase: 'turn' } as never, entries: entries() });
    await settled();
    expect(commands()).toEqual(['draw', 'draw']);
  });

  test('the same tap twice takes one card only', async () => {
    state({ actions: ['take red', 'draw'], game: { display: ['red', 'red', null, null, null], deck: 40 } as never });
    void session.decide('take red');
    vi.advanceTimersByTime(100);
    void session.decide('take red'); // it bounces
    expect(commands()).toEqual([]);
    vi.advanceTimersByTime(500);
    void session.decide('take red');
    await settled();
    expect(commands()).toEqual(['take red']);
    expect(session.hold.sent).toBe(true);
  });

  test('it ends when it can no longer be done', () => {
    void session.decide('claim b-c red');
    state({ actions: null });
    expect(session.hold.command).toBeNull();
    expect(session.notice.text).not.toBeNull();
  });

  test('without a connection it waits, and whatever else was ordered', async () => {
    socket.onclose?.({ code: 1006 });
    flushSync();
    void session.decide('claim b-c red');
    vi.advanceTimersByTime(200);
    expect(session.hold.active).toBe(true);
    expect(session.hold.until).toBeNull();
    session.hold.takeBack();
    void session.send({ type: 'pause' });
    expect(session.hold.command).toEqual({ type: 'pause' });
    vi.advanceTimersByTime(2_000);
    socket.onopen?.();
    state();
    expect(session.hold.until).not.toBeNull();
    expect(socket.sent.filter((message) => message.type === 'pause')).toEqual([]);
    session.hold.takeBack();
    vi.advanceTimersByTime(60_000);
    expect(socket.sent.filter((message) => message.type === 'pause' || message.type === 'decide')).toEqual([]);
  });
});

test('a pinned way is drawn anew when a rival takes it, and whoever took it is named', async () => {
  session.planner.toggle('small:a-c');
  flushSync();
  expect([...session.map.path]).toEqual(['a-b', 'b-c']);
  expect(session.planner.trains).toBe(3);
  expect(session.planner.missing).toEqual({ colors: {}, gray: [], locomotives: 0, spare: 1 });
  state({ game: { seats: [seatState, { ...seatState, routes: ['b-c'] }] } });
  expect(session.planner.lost).toEqual(['small:a-c']);
  expect(session.notice.text).toContain('Bob');
  session.planner.toggle('small:a-c');
});

test('the planner borrows by stations: one that is built, and one that would help', () => {
  const bob = { ...seatState, routes: ['b-c'] };
  session.planner.toggle('small:a-c');
  state({ game: { seats: [seatState, bob] } });
  expect(session.map.needs.get('small:a-c')).toBeNull();
  expect(session.planner.offer).toEqual({ city: 'b', route: 'b-c', saved: 0, found: ['small:a-c'] });

  session.planner.toggleStation(session.planner.offer!);
  flushSync();
  expect(session.planner.lost).toEqual([]);
  expect([...session.map.path]).toEqual(['a-b', 'b-c']);
  expect(session.planner.loans).toEqual([{ city: 'b', route: 'b-c' }]);
  expect(session.planner.trains).toBe(2);
  expect(session.planner.offer).toBeNull();
  session.notice.text = null;

  // Somebody else has built there: it cannot be planned with any more, but the other end can.
  state({ game: { seats: [seatState, { ...bob, stations: ['b'] }] } });
  expect(session.planner.lost).toEqual(['small:a-c']);
  expect(session.planner.offer?.city).toBe('c');
  // My own station is there: it borrows by itself, also for what the ticket needs and for its path.
  state({ game: { seats: [{ ...seatState, stations: ['b'] }, bob] } });
  expect(session.planner.loans).toEqual([{ city: 'b', route: 'b-c' }]);
  expect(session.map.needs.get('small:a-c')).toBe(2);
  session.planner.toggle('small:a-c');
  session.choices.viewTicket('small:a-c');
  flushSync();
  expect([...session.map.path]).toEqual(['a-b', 'b-c']);
  expect(session.notice.text).toBeNull(); // what is borrowed was not taken away
});
