import type { Page } from '../test.ts';

export interface QuickGame {
  readonly table: string;
  readonly token: string;
}

/**
 * A game against bots that is played over the socket of a page, without clicks: for tests of what comes after the end.
 * The first route that can be paid is claimed, else the first move made; to the end, or for so many decisions.
 */
export function quickGame(page: Page, edition: string, bots: number, decisions = 100_000): Promise<QuickGame> {
  return page.evaluate(play, { edition, bots, decisions });
}

/** Runs in the page. */
async function play({
  edition,
  bots,
  decisions,
}: {
  edition: string;
  bots: number;
  decisions: number;
}): Promise<QuickGame> {
  const root = `${location.origin}/`;
  const seats = [
    { kind: 'person', name: 'Ada' },
    ...Array.from({ length: bots }, () => ({ kind: 'bot', bot: 'greedy' })),
  ];
  const headers = { 'content-type': 'application/json' };
  const made = await fetch(`${root}api/tables`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ edition, seats, stand_in: 'greedy' }),
  });
  const { table, held } = (await made.json()) as { table: string; held: { token: string }[] };
  const token = held[0]!.token;
  const socket = new WebSocket(`${root.replace('http', 'ws')}socket`);
  let sent = 0;
  await new Promise<void>((done, failed) => {
    socket.onerror = () => failed(new Error('the socket failed'));
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', table, token, known: null }));
    type Heard = {
      type: string;
      number: number;
      table: { status: string };
      own: { moves: { actions: string[] } | null } | null;
    };
    let latest: Heard | null = null;
    let due = 0; // the number of the event that the last decision has become; Infinity until it is answered
    socket.onmessage = ({ data }) => {
      const heard = JSON.parse(String(data)) as Heard;
      if (heard.type === 'refused') return failed(new Error(String(data)));
      if (heard.type === 'accepted') due = heard.number;
      else if (heard.type === 'state') latest = heard;
      if (!latest || latest.number < due) return;
      if (latest.table.status === 'over' || sent >= decisions) return done();
      const actions = latest.own?.moves?.actions;
      if (!actions) return;
      const action = actions.find((one) => one.startsWith('claim')) ?? actions[0]!;
      sent += 1;
      due = Infinity;
      socket.send(JSON.stringify({ type: 'decide', id: `q${sent}`, known: latest.number, action }));
    };
  });
  socket.close();
  return { table, token };
}

/** The link to the seat of the person in such a game. */
export const seatLink = (address: string, { table, token }: QuickGame) => `${address}table/${table}#token=${token}`;

/** A game of bots alone, watched over the socket of a page to its end, since bots that nobody watches do not play. */
export function botGame(page: Page, edition: string, bots: readonly string[]): Promise<string> {
  return page.evaluate(watch, { edition, bots });
}

/** Runs in the page. */
async function watch({ edition, bots }: { edition: string; bots: readonly string[] }): Promise<string> {
  const root = `${location.origin}/`;
  const seats = bots.map((bot) => ({ kind: 'bot', bot }));
  const made = await fetch(`${root}api/tables`, { method: 'POST', body: JSON.stringify({ edition, seats }) });
  const { table } = (await made.json()) as { table: string };
  const socket = new WebSocket(`${root.replace('http', 'ws')}socket`);
  await new Promise<void>((done, failed) => {
    socket.onerror = () => failed(new Error('the socket failed'));
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', table, token: null, known: null }));
    socket.onmessage = ({ data }) => {
      const heard = JSON.parse(String(data)) as { type: string; table?: { status: string } };
      if (heard.type === 'refused') failed(new Error(String(data)));
      else if (heard.table?.status === 'over') done();
    };
  });
  socket.close();
  return table;
}
