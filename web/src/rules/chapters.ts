/** The rules of an edition as a page to read: chapters of numbered sentences, with what its board has. */
import type { Edition } from '../lib/edition.ts';
import { RULES } from '../table/facts/rules_now.ts';
import { ruleText } from './rule_text.ts';

export const CHAPTERS = [
  'start',
  'turn',
  'cards',
  'routes',
  'ferries',
  'tunnels',
  'tickets',
  'stations',
  'end',
  'known',
] as const;
export type ChapterName = (typeof CHAPTERS)[number];
type Rule = (typeof RULES)[number];

const CONTENTS: Record<ChapterName, readonly Rule[]> = {
  start: ['2.1', '2.2', '2.3', '1.3', '2.4'],
  turn: ['3.1', '3.2'],
  cards: ['4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.8', '4.9'],
  routes: ['5.1', '5.2', '5.3', '5.4', '10.1', '5.5', '5.6', '5.7'],
  ferries: ['6.1'],
  tunnels: ['7.1', '7.2', '7.3', '7.4', '7.8', '7.5', '7.6', '7.7'],
  tickets: ['8.1', '8.2', '8.3'],
  stations: ['9.1', '9.2', '9.3', '10.4'],
  end: ['10.2', '10.3', '10.5', '10.6'],
  known: ['11.1'],
};

export interface Chapter {
  readonly name: ChapterName;
  readonly rules: readonly { readonly number: string; readonly text: string }[];
}

/** Return the chapters that an edition needs: nothing of tunnels, ferries, stations or doubles that its board does not have. */
export function chaptersOf(edition: Edition): Chapter[] {
  const routes = edition.document.routes;
  const has: Partial<Record<ChapterName, boolean>> = {
    ferries: routes.some((route) => route.ferry > 0),
    tunnels: routes.some((route) => route.tunnel),
    stations: edition.numbers.stations > 0,
  };
  const doubles = Object.keys(edition.document.twins).length > 0;
  const unneeded = new Set<Rule>([
    ...(doubles ? [] : (['5.6', '5.7'] as const)),
    ...(edition.numbers.deals.length > 1 ? [] : (['1.3'] as const)),
  ]);
  return CHAPTERS.filter((name) => has[name] ?? true).map((name) => ({
    name,
    rules: CONTENTS[name]
      .filter((rule) => !unneeded.has(rule))
      .map((rule) => ({ number: `R${rule}`, text: ruleText(rule, edition) })),
  }));
}

/** The rule behind each reason of a refusal (src/ferrovia/game/errors.py; a test compares them). */
export const RULE_OF: Readonly<Record<string, string>> = {
  no_such_action: 'R3.1',
  game_is_over: 'R10.2',
  not_your_turn: 'R2.4',
  tickets_first: 'R2.3',
  offer_first: 'R8.2',
  no_offer: 'R8.2',
  keep_more_at_start: 'R2.3',
  keep_more: 'R8.2',
  keep_fewer: 'R1.3',
  not_offered: 'R8.2',
  no_cards_left: 'R4.9',
  not_face_up: 'R4.1',
  locomotive_second: 'R4.4',
  second_card_first: 'R4.1',
  no_tickets_left: 'R8.1',
  route_claimed: 'R5.5',
  own_double: 'R5.6',
  closed_double: 'R5.7',
  too_few_trains: 'R5.3',
  too_few_cards: 'R5.1',
  ferry_locomotives: 'R6.1',
  wrong_payment: 'R5.1',
  payment_first: 'R3.1',
  nothing_to_pay: 'R7.2',
  tunnel_first: 'R7.4',
  wrong_extra: 'R7.2',
  no_stations_left: 'R9.1',
  city_occupied: 'R9.1',
  station_cards: 'R9.2',
  may_not_pass: 'R3.2',
};

const PATH = /^#\/rules(?:\/([A-Za-z0-9_-]{1,64}))?(?:\?rule=(R\d{1,2}\.\d{1,2}))?$/;

/** Return which edition and rule an address behind the hash sign means; null where it means no rules. */
export function parseRules(hash: string): { readonly edition: string | null; readonly rule: string | null } | null {
  const found = PATH.exec(hash);
  return found && { edition: found[1] ?? null, rule: found[2] ?? null };
}

export const rulesUrl = (root: string, edition: string, rule: string | null = null): string =>
  `${root}#/rules/${edition}${rule === null ? '' : `?rule=${rule}`}`;
