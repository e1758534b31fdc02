/** Reasons why something cannot be done, in terms of what the player has and what is needed. */
import { named, t } from '../i18n/index.svelte.ts';
import type { TableModel } from '../lib/table.svelte.ts';
import type { RouteFact } from '../protocol.gen.ts';
import { cardsText } from '../ui/names.ts';

/** What comes first in a phase in which nothing else can be done. */
export const FIRST: Readonly<Record<string, string>> = {
  start: 'tickets_first',
  tickets: 'offer_first',
  tunnel: 'tunnel_first',
  second_card: 'second_card_first',
};

/** Return the text of a reason that the server names. */
export function reasonText(reason: string): string {
  return named('why', reason, t('why.other'));
}

/** Return the reason why a route cannot be claimed, where there is one: the server names them while it is this player's turn. */
export function claimBar(model: TableModel, route: string): string | undefined {
  return model.barred[`claim ${route}`] ?? (route in model.owners ? 'route_claimed' : undefined);
}

/** Return why this seat cannot claim a route now, with its own numbers where they matter. */
export function routeReason(model: TableModel, route: RouteFact, reason: string): string {
  const hand = model.own?.hand ?? {};
  const locomotives = hand.locomotive ?? 0;
  const trains = model.public?.seats[model.seat ?? 0]?.trains ?? 0;
  if (reason === 'too_few_trains') return t('why.trains', { length: route.length, trains });
  if (reason === 'ferry_locomotives') return t('why.ferry', { ferry: route.ferry, locomotives });
  if (reason === 'too_few_cards' && route.color !== 'gray') {
    return t('why.cards', {
      needed: cardsText(route.color, route.length),
      held: cardsText(route.color, hand[route.color] ?? 0),
      locomotives: cardsText('locomotive', locomotives),
    });
  }
  if (reason === 'too_few_cards') return t('why.gray', { length: route.length });
  return reasonText(reason);
}

/** Return the text of a command that the server refused. */
export function refusalText(refused: { code: string; reason?: string | null }): string {
  if (refused.reason) return reasonText(refused.reason);
  return named('code', refused.code, t('code.unknown', { code: refused.code }));
}
