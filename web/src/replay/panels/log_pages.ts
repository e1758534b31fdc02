/** The log of a film in pages, so that it need not be drawn at once. */
import type { FilmLine } from '../film_session.svelte.ts';

/** A line with the number of the turn that begins with it, if one does. */
export interface PagedLine {
  readonly line: FilmLine;
  readonly turn: number | null;
}
export type LogPage = readonly PagedLine[];

/** Lines of a page; the lines of one frame stay together. */
const LINES = 6;

/** Return the pages of a log. */
export function pagesOf(lines: readonly FilmLine[], turnAt: (frame: number) => number): LogPage[] {
  const pages: PagedLine[][] = [];
  let before: FilmLine | undefined;
  for (const line of lines) {
    const page = pages.at(-1);
    const turn = turnAt(line.frame);
    const paged = { line, turn: turn > 0 && turn !== turnAt(before?.frame ?? 0) ? turn : null };
    if (page && (page.length < LINES || line.frame === before?.frame)) page.push(paged);
    else pages.push([paged]);
    before = line;
  }
  return pages;
}

/** Return the number of the page on which a frame's lines are; where it has none, of the last page before it. */
export function pageOf(pages: readonly LogPage[], frame: number): number {
  return Math.max(
    0,
    pages.findLastIndex((page) => page[0]!.line.frame <= frame),
  );
}
