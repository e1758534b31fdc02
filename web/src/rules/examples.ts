/** What the pages of rules show: parts of a real position, found on the board that is played. */
import type { Picture, RoutePicture } from '../board/picture.ts';
import type { Edition } from '../lib/edition.ts';
import type { ChapterName } from './chapters.ts';
import positions from './positions.json';

/** A position of a recorded game: owners by route, stations by city. */
export interface Shown {
  readonly owners: Readonly<Record<string, number>>;
  readonly stations: Readonly<Record<string, number>>;
}

export type Example =
  | { readonly kind: 'route' | 'double'; readonly routes: readonly string[] }
  | { readonly kind: 'station'; readonly routes: readonly string[]; readonly city: string }
  | { readonly kind: 'longest'; readonly routes: readonly string[]; readonly trains: number };

/** Return the position that is drawn: that of a recorded game on this board, or an empty board. */
export function shownOn(board: string): Shown & { readonly longest: readonly string[] } {
  return (
    (positions as Record<string, Shown & { longest: string[] }>)[board] ?? { owners: {}, stations: {}, longest: [] }
  );
}

/** Return what is drawn beside a chapter; null where the board has nothing to show for it. */
export function exampleOf(chapter: ChapterName, edition: Edition, picture: Picture): Example | null {
  const { owners, stations, longest } = shownOn(edition.document.board);
  const { twins } = edition.document;
  const free = picture.routes.filter((route) => owners[route.id] === undefined);
  const plain = (route: RoutePicture) => !route.tunnel && !route.ferry.length;
  const show = (found: RoutePicture | undefined): Example | null =>
    found ? { kind: 'route', routes: [found.id] } : null;
  switch (chapter) {
    case 'routes': {
      const half = picture.routes.find(
        (one) => owners[one.id] !== undefined && free.some((other) => other.id === twins[one.id]),
      );
      if (half)
        return {
          kind: 'double',
          routes: [half.id, twins[half.id]!],
        };
      return show(free.find((route) => plain(route) && route.color !== 'gray' && route.length > 2));
    }
    case 'cards':
      return show(free.find((route) => plain(route) && route.color !== 'gray' && route.length === 3));
    case 'ferries':
      return show(
        free.find((route) => route.ferry.length > 0) ?? picture.routes.find((route) => route.ferry.length > 0),
      );
    case 'tunnels':
      return show(
        free.find((route) => route.tunnel && route.length > 2) ?? picture.routes.find((route) => route.tunnel),
      );
    case 'stations': {
      const city = Object.keys(stations).find((id) =>
        picture.routes.some(
          (route) =>
            (route.a === id || route.b === id) && owners[route.id] !== undefined && owners[route.id] !== stations[id],
        ),
      );
      if (!city) return null;
      return {
        kind: 'station',
        city,
        routes: picture.routes
          .filter((route) => (route.a === city || route.b === city) && owners[route.id] !== undefined)
          .map((route) => route.id),
      };
    }
    case 'end': {
      const trains = picture.routes
        .filter((route) => longest.includes(route.id))
        .reduce((sum, route) => sum + route.length, 0);
      return trains ? { kind: 'longest', routes: longest, trains } : null;
    }
    default:
      return null;
  }
}
