/** A GIF of ours is read back by a decoder that is written here after the format's own description. */
import { expect, test } from 'vitest';
import { encode, type Frame } from '../../../src/replay/gif.ts';

/** Return the pictures of a GIF with one palette, each as red, green and blue for every pixel. */
function decode(bytes: Uint8Array): { times: number[]; pictures: number[][] } {
  const short = (at: number) => bytes[at]! | (bytes[at + 1]! << 8);
  const [width, height] = [short(6), short(8)];
  const palette = bytes.subarray(13, 13 + 768);
  const screen = Array<number>(3 * width * height).fill(-1);
  const times: number[] = [];
  const pictures: number[][] = [];
  let at = 13 + 768;
  const blocks = () => {
    const data: number[] = [];
    for (; bytes[at]; at += bytes[at]! + 1) data.push(...bytes.subarray(at + 1, at + 1 + bytes[at]!));
    at += 1;
    return data;
  };
  for (; bytes[at] !== 0x3b;) {
    if (bytes[at] === 0x21) {
      if (bytes[at + 1] === 0xf9) times.push(short(at + 4));
      at += 2;
      blocks();
      continue;
    }
    expect(bytes[at]).toBe(0x2c);
    const [left, top, wide] = [short(at + 1), short(at + 3), short(at + 5)];
    at += 11;
    unpacked(blocks()).forEach((index, number) => {
      const place = 3 * ((top + Math.floor(number / wide)) * width + left + (number % wide));
      for (const channel of [0, 1, 2]) screen[place + channel] = palette[3 * index + channel]!;
    });
    pictures.push([...screen]);
  }
  expect(at).toBe(bytes.length - 1);
  return { times, pictures };
}

function unpacked(data: readonly number[]): number[] {
  const found: number[] = [];
  let table: number[][] = [];
  const reset = () => (table = Array.from({ length: 258 }, (_, at) => (at < 256 ? [at] : [])));
  reset();
  let [size, bit] = [9, 0];
  let before: number[] | null = null;
  for (;;) {
    let code = 0;
    for (let at = 0; at < size; at += 1, bit += 1) code |= ((data[bit >> 3]! >> (bit & 7)) & 1) << at;
    if (code === 257) return found;
    if (code === 256) {
      reset();
      [size, before] = [9, null];
      continue;
    }
    const run: number[] = table[code] ?? [...before!, before![0]!];
    found.push(...run);
    if (before && table.length < 4096) table.push([...before, run[0]!]);
    if (table.length === 1 << size && size < 12) size += 1;
    before = run;
  }
}

const pixels = (colors: readonly number[][]) => Uint8ClampedArray.from(colors.flatMap((color) => [...color, 255]));
const frame = (colors: readonly number[][], time: number): Frame => ({ pixels: pixels(colors), time });

test('pictures of few colours come back as they were, whatever changes between them', () => {
  const [black, white, red, blue] = [
    [0, 0, 0],
    [255, 255, 255],
    [255, 0, 0],
    [0, 0, 255],
  ] as const;
  const all = [
    [black, white, white, red, red, red],
    [black, white, blue, red, red, red],
    [black, white, blue, red, red, red],
    [white, white, blue, red, red, black],
  ].map((one) => one.map((color) => [...color]));
  const { times, pictures } = decode(
    encode(
      all.map((one, at) => frame(one, 300 * at + 5)),
      3,
      2,
    ),
  );
  expect(times).toEqual([5, 305, 605, 905]);
  expect(pictures).toEqual(all.map((one) => one.flat()));
});

test('a picture of more colours and more patterns than fit comes back nearly as it was', () => {
  let seed = 7;
  const chance = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const colors = Array.from({ length: 200 * 150 }, (_, at) => [
    Math.floor(chance() * 256),
    Math.floor(chance() * 256),
    at % 256,
  ]);
  const { pictures } = decode(encode([frame(colors, 10)], 200, 150));
  const flat = colors.flat();
  const off = pictures[0]!.reduce((sum, value, at) => sum + Math.abs(value - flat[at]!), 0) / flat.length;
  expect(off).toBeLessThan(24);
});
