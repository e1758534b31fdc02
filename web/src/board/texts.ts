/** Texts of the board. The application passes those of its catalogue; tests use English. */

import type { Picture } from './picture.ts';

export interface Texts {
  readonly board: string;
  readonly routes: string;
  readonly cities: string;
  readonly zoom: string;
  readonly closer: string;
  readonly further: string;
  readonly whole: string;
}

export const ENGLISH: Texts = {
  board: 'Board',
  routes: 'Routes',
  cities: 'Cities',
  zoom: 'Zoom',
  closer: 'Zoom in',
  further: 'Zoom out',
  whole: 'Whole board',
};

export function inEnglish(picture: Picture): { route: (id: string) => string; city: (id: string) => string } {
  const cities = new Map(picture.cities.map((city) => [city.id, city.name]));
  const routes = new Map(picture.routes.map((route) => [route.id, route]));
  const city = (id: string): string => cities.get(id) ?? id;
  return {
    city,
    route: (id) => {
      const route = routes.get(id);
      if (!route) return id;
      const kinds = [route.tunnel ? 'tunnel' : '', route.ferry.length ? `ferry ${route.ferry.length}` : ''];
      return [`${city(route.a)} – ${city(route.b)}`, String(route.length), route.color, ...kinds]
        .filter(Boolean)
        .join(', ');
    },
  };
}
