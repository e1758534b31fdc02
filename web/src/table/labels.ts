/** Labels of players, routes and cities, for the page and for screen readers. */
import type { Target } from '../board/input/hit_test.ts';
import { t } from '../i18n/index.svelte.ts';
import type { TableModel } from '../lib/table.svelte.ts';
import { seatName, spacesText } from '../ui/names.ts';
import { claimBar, routeReason } from './reasons.ts';

export function playerName(model: TableModel, seat: number): string {
  return seatName(model.table?.seats, seat);
}

/** Return length, colour, kind and points of a route. */
export function routeFacts(model: TableModel, id: string): string {
  const route = model.edition?.routes.get(id);
  if (!route || !model.edition) return '';
  const parts = [
    spacesText(route.color, route.length),
    route.tunnel ? t('route.tunnel') : '',
    route.ferry ? t('route.ferry', { count: route.ferry }) : '',
    t('route.points', { count: model.edition.points(route.length) }),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Return what a screen reader says of a route; `open`: it can be claimed now. */
export function routeLabel(model: TableModel, id: string, open: boolean): string {
  const owner = model.owners[id];
  const claimed = owner === undefined ? '' : playerName(model, owner);
  return [model.edition?.routeName(id), routeFacts(model, id), claimed, open ? t('route.open') : '']
    .filter(Boolean)
    .join(', ');
}

export function cityLabel(model: TableModel, id: string): string {
  const owner = model.stations[id];
  const city = model.edition?.cityName(id) ?? id;
  return owner === undefined ? city : t('station.owned', { city, name: playerName(model, owner) });
}

/** Return the caption of what the mouse points at, with the reason why it cannot be claimed. */
export function caption(model: TableModel, target: Target | null): string {
  if (!target || !model.edition) return '';
  if (target.kind === 'city') return cityLabel(model, target.id);
  const route = model.edition.routes.get(target.id);
  const barred = claimBar(model, target.id);
  const owner = model.owners[target.id];
  const more =
    owner !== undefined ? playerName(model, owner) : route && barred ? routeReason(model, route, barred) : '';
  return [model.edition.routeName(target.id), routeFacts(model, target.id), more].filter(Boolean).join(' · ');
}
