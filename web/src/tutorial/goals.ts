/** Whether what a learner did meets the goal of a step; any move that does it counts. */
import type { Edition } from '../lib/edition.ts';
import type { Entry } from '../lib/log.ts';
import type { Goal, OwnState } from '../protocol.gen.ts';

export interface Doing {
  readonly edition: Edition;
  readonly seat: number;
  /** The tickets that were completed when the step began. */
  readonly doneBefore: ReadonlySet<string>;
  readonly own: OwnState | null;
}

/** What has come of a step: nothing yet, the goal, or another move. */
export type Outcome = 'open' | 'met' | 'otherwise';

/** Return what the decisions since the step began have come to. */
export function outcomeOf(goal: Goal, since: readonly Entry[], doing: Doing): Outcome {
  const events = since.flatMap((entry) => (entry.entry === 'decided' && entry.seat === doing.seat ? entry.events : []));
  const own = events.filter((event) => !('player' in event) || event.player === doing.seat);
  if (!own.length) return 'open';
  switch (goal.does) {
    case 'any':
      return 'met';
    case 'keep':
      return own.some((event) => event.event === 'keep') ? 'met' : 'open';
    case 'tickets': {
      if (!own.some((event) => event.event === 'offer')) return 'otherwise';
      return own.some((event) => event.event === 'keep') ? 'met' : 'open';
    }
    case 'station':
      return own.some((event) => event.event === 'station') ? 'met' : 'otherwise';
    case 'cards': {
      const drawn = own.filter((event) => event.event === 'take' || event.event === 'draw');
      if (!drawn.length) return 'otherwise';
      const alone = drawn.some((event) => event.event === 'take' && event.card === 'locomotive');
      return alone || drawn.length >= (goal.cards ?? 2) ? 'met' : 'open';
    }
    case 'claim': {
      const tried = own.find((event) => event.event === 'tunnel' || event.event === 'claim');
      if (!tried || !('route' in tried)) return 'otherwise';
      const route = doing.edition.routes.get(tried.route);
      if (goal.tunnel) return route?.tunnel ? 'met' : 'otherwise';
      if (!own.some((event) => event.event === 'claim'))
        return own.some((event) => event.event === 'withdraw') ? 'otherwise' : 'open';
      if (goal.ferry) return route?.ferry ? 'met' : 'otherwise';
      if (goal.completes)
        return doing.own?.tickets.some((ticket) => ticket.done && !doing.doneBefore.has(ticket.id))
          ? 'met'
          : 'otherwise';
      return 'met';
    }
  }
}

/** How somebody works the table: by mouse, by touch, or by keys. */
export type Device = 'mouse' | 'touch' | 'keys';

/** Return the text of a step in a language, for a device. */
export function textFor(
  step: { text: Texts; touch?: Texts | null; keys?: Texts | null },
  device: Device,
  language: string,
): string {
  const texts = (device === 'touch' ? step.touch : device === 'keys' ? step.keys : null) ?? step.text;
  return inLanguage(texts, language);
}

export type Texts = Readonly<Record<string, string>>;
export const inLanguage = (texts: Texts, language: string): string => texts[language] ?? texts['en'] ?? '';
