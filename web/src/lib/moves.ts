/** The legal moves of a seat, sorted by what they are about. The server makes the list. */

export interface Payment {
  /** The action that pays it, in the notation of the server. */
  readonly action: string;
  readonly cards: readonly string[];
  /** The colour of its cards; `locomotive` when it has no other cards. */
  readonly color: string;
  readonly locomotives: number;
}

export interface LegalMoves {
  readonly draw: boolean;
  readonly tickets: boolean;
  readonly pass: boolean;
  readonly withdraw: boolean;
  /** Cards of the display that can be taken. */
  readonly takes: ReadonlySet<string>;
  /** Actions that keep tickets of an offer. */
  readonly keeps: ReadonlySet<string>;
  /** Payments by route. */
  readonly claims: ReadonlyMap<string, readonly Payment[]>;
  /** Payments by city. */
  readonly stations: ReadonlyMap<string, readonly Payment[]>;
  /** Payments for the tunnel that is open. */
  readonly pays: readonly Payment[];
}

type Plain = 'draw' | 'tickets' | 'pass' | 'withdraw' | 'take' | 'pay';
/** A move in its parts; `kept` are the numbers of tickets in the offer, from 1 on. */
export type Move =
  | { readonly verb: 'claim' | 'station'; readonly target: string; readonly cards: readonly string[] }
  | { readonly verb: 'keep'; readonly kept: readonly number[]; readonly cards: readonly [] }
  | { readonly verb: Plain; readonly cards: readonly string[] };

export function parseMove(action: string): Move {
  const [verb, ...words] = action.split(' ');
  if (verb === 'claim' || verb === 'station') return { verb, target: words[0] ?? '', cards: words.slice(1) };
  if (verb !== 'keep') return { verb: verb as Plain, cards: words };
  const back = words.indexOf('back');
  return { verb, kept: (back < 0 ? words : words.slice(0, back)).map(Number).filter(Number.isInteger), cards: [] };
}

function payment(action: string, cards: readonly string[]): Payment {
  const color = cards.find((card) => card !== 'locomotive') ?? 'locomotive';
  const locomotives = cards.filter((card) => card === 'locomotive').length;
  return { action, cards, color, locomotives };
}

export function parseMoves(actions: readonly string[]): LegalMoves {
  const takes = new Set<string>();
  const keeps = new Set<string>();
  const claims = new Map<string, Payment[]>();
  const stations = new Map<string, Payment[]>();
  const pays: Payment[] = [];
  const alone = new Set<string>();
  for (const action of actions) {
    const [verb = '', ...words] = action.split(' ');
    if (verb === 'take') takes.add(words[0] ?? '');
    else if (verb === 'keep') keeps.add(action);
    else if (verb === 'pay') pays.push(payment(action, words));
    else if (verb === 'claim' || verb === 'station') {
      const [target = '', ...cards] = words;
      const targets = verb === 'claim' ? claims : stations;
      const payments = targets.get(target) ?? [];
      payments.push(payment(action, cards));
      targets.set(target, payments);
    } else alone.add(verb);
  }
  // The cheapest in locomotives first.
  for (const payments of [...claims.values(), ...stations.values(), pays]) {
    payments.sort((a, b) => a.locomotives - b.locomotives);
  }
  return {
    draw: alone.has('draw'),
    tickets: alone.has('tickets'),
    pass: alone.has('pass'),
    withdraw: alone.has('withdraw'),
    takes,
    keeps,
    claims,
    stations,
    pays,
  };
}

/** Return the routes or cities that can be paid for with cards of a colour, null meaning any. */
export function payableWith(targets: LegalMoves['claims'], color: string | null): Set<string> {
  const found = [...targets].filter(
    ([, payments]) => color === null || payments.some((payment) => payment.color === color),
  );
  return new Set(found.map(([id]) => id));
}

/** Return the action that keeps tickets of an offer, by number from 1 on, and puts the others `back` in this order. */
export function keepAction(kept: readonly number[], back: readonly number[] = []): string {
  const numbers = kept.length ? [...kept].sort((a, b) => a - b).join(' ') : 'none';
  const sorted = back.every((number, at) => at === 0 || (back[at - 1] ?? 0) < number);
  return `keep ${numbers}${sorted ? '' : ` back ${back.join(' ')}`}`;
}

/** Return every kind of card with its count, in the order of first appearance. */
export function countCards(cards: readonly (string | null)[]): [string | null, number][] {
  const counts = new Map<string | null, number>();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return [...counts];
}
