/** Why something cannot be done, in terms of what the player has and what is needed. */
import { named, t } from '../i18n/index.svelte.ts';
import type { TableModel } from '../lib/table.svelte.ts';
import type { RouteFact } from '../protocol.gen.ts';
import { colorName } from '../ui/naming.ts';

export function whyNot(reason: string): string {
  return named('why', reason, t('why.other'));
}

/** Why a route cannot be claimed by this seat now. */
export function whyNoRoute(model: TableModel, route: RouteFact, reason: string): string {
  const hand = model.own?.hand ?? {};
  const locomotives = hand.locomotive ?? 0;
  const trains = model.public?.seats[model.seat ?? 0]?.trains ?? 0;
  if (reason === 'too_few_trains') return t('why.trains', { length: route.length, trains });
  if (reason === 'ferry_locomotives') return t('why.ferry', { ferry: route.ferry, locomotives });
  if (reason === 'too_few_cards' && route.color !== 'gray') {
    const count = hand[route.color] ?? 0;
    return t('why.cards', { length: route.length, color: colorName(route.color), count, locomotives });
  }
  if (reason === 'too_few_cards') return t('why.gray', { length: route.length });
  return whyNot(reason);
}

/** A refusal of the server. */
export function refusalText(refused: { code: string; reason?: string | null }): string {
  if (refused.reason) return whyNot(refused.reason);
  return named('code', refused.code, t('code.unknown', { code: refused.code }));
}

