/** What a puzzle says: its question, its answers, and what each of them leads to. */
import { decimal, deedText, reasonText, signed } from '../analysis/words.ts';
import { t, type Key } from '../i18n/index.svelte.ts';
import type { Edition } from '../lib/edition.ts';
import type { Answer, Puzzle } from '../protocol.gen.ts';
import { botCalled, cardsText } from '../ui/names.ts';

/** Return what is asked. */
export function questionText(puzzle: Puzzle, edition: Edition): string {
  const about = puzzle.about as Record<string, string>;
  const route = about['route'] ?? '';
  return t(`puzzle.ask_${puzzle.kind}` as Key, {
    trains: puzzle.trains,
    ticket: edition.ticketName(about['ticket'] ?? ''),
    route: edition.routeName(route),
    cards: cardsText(about['card'] ?? null, edition.routes.get(route)?.length ?? 0),
  });
}

/** Return an answer as it stands on its button. */
export function answerText(answer: Answer, puzzle: Puzzle, edition: Edition): string {
  switch (puzzle.kind) {
    case 'move':
      return deedText(answer.answer, edition, []);
    case 'trail':
      return edition.routeName(answer.answer);
    case 'station':
      return edition.cityName(answer.answer);
    case 'finish':
      return edition.ticketName(answer.answer);
    case 'tunnel':
      return `${answer.answer} %`;
    default:
      return answer.answer;
  }
}

/** Return what an answer leads to, in lines: of a wrong one its refutation. */
export function outcomeLines(answer: Answer, puzzle: Puzzle, edition: Edition): string[] {
  const right = puzzle.answers.find((one) => one.right)!;
  switch (puzzle.kind) {
    case 'move':
      return moveLines(answer, puzzle, edition);
    case 'way':
      return [
        t('puzzle.shows_way', {
          trains: right.value,
          way: right.shows!.map((id) => edition.routeName(id)).join(', '),
        }),
      ];
    case 'tunnel':
      return [t('puzzle.shows_tunnel', { percent: right.value })];
    case 'trail':
      return [t('puzzle.shows_trail', { route: edition.routeName(answer.answer), trains: answer.value })];
    case 'station':
      return [t('puzzle.shows_station', { city: edition.cityName(answer.answer), points: answer.value })];
    case 'finish': {
      const ticket = edition.ticketName(answer.answer);
      return [
        answer.value < 0
          ? t('puzzle.shows_no_way', { ticket })
          : t('puzzle.shows_finish', { ticket, trains: answer.value, left: puzzle.trains }),
      ];
    }
  }
}

/** What a move costs beside the best one, and how the worlds after it end. */
function moveLines(answer: Answer, puzzle: Puzzle, edition: Edition): string[] {
  const { judged } = answer;
  if (!judged) return [t('puzzle.best', { points: answer.value })];
  const { points, wins, lead } = judged;
  if (answer.right) return [t('puzzle.within', { points: signed(-points.mean, 1), wins: signed(-100 * wins.mean) })];
  const cost = (value: number) => decimal(value, 1);
  const percent = (share: number) => decimal(100 * share);
  const best = puzzle.answers.find((one) => one.right && !one.judged)?.answer.split(' ')[1] ?? '';
  return [
    t('puzzle.costs', {
      points: cost(points.mean),
      low: cost(points.low),
      high: cost(points.high),
      wins: percent(wins.mean),
      win_low: percent(wins.low),
      win_high: percent(wins.high),
      lead: cost(lead.mean),
    }),
    ...(judged.finished ?? []).map((one) =>
      t('puzzle.finished', { ticket: edition.ticketName(one.ticket), here: one.here, best: one.best }),
    ),
    ...(judged.taken == null ? [] : [t('puzzle.taken', { route: edition.routeName(best), percent: judged.taken })]),
    ...(judged.reasons ?? []).flatMap((reason) => {
      const words = reasonText(reason, edition, (seat) => t('replay.player', { number: seat + 1 }));
      return words ? [`${words.charAt(0).toLocaleUpperCase()}${words.slice(1)}.`] : [];
    }),
  ];
}

/** Return how the judges of a move came to their verdict; empty for a puzzle that needs none. */
export function judgesText({ judges }: Puzzle): string {
  if (!judges) return '';
  return t('puzzle.judges', {
    first: botCalled(judges.first),
    worlds: judges.first_worlds,
    second: botCalled(judges.second),
    more: judges.second_worlds,
    points: judges.points,
    wins: Math.round(100 * judges.wins),
  });
}
