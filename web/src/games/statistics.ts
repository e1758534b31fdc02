/** Statistics of one's own games, by edition. */
import type { PlayedGame } from './my_games.ts';

export interface EditionStatistics {
  readonly edition: string;
  readonly games: number;
  readonly wins: number;
  /** The mean and the most of one's own points. */
  readonly mean: number;
  readonly best: number;
  readonly completed: number;
  readonly tickets: number;
  readonly longest: number;
  /** How often each route was claimed. */
  readonly routes: ReadonlyMap<string, number>;
}

/** Return the statistics of every edition that was played, the most played first. */
export function statisticsOf(games: readonly PlayedGame[]): EditionStatistics[] {
  const byEdition = new Map<string, PlayedGame[]>();
  for (const game of games) byEdition.set(game.edition, [...(byEdition.get(game.edition) ?? []), game]);
  return [...byEdition]
    .map(([edition, all]): EditionStatistics => {
      const points = all.map((game) => game.totals[game.seat] ?? 0);
      const routes = new Map<string, number>();
      for (const game of all) for (const route of game.routes) routes.set(route, (routes.get(route) ?? 0) + 1);
      return {
        edition,
        games: all.length,
        wins: all.filter((game) => game.winners.includes(game.seat)).length,
        mean: points.reduce((sum, one) => sum + one, 0) / all.length,
        best: Math.max(...points),
        completed: all.reduce((sum, game) => sum + game.completed, 0),
        tickets: all.reduce((sum, game) => sum + game.completed + game.failed, 0),
        longest: Math.max(...all.map((game) => game.longest)),
        routes,
      };
    })
    .sort((a, b) => b.games - a.games || a.edition.localeCompare(b.edition));
}

/** Return the routes that were claimed most often. */
export function favourites(routes: ReadonlyMap<string, number>, most = 5): [string, number][] {
  return [...routes].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, most);
}
