/** The legal moves of a seat, sorted by what they are about. The server has made the list. */

export interface Payment {
  /** The text that the server takes. */
  readonly action: string;
  readonly cards: readonly string[];
  /** The colour that is paid with; `locomotive` when only those are. */
  readonly color: string;
  readonly locomotives: number;
}

export interface Menu {
  readonly draw: boolean;
  readonly tickets: boolean;
  readonly pass: boolean;
  readonly withdraw: boolean;
  readonly takes: ReadonlySet<string>;
  readonly keeps: ReadonlySet<string>;
  readonly claims: ReadonlyMap<string, readonly Payment[]>;
  readonly stations: ReadonlyMap<string, readonly Payment[]>;
  readonly pays: readonly Payment[];
}

type Plain = 'draw' | 'tickets' | 'pass' | 'withdraw' | 'take' | 'pay';
/** A move by its parts; of `keep` the numbers of the tickets, from 1 on. */
export type Move =
  | { readonly verb: 'claim' | 'station'; readonly target: string; readonly cards: readonly string[] }
  | { readonly verb: 'keep'; readonly kept: readonly number[]; readonly cards: readonly [] }
  | { readonly verb: Plain; readonly cards: readonly string[] };

export function readMove(action: string): Move {
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

/** The cheapest in locomotives first. */
function inOrder(payments: Payment[]): Payment[] {
  return payments.sort((a, b) => a.locomotives - b.locomotives);
}

export function readMoves(actions: readonly string[]): Menu {
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
      const ways = verb === 'claim' ? claims : stations;
      ways.set(target, [...(ways.get(target) ?? []), payment(action, cards)]);
    } else alone.add(verb);
  }
  for (const ways of [...claims.values(), ...stations.values(), pays]) inOrder(ways);
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

/** The routes or cities that can be paid with cards of a colour. */
export function payableWith(ways: Menu['claims'], color: string | null): Set<string> {
  const found = [...ways].filter(
    ([, payments]) => color === null || payments.some((one) => uses(one, color)),
  );
  return new Set(found.map(([id]) => id));
}

/** Whether a payment is one with that colour; locomotives: those that are paid with them alone. */
export function uses(payment: Payment, color: string): boolean {
  return payment.color === color;
}

/** The text that keeps these tickets of an offer (numbers from 1 on), the others in this order. */
export function keeping(kept: readonly number[], back: readonly number[] = []): string {
  const numbers = kept.length ? [...kept].sort((a, b) => a - b).join(' ') : 'none';
  const sorted = back.every((number, at) => at === 0 || (back[at - 1] ?? 0) < number);
  return `keep ${numbers}${sorted ? '' : ` back ${back.join(' ')}`}`;
}

/** Equal cards together: what a row of small pictures shows. */
export function grouped(cards: readonly (string | null)[]): [string | null, number][] {
  const counts = new Map<string | null, number>();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return [...counts];
}
