/** What an analysis says, in words: deeds, reasons and points. */
import { language, t, type Key } from '../i18n/index.svelte.ts';
import { parseMove } from '../lib/moves.ts';
import type { Edition } from '../lib/edition.ts';
import type { Reason, Sheet } from '../protocol.gen.ts';
import { cardListText } from '../ui/names.ts';

/** The reasons that the server can give (src/ferrovia/analysis/reasons.py). */
export const REASONS = [
  'completes',
  'could_be_paid',
  'drawn_and_failed',
  'few_left',
  'locomotive_is_the_turn',
  'locomotives_spent',
  'on_way',
  'only_way',
  'serves_no_ticket',
  'station_before_the_end',
  'stations_left',
  'taken_later',
  'ticket_cut_off',
  'ticket_near',
  'ticket_too_far',
  'tickets_in_last_round',
  'trains_ran_out',
  'tunnel_odds',
  'tunnel_surcharge',
  'withdrawn',
] as const;
export const PARTS = ['start', 'cards', 'tickets', 'others', 'choices'] as const;
export const DEEDS = ['draw', 'take', 'tickets', 'pay', 'withdraw', 'pass'] as const;

/** An action as the text of a button: what is done, and the cards that go with it. */
export function deedText(action: string, edition: Edition, offer: readonly string[]): string {
  const move = parseMove(action);
  const cards = move.cards.length ? `: ${cardListText(move.cards)}` : '';
  switch (move.verb) {
    case 'claim':
      return t('deed.claim', { route: edition.routeName(move.target) }) + cards;
    case 'station':
      return t('deed.station', { city: edition.cityName(move.target) }) + cards;
    case 'keep':
      if (move.kept.length === 0) return t('deed.keep_none');
      return t('deed.keep', { tickets: move.kept.map((at) => edition.ticketName(offer[at - 1] ?? '')).join(', ') });
    default:
      return t(`deed.${move.verb}` as Key) + cards;
  }
}

/** A reason as a sentence without its full stop; null for one that this client does not know. */
export function reasonText(reason: Reason, edition: Edition, playerName: (seat: number) => string): string | null {
  if (!(REASONS as readonly string[]).includes(reason.key)) return null;
  const about: Record<string, string | number> = {};
  // Where no way is left, there is no number of trains to name.
  const lost = reason.about?.['trains'] === null;
  if (lost && reason.key !== 'ticket_too_far') return null;
  const key = lost ? 'ticket_cut_off' : reason.key;
  for (const [name, value] of Object.entries(reason.about ?? {})) {
    if (name === 'route') about[name] = edition.routeName(String(value));
    else if (name === 'ticket') about[name] = edition.ticketName(String(value));
    else if (name === 'city') about[name] = edition.cityName(String(value));
    else if (name === 'seat') about[name] = playerName(Number(value));
    else about[name] = value as string | number;
  }
  return t(`reason.${key}` as Key, about);
}

/** What a part of a sheet is called: `mine`, if it is that of whoever reads. */
export function partName(part: (typeof PARTS)[number], mine: boolean): string {
  const named =
    !mine && (part === 'cards' || part === 'choices' || part === 'tickets') ? (`their_${part}` as const) : part;
  return t(`analysis_part.${named}`);
}

/** What stands out of a sheet beyond twice its error, as one sentence. */
export function summary(sheet: Sheet, mine = true): string {
  const said = (['choices', 'cards', 'tickets', 'others'] as const).flatMap((part) => {
    const points = Math.abs(sheet.whole[part] ?? 0);
    if (!points || Math.abs(sheet[part]) <= 2 * (sheet.errors[part] ?? Infinity)) return [];
    const many = part !== 'others'; // as its verb has it
    const brought = many ? 'analysis.brought' : 'analysis.brought_others';
    const cost = many ? 'analysis.cost' : 'analysis.cost_others';
    return [t(sheet[part] > 0 ? brought : cost, { part: partName(part, mine), points })];
  });
  if (!said.length) return t('analysis.nothing_sure');
  const words = said.map((text, at) => (at ? text.charAt(0).toLocaleLowerCase(language()) + text.slice(1) : text));
  return `${new Intl.ListFormat(language(), { type: 'unit', style: 'long' }).format(words)}.`;
}

/** A number with its sign, in the chosen language. */
export function signed(value: number, digits = 0): string {
  return `${value < 0 ? '−' : '+'}${decimal(Math.abs(value), digits)}`;
}

/** A number with a few digits after the point, in the chosen language. */
export function decimal(value: number, digits = 0): string {
  return new Intl.NumberFormat(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    value,
  );
}
