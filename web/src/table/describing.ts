/** Players, routes and cities in words. */
import { t } from '../i18n/index.svelte.ts';
import type { TableModel } from '../lib/table.svelte.ts';
import { colorName, seatName } from '../ui/naming.ts';
import { whyNoRoute } from './refusing.ts';

export function playerName(model: TableModel, seat: number): string {
  return seatName(model.table?.seats[seat], model.edition?.colorOf(seat) ?? '');
}

/** Length, colour, kind and points of a route. */
export function aboutRoute(model: TableModel, id: string): string {
  const route = model.edition?.routes.get(id);
  if (!route || !model.edition) return '';
  const parts = [
    t('route.spaces', { count: route.length, color: colorName(route.color) }),
    route.tunnel ? t('route.tunnel') : '',
    route.ferry ? t('route.ferry', { count: route.ferry }) : '',
    t('route.points', { count: model.edition.points(route.length) }),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** For those who do not see the map. */
export function describeRoute(model: TableModel, id: string, open: boolean): string {
  const owner = model.owners[id];
  const claimed = owner === undefined ? '' : playerName(model, owner);
  return [model.edition?.routeName(id), aboutRoute(model, id), claimed, open ? t('route.open') : ''].filter(Boolean).join(', ');
}

export function describeCity(model: TableModel, id: string): string {
  const owner = model.stations[id];
  const city = model.edition?.cityName(id) ?? id;
  return owner === undefined ? city : t('station.owned', { city, name: playerName(model, owner) });
}

/** What lies under the mouse, and why it cannot be had. */
export function captionOf(model: TableModel, thing: { kind: 'route' | 'city'; id: string } | null): string {
  if (!thing || !model.edition) return '';
  if (thing.kind === 'city') return describeCity(model, thing.id);
  const route = model.edition.routes.get(thing.id);
  const barred = model.barred[`claim ${thing.id}`];
  const owner = model.owners[thing.id];
  const more = owner !== undefined ? playerName(model, owner) : route && barred ? whyNoRoute(model, route, barred) : '';
  return [model.edition.routeName(thing.id), aboutRoute(model, thing.id), more].filter(Boolean).join(' · ');
}
