/** A first real game: against one easy bot, and each rule is explained when it first occurs, never twice. */
import type { NewTable } from '../pages/new_table.svelte.ts';
import type { Edition } from '../lib/edition.ts';
import type { Entry } from '../lib/log.ts';
import { load, save } from '../lib/storage.ts';
import type { RULES } from '../table/facts/rules_now.ts';

type Rule = (typeof RULES)[number];
type GameEvent = Extract<Entry, { events: unknown }>['events'][number];

/** What everybody knows of the players: the routes that each of them can never claim any more. */
export type Closed = readonly { readonly closed: readonly string[] }[];

/** Return the rules that an event shows at work, the most telling first. */
export function rulesOf(event: GameEvent, edition: Edition, seats: Closed): Rule[] {
  switch (event.event) {
    case 'take':
      return event.card === 'locomotive' ? ['4.3'] : ['4.2'];
    case 'draw':
      return ['4.1'];
    case 'flush':
      return ['4.6'];
    case 'shuffle':
      return ['4.8'];
    case 'offer':
      return ['8.1'];
    case 'keep':
      return ['8.3'];
    case 'tunnel':
      return event.extra ? ['7.2', '7.1'] : ['7.8', '7.1'];
    case 'withdraw':
      return ['7.4'];
    case 'station':
      return ['9.3', '9.1'];
    case 'last_round':
      return ['10.2'];
    case 'pass':
      return ['3.2'];
    case 'claim': {
      const route = edition.routes.get(event.route);
      const twin = edition.document.twins[event.route];
      const others = seats.filter((_, seat) => seat !== event.player);
      const shut = twin !== undefined && others.some(({ closed }) => closed.includes(twin));
      return [
        ...(route?.ferry ? (['6.1'] as const) : []),
        ...(shut ? (['5.7'] as const) : twin ? (['5.6'] as const) : []),
        '5.4',
        '10.1',
        '5.3',
      ];
    }
    default:
      return [];
  }
}

/** Whether nobody has played or learnt here yet. */
export const isNewcomer = (): boolean => load('visited') === null && load('games') === null;
export const noteVisit = (): void => save('visited', '1');

/** Set up a first game: one easy bot, everything can be taken back, and rules are explained; returns its table. */
export async function beginFirstGame(table: NewTable): Promise<string | null> {
  await table.loadOfferings();
  noteVisit();
  save('explain', '1');
  const bot = table.easiestBot;
  return table.create({
    seats: [
      { kind: 'person', name: table.playerName, portrait: table.portrait },
      { kind: 'bot', bot },
    ],
    stand_in: bot,
    practice: true,
  });
}

export const explains = (): boolean => load('explain') === '1';
export const explainNoMore = (): void => save('explain', '0');
const known = (): string[] => (load('explained') ?? '').split(',').filter(Boolean);

/** Return the first rule of some events that has not been explained on this device yet. */
export function firstNew(entries: readonly Entry[], edition: Edition, seats: Closed): Rule | null {
  const told = known();
  for (const entry of entries) {
    if (entry.entry !== 'decided') continue;
    for (const event of entry.events) {
      const rule = rulesOf(event, edition, seats).find((one) => !told.includes(one));
      if (rule) return rule;
    }
  }
  return null;
}

/** Remember that a rule was explained. */
export function noteExplained(rule: Rule): void {
  save('explained', [...new Set([...known(), rule])].join(','));
}
