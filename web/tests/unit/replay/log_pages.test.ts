import { describe, expect, test } from 'vitest';
import type { FilmLine } from '../../../src/replay/film_session.svelte.ts';
import { pageOf, pagesOf } from '../../../src/replay/panels/log_pages.ts';

const line = (frame: number) => ({ frame }) as FilmLine;
/** Two steps a turn; the deal and the set-up are turn 0. */
const turnAt = (frame: number) => Math.ceil(frame / 2);
const frames = [0, 0, 0, ...Array.from({ length: 90 }, (_, at) => at + 1)].flatMap((frame) =>
  frame % 7 === 6 ? [frame, frame, frame] : [frame],
);

describe('the log of a film in pages', () => {
  const pages = pagesOf(frames.map(line), turnAt);

  test('has every line once, in its order, on short pages', () => {
    expect(pages.flat().map((one) => one.line.frame)).toEqual(frames);
    expect(pages.length).toBeGreaterThan(5);
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThan(16);
  });

  test('keeps the lines of a frame together, so that a frame is on one page', () => {
    for (const frame of new Set(frames)) {
      const on = pages.flatMap((page, at) => (page.some((one) => one.line.frame === frame) ? [at] : []));
      expect(on, `frame ${frame}`).toEqual([pageOf(pages, frame)]);
    }
  });

  test('tells each turn where it begins, and no set-up', () => {
    const turns = pages.flat().flatMap((one) => (one.turn === null ? [] : [[one.turn, one.line.frame]]));
    expect(turns).toEqual(Array.from({ length: 45 }, (_, at) => [at + 1, 2 * at + 1]));
  });

  test('a frame without lines is where the last before it is; an empty log has no pages', () => {
    const sparse = pagesOf([0, 4, 9].map(line), turnAt);
    expect([pageOf(sparse, 2), pageOf(sparse, 99)]).toEqual([0, 0]);
    expect(pageOf(pagesOf([], turnAt), 3)).toBe(0);
  });
});
