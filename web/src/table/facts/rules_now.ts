/** The rules that matter at a moment, by their numbers; the texts are short, in our words. */
import { ruleText } from '../../rules/rule_text.ts';
import type { TableSession } from '../session.svelte.ts';

export interface RuleNote {
  /** As the rules number it: R7.2. */
  readonly number: string;
  readonly text: string;
}

/** All rules that have a text here. */
export const RULES = [
  '1.3',
  '2.1',
  '2.2',
  '2.3',
  '2.4',
  '3.1',
  '3.2',
  '4.1',
  '4.2',
  '4.3',
  '4.4',
  '4.5',
  '4.6',
  '4.8',
  '4.9',
  '5.1',
  '5.2',
  '5.3',
  '5.4',
  '5.5',
  '5.6',
  '5.7',
  '6.1',
  '7.1',
  '7.2',
  '7.3',
  '7.4',
  '7.5',
  '7.6',
  '7.7',
  '7.8',
  '8.1',
  '8.2',
  '8.3',
  '9.1',
  '9.2',
  '9.3',
  '10.1',
  '10.2',
  '10.3',
  '10.4',
  '10.5',
  '10.6',
  '11.1',
] as const;
type Rule = (typeof RULES)[number];

const DOUBLES: readonly Rule[] = ['5.6', '5.7'];
const TUNNELS: readonly Rule[] = ['7.1', '7.2', '7.3', '7.4', '7.6', '7.7'];

/** Return the rules of what the viewer is about to do, of what everybody waits for, or of the score. */
export function rulesNow(session: TableSession): RuleNote[] {
  const { edition } = session;
  if (!edition) return [];
  return rules(session).map((number) => ({ number: `R${number}`, text: ruleText(number, edition) }));
}

function rules(session: TableSession): Rule[] {
  const { edition, phase } = session;
  const { choice } = session.choices;
  const stations = (edition?.numbers.stations ?? 0) > 0;
  const last: Rule[] = session.game?.turns_left == null ? [] : ['10.2'];
  if (session.over) return ['10.3', ...(stations ? (['10.4'] as const) : []), '10.5', '10.6'];
  if (choice?.kind === 'route') {
    const route = edition?.routes.get(choice.id);
    return [
      '5.1',
      '5.2',
      '5.3',
      ...(route?.ferry ? (['6.1'] as const) : []),
      ...(route?.tunnel ? TUNNELS : []),
      ...(edition?.document.twins[choice.id] ? DOUBLES : []),
    ];
  }
  if (choice?.kind === 'city' || session.choices.building) return ['9.1', '9.2', '9.3', '10.4'];
  if (choice?.kind === 'tickets') return ['8.1', '8.2', '10.3'];
  if (phase === 'tunnel') return ['7.2', '7.3', '7.4', '7.5', '7.7'];
  if (session.offering) return phase === 'start' ? ['2.3', '8.3', '10.3'] : ['8.2', '8.3', '10.3'];
  if (session.passing) return ['3.2'];
  if (phase === 'second_card') return ['4.1', '4.2', '4.4', '4.5', '4.6'];
  if (session.turn)
    return [
      ...last,
      '3.1',
      '4.1',
      '4.3',
      '5.1',
      '5.2',
      '5.5',
      ...DOUBLES,
      '8.1',
      ...(stations ? (['9.1'] as const) : []),
    ];
  return [...last, '3.1', '4.6', '4.8', '11.1', '8.3'];
}
