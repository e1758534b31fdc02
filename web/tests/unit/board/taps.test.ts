/** Fingers do not hit what they aim at: how often that does something else, on the printed boards in every layout. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { enlargement, plates } from '../../../src/board/drawing/plates.ts';
import { turned } from '../../../src/board/drawing/quarter_turn.ts';
import { HitTest } from '../../../src/board/input/hit_test.ts';
import { contentOf, type Picture } from '../../../src/board/picture.ts';
import { fit, frameOf } from '../../../src/board/zoom/view.ts';
import { layoutOf } from '../../../src/table/layout.ts';

const folder = join(import.meta.dirname, '../../../../src/ferrovia/drawing/pictures');
const boards = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Picture);

const SPREAD = 8; // pixels, in each direction
const FINGER = 18; // pixels: of Board.svelte
const PAYABLE = 12; // routes at once, in the middle of a game

/** The same numbers every time, evenly between 0 and 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Return the share of taps aimed at payable routes that open another one. */
function astray(board: Picture, width: number, height: number, turn: boolean): number {
  const picture = turn ? turned(board) : board;
  const content = contentOf(picture);
  const { insets, small } = layoutOf(width, height, content.w / content.h);
  const scale = fit(frameOf({ width, height }, insets, content));
  const boxes = plates(picture, enlargement(scale, 16, small ? 9 : 12), 16);
  const hits = new HitTest(picture);
  const next = numbers(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  let [taps, wrong] = [0, 0];
  for (let game = 0; game < 60; game += 1) {
    const payable = new Set<string>();
    while (payable.size < PAYABLE) payable.add(picture.routes[Math.floor(next() * picture.routes.length)]!.id);
    for (const id of payable) {
      const { spaces } = picture.routes.find((one) => one.id === id)!;
      const { x, y } = spaces[Math.floor(spaces.length / 2)]!;
      const at = { x: x + (normal() * SPREAD) / scale, y: y + (normal() * SPREAD) / scale };
      const hit = hits.at(at, FINGER / scale, boxes, payable);
      taps += 1;
      if (hit?.kind === 'route' && hit.id !== id && payable.has(hit.id)) wrong += 1;
    }
  }
  return wrong / taps;
}

test.each([
  [390, 844, true],
  [390, 844, false],
  [360, 740, true],
  [360, 740, false],
  [844, 390, false],
  [740, 360, false],
  [768, 1024, true],
  [768, 1024, false],
  [1024, 768, false],
  [1280, 800, false],
] as const)('a finger on a map of %d × %d, turned: %s, seldom opens another route', (width, height, turn) => {
  for (const board of boards) {
    expect(astray(board, width, height, turn), board.id).toBeLessThan(0.1);
  }
});
