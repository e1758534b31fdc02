import { describe, expect, test } from 'vitest';
import { Connection, type Link, type Timers } from '../../../src/connection/connection.ts';
import type { FromServer } from '../../../src/protocol.gen.ts';
import { FakeSocket } from '../support/socket.ts';

class FakeTimers implements Timers {
  timers: { wait: number; act: () => void; off: boolean }[] = [];
  after(wait: number, act: () => void) {
    const timer = { wait, act, off: false };
    this.timers.push(timer);
    return timer;
  }
  cancel(timer: unknown) {
    (timer as { off: boolean }).off = true;
  }
  /** The timers that are set, all at once. */
  ring() {
    const due = this.timers.filter((timer) => !timer.off);
    this.timers = [];
    for (const timer of due) timer.act();
    return due.map((timer) => timer.wait);
  }
}

function connected() {
  const sockets: FakeSocket[] = [];
  const clock = new FakeTimers();
  const links: Link[] = [];
  const received: FromServer[] = [];
  let known = 0;
  let ids = 0;
  const connection = new Connection({
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    table: 't',
    token: 'secret',
    known: () => known,
    newId: () => `id${(ids += 1)}`,
    onMessage: (message) => {
      received.push(message);
      if (message.type === 'state') known = message.number;
    },
    onLink: (link) => links.push(link),
    timers: clock,
  });
  connection.start();
  const last = () => sockets.at(-1)!;
  const welcome = (number: number) => {
    last().onopen?.();
    last().say({ type: 'state', number, since: 0, entries: [] });
  };
  return { connection, sockets, clock, links, received, last, welcome };
}

describe('the connection', () => {
  test('says hello first, with what it knows', () => {
    const { last, welcome, links } = connected();
    welcome(3);
    expect(last().sent).toEqual([{ type: 'hello', table: 't', token: 'secret', known: 0 }]);
    expect(links).toEqual(['connecting', 'open']);
  });

  test('comes back after a loss and asks for what it missed', () => {
    const { sockets, last, welcome, clock, links } = connected();
    welcome(3);
    last().onclose?.({ code: 1006 });
    expect(links.at(-1)).toBe('lost');
    clock.ring();
    welcome(5);
    expect(sockets).toHaveLength(2);
    expect(last().sent[0]).toMatchObject({ type: 'hello', known: 3 });
    expect(links.at(-1)).toBe('open');
  });

  test('a server that is replaced is back in a moment, and nobody is troubled', () => {
    const { connection, last, welcome, clock, links } = connected();
    welcome(3);
    void connection.command({ type: 'decide', action: 'draw' });
    const first = last().sent[1];
    last().onclose?.({ code: 1012 });
    expect(clock.ring()[0]).toBeLessThan(400);
    welcome(3);
    expect(last().sent[1]).toEqual(first);
    expect(links).toEqual(['connecting', 'open', 'connecting', 'connecting', 'open']);
    last().onclose?.({ code: 1012 });
    clock.ring();
    last().onclose?.({ code: 1006 });
    expect(links.at(-1)).toBe('lost');
  });

  test('waits longer with every failure, but never very long', () => {
    const { last, clock } = connected();
    const waits = Array.from({ length: 10 }, () => {
      last().onclose?.({ code: 1006 });
      return clock.ring()[0]!;
    });
    expect(waits[0]).toBeLessThan(400);
    expect(waits[3]).toBeGreaterThan(waits[0]!);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_250);
  });

  test('sends an unanswered command again, with the same id', async () => {
    const { connection, last, welcome, clock } = connected();
    welcome(3);
    const answer = connection.command({ type: 'decide', action: 'draw' });
    const first = last().sent[1];
    expect(first).toEqual({ type: 'decide', action: 'draw', id: 'id1', known: 3 });
    last().onclose?.({ code: 1006 });
    clock.ring();
    welcome(4);
    expect(last().sent[1]).toEqual(first);
    last().say({ type: 'accepted', id: 'id1', number: 4 });
    expect(await answer).toMatchObject({ type: 'accepted', number: 4 });
    last().onclose?.({ code: 1006 });
    clock.ring();
    welcome(4);
    expect(last().sent).toHaveLength(1);
  });

  test('a command given while offline goes out when the link is back', () => {
    const { connection, last, welcome } = connected();
    void connection.command({ type: 'pause' });
    welcome(1);
    expect(last().sent[1]).toMatchObject({ type: 'pause', id: 'id1' });
  });

  test('hands a refusal to whoever asked', async () => {
    const { connection, last, welcome } = connected();
    welcome(3);
    const answer = connection.command({ type: 'decide', action: 'draw' });
    last().say({ type: 'refused', id: 'id1', code: 'stale' });
    expect(await answer).toMatchObject({ type: 'refused', code: 'stale' });
  });

  test('sends again what was dropped for being too fast', () => {
    const { connection, last, welcome, clock } = connected();
    welcome(3);
    void connection.command({ type: 'pause' });
    last().say({ type: 'refused', id: null, code: 'too_fast' });
    clock.ring();
    expect(last().sent.filter((message) => message.type === 'pause')).toHaveLength(2);
  });

  test('repeats a command that the store could not take just then', async () => {
    const { connection, last, welcome, clock } = connected();
    welcome(3);
    const answer = connection.command({ type: 'pause' });
    last().say({ type: 'refused', id: 'id1', code: 'store_locked' });
    clock.ring();
    const sent = last().sent.filter((message) => message.type === 'pause');
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    last().say({ type: 'accepted', id: 'id1', number: 4 });
    expect(await answer).toMatchObject({ type: 'accepted' });
  });

  test('does not come back when it was turned away', () => {
    const { sockets, last, clock, links } = connected();
    last().onopen?.();
    last().say({ type: 'refused', id: null, code: 'no_such_table' });
    last().onclose?.({ code: 4404 });
    clock.ring();
    expect(links.at(-1)).toBe('refused');
    expect(sockets).toHaveLength(1);
  });

  test('notices a socket that has died in silence', () => {
    const { sockets, last, welcome, clock } = connected();
    welcome(3);
    clock.ring();
    expect(last().sent.at(-1)).toEqual({ type: 'ping' });
    clock.ring();
    expect(last().closed).toBe(true);
    clock.ring();
    expect(sockets).toHaveLength(2);
  });

  test('a page that was asleep finds out in a second whether its socket lives', () => {
    const { connection, sockets, last, welcome, clock } = connected();
    welcome(3);
    connection.wake();
    expect(last().sent.at(-1)).toEqual({ type: 'ping' });
    last().say({ type: 'pong', now: 1 });
    expect(sockets).toHaveLength(1);
    connection.wake();
    expect(clock.ring()).toEqual([1_000]);
    expect(sockets[0]!.closed).toBe(true);
    clock.ring();
    welcome(3);
    expect(sockets).toHaveLength(2);
  });

  test('a socket that never opens is given up, one that opened has time for its first state', () => {
    const { sockets, last, clock } = connected();
    expect(clock.ring()).toEqual([4_000]);
    expect(last().closed).toBe(true);
    clock.ring();
    expect(sockets).toHaveLength(2);
    last().onopen?.();
    expect(clock.ring()).toEqual([20_000]);
  });

  test('leaves a seat that newer windows have taken, until somebody wants it here', () => {
    const { connection, sockets, last, welcome, clock, links } = connected();
    welcome(3);
    last().onclose?.({ code: 4409 });
    expect(links.at(-1)).toBe('replaced');
    clock.ring();
    connection.wake(); // as a window does that is seen again
    expect(sockets).toHaveLength(1);
    connection.start();
    welcome(4);
    expect(sockets).toHaveLength(2);
    expect(last().sent[0]).toMatchObject({ type: 'hello', known: 3 });
    expect(links.at(-1)).toBe('open');
  });

  test('asks for a page of earlier events, and again after a loss', async () => {
    const { connection, last, welcome, clock } = connected();
    welcome(2000);
    const page = connection.history(1001);
    expect(last().sent.at(-1)).toMatchObject({ type: 'history', id: 'id1', before: 1001 });
    last().onclose?.({ code: 1006 });
    clock.ring();
    welcome(2000);
    expect(last().sent.at(-1)).toMatchObject({ type: 'history', before: 1001 });
    last().say({ type: 'history', id: 'id1', since: 0, before: 1001, entries: [] });
    expect(await page).toMatchObject({ since: 0 });
  });
});
