/** The acts of a finale: ticket by ticket, the longest route, the winner. They are made of what the server found. */
import type { Edition } from '../lib/edition.ts';
import type { Finale, Result } from '../protocol.gen.ts';

interface Common {
  /** The points of every seat after this act. */
  readonly totals: readonly number[];
}
export type Act = Common &
  (
    | { readonly kind: 'routes' }
    | {
        readonly kind: 'ticket';
        readonly seat: number;
        readonly ticket: string;
        readonly done: boolean;
        readonly points: number;
        /** The way of a completed ticket, and those of its routes that stations borrowed. */
        readonly way: readonly string[];
        readonly borrowed: readonly string[];
      }
    | { readonly kind: 'longest'; readonly seats: readonly number[]; readonly length: number; readonly points: number }
    | { readonly kind: 'winner'; readonly winners: readonly number[]; readonly decided: Finale['decided'] }
  );

/** Return the acts: who has fewest points shows tickets first, and failed ones come before completed ones. */
export function actsOf(result: Result, finale: Finale, edition: Edition): Act[] {
  const { scores } = result;
  let totals = scores.map((score) => score.routes + score.stations);
  const acts: Act[] = [{ kind: 'routes', totals }];
  const order = scores.map((_, seat) => seat).sort((a, b) => scores[a]!.total - scores[b]!.total || a - b);
  const add = (seats: readonly number[], points: number) => {
    totals = totals.map((total, seat) => (seats.includes(seat) ? total + points : total));
  };
  for (const seat of order) {
    const score = scores[seat]!;
    const borrowed = new Set(Object.values(score.borrowed));
    const worth = (ticket: string) => edition.tickets.get(ticket)?.points ?? 0;
    const sorted = (tickets: readonly string[]) => [...tickets].sort((a, b) => worth(a) - worth(b));
    for (const ticket of [...sorted(score.failed), ...sorted(score.completed)]) {
      const done = score.completed.includes(ticket);
      const way = (done ? finale.ways[seat]?.[ticket] : undefined) ?? [];
      const points = done ? worth(ticket) : -worth(ticket);
      add([seat], points);
      acts.push({
        kind: 'ticket',
        seat,
        ticket,
        done,
        points,
        way,
        borrowed: way.filter((route) => borrowed.has(route)),
        totals,
      });
    }
  }
  const longest = scores.flatMap((score, seat) => (score.bonus > 0 ? [seat] : []));
  if (longest.length) {
    const { bonus, longest: length } = scores[longest[0]!]!;
    add(longest, bonus);
    acts.push({ kind: 'longest', seats: longest, length, points: bonus, totals });
  }
  acts.push({ kind: 'winner', winners: result.winners, decided: finale.decided, totals });
  return acts;
}

export const LEAD_PARTS = ['routes', 'tickets', 'stations', 'bonus'] as const;

/** Return by how much the winner leads the next seat, and in what most; null where several have won or somebody is equal. */
export function leadOf({
  scores,
  winners,
}: Result): { readonly points: number; readonly over: number; readonly part: (typeof LEAD_PARTS)[number] } | null {
  const [winner] = winners;
  if (winners.length !== 1 || scores.length < 2) return null;
  const best = scores[winner!]!;
  const others = scores.map((_, seat) => seat).filter((seat) => seat !== winner);
  const over = others.reduce((next, seat) => (scores[seat]!.total > scores[next]!.total ? seat : next));
  const points = best.total - scores[over]!.total;
  const part = [...LEAD_PARTS].sort((a, b) => best[b] - scores[over]![b] - (best[a] - scores[over]![a]))[0]!;
  return points > 0 ? { points, over, part } : null;
}

const TICKETS = 14_000; // milliseconds for all tickets together
const LEAST = 500;
const MOST = 1_300;

/** Return how long an act is shown, in milliseconds; the winner stays. */
export function lengthOf(act: Act, acts: readonly Act[], finale: Finale): number | null {
  switch (act.kind) {
    case 'routes':
      return 1_000;
    case 'ticket':
      return Math.max(LEAST, Math.min(MOST, TICKETS / acts.filter((one) => one.kind === 'ticket').length));
    case 'longest':
      return Math.max(2_000, 220 * (finale.trails[act.seats[0]!]?.length ?? 0) + 800);
    case 'winner':
      return null;
  }
}

export const FACTS = ['ticket', 'longest', 'routes'] as const;

/** Something worth telling of a game: who did it, what it was, and how much. */
export interface Fact {
  readonly kind: (typeof FACTS)[number];
  readonly seat: number;
  readonly what: string;
  readonly count: number;
}

/** Return three facts of a game: its best ticket, its longest route, and who had most for routes. */
export function factsOf({ scores }: Result, edition: Edition): Fact[] {
  const facts: Fact[] = [];
  const tickets = scores.flatMap((score, seat) =>
    score.completed.map((id) => ({ seat, what: edition.ticketName(id), count: edition.tickets.get(id)?.points ?? 0 })),
  );
  const best = tickets.reduce<(typeof tickets)[number] | null>((a, b) => (a && a.count >= b.count ? a : b), null);
  if (best) facts.push({ kind: 'ticket', ...best });
  const most = (of: 'longest' | 'routes') =>
    scores.reduce((found, score, seat) => (score[of] > scores[found]![of] ? seat : found), 0);
  for (const kind of ['longest', 'routes'] as const) {
    const seat = most(kind);
    facts.push({ kind, seat, what: '', count: scores[seat]?.[kind] ?? 0 });
  }
  return facts;
}
