/** A clip as a GIF: messengers play that, and no SVG that moves by itself. */

/** A frame: its pixels, and for how long it is seen, in hundredths of a second. */
export interface Frame {
  readonly pixels: Uint8ClampedArray;
  readonly time: number;
}

const COLORS = 256;
const WIDTH = 800; // pixels

interface Fade {
  readonly of: Element;
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/** Return a clip that fades parts of its drawing in and out as a GIF that begins again and again. */
export async function gifOf(svg: string): Promise<Blob> {
  const drawing = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const fades = [...drawing.querySelectorAll('animate')].map((one): Fade => {
    const numbers = (name: string) => one.getAttribute(name)!.split(';').map(Number.parseFloat);
    const [seconds = 1] = numbers('dur');
    const fade = {
      of: one.parentElement!,
      times: numbers('keyTimes').map((at) => at * seconds),
      values: numbers('values'),
    };
    one.remove();
    return fade;
  });
  const moments = [...new Set([0, ...fades.flatMap(({ times }) => times.map((at) => Math.round(at * 100)))])].sort(
    (a, b) => a - b,
  );
  const frames: Frame[] = [];
  let height = 0;
  for (const [at, moment] of moments.slice(0, -1).entries()) {
    const time = moments[at + 1]! - moment;
    for (const { of, times, values } of fades)
      of.setAttribute('opacity', String(valueAt((moment + time / 2) / 100, times, values)));
    const canvas = await drawn(new XMLSerializer().serializeToString(drawing));
    height = canvas.height;
    frames.push({ pixels: canvas.getContext('2d')!.getImageData(0, 0, WIDTH, height).data, time });
  }
  return new Blob([encode(frames, WIDTH, height)], { type: 'image/gif' });
}

function valueAt(now: number, times: readonly number[], values: readonly number[]): number {
  const next = times.findIndex((time) => time > now);
  if (next < 1) return values.at(next)!;
  const part = (now - times[next - 1]!) / (times[next]! - times[next - 1]!);
  return values[next - 1]! + part * (values[next]! - values[next - 1]!);
}

async function drawn(svg: string): Promise<HTMLCanvasElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * image.naturalHeight) / image.naturalWidth);
  canvas.getContext('2d', { willReadFrequently: true })!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Return frames of one size as the bytes of a GIF; of every frame but the first it holds what has changed. */
export function encode(frames: readonly Frame[], width: number, height: number): Uint8Array<ArrayBuffer> {
  const shades = frames.map(({ pixels }) => shadesOf(pixels));
  const { palette, indexOf } = quantised(shades);
  const bytes: number[] = [];
  const text = (words: string) => bytes.push(...[...words].map((one) => one.charCodeAt(0)));
  const short = (...values: number[]) => bytes.push(...values.flatMap((value) => [value & 255, value >> 8]));
  text('GIF89a');
  short(width, height);
  bytes.push(0xf7, 0, 0, ...palette);
  bytes.push(0x21, 0xff, 11);
  text('NETSCAPE2.0');
  bytes.push(3, 1, 0, 0, 0);
  frames.forEach(({ time }, at) => {
    const [now, before] = [shades[at]!, shades[at - 1]];
    const [left, top, right, bottom] = changed(now, before, width, height);
    bytes.push(0x21, 0xf9, 4, 4); // what was drawn stays
    short(time);
    bytes.push(0, 0, 0x2c);
    short(left, top, right - left, bottom - top);
    bytes.push(0);
    const indices: number[] = [];
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) indices.push(indexOf[now[y * width + x]!]!);
    pack(indices, bytes);
  });
  bytes.push(0x3b);
  return Uint8Array.from(bytes);
}

/** Colours in five bits each. */
function shadesOf(pixels: Uint8ClampedArray): Uint16Array {
  const found = new Uint16Array(pixels.length / 4);
  for (let at = 0; at < found.length; at++)
    found[at] = ((pixels[4 * at]! >> 3) << 10) | ((pixels[4 * at + 1]! >> 3) << 5) | (pixels[4 * at + 2]! >> 3);
  return found;
}

/** Return as many colours as there may be, and for every shade the place of its own: the box with the most is halved until there are enough. */
function quantised(all: readonly Uint16Array[]): { palette: number[]; indexOf: Uint8Array } {
  const counts = new Uint32Array(1 << 15);
  for (const shades of all) for (const shade of shades) counts[shade]! += 1;
  const part = (shade: number, channel: number) => (shade >> (10 - 5 * channel)) & 31;
  const boxOf = (shades: number[]) => {
    const spans = [0, 1, 2].map((channel) => {
      const parts = shades.map((shade) => part(shade, channel));
      return Math.max(...parts) - Math.min(...parts);
    });
    const span = Math.max(...spans);
    const many = shades.reduce((sum, shade) => sum + counts[shade]!, 0);
    return { shades, channel: spans.indexOf(span), weight: span * Math.sqrt(many), many };
  };
  const boxes = [boxOf([...counts.keys()].filter((shade) => counts[shade]))];
  while (boxes.length < COLORS) {
    const widest = boxes.reduce((best, one) => (one.weight > best.weight ? one : best));
    if (!widest.weight) break;
    const { shades, channel } = widest;
    shades.sort((a, b) => part(a, channel) - part(b, channel));
    let sum = 0;
    const half = shades.findIndex((shade) => (sum += counts[shade]!) * 2 >= widest.many);
    const cut = Math.min(shades.length - 1, Math.max(1, half));
    boxes.splice(boxes.indexOf(widest), 1, boxOf(shades.slice(0, cut)), boxOf(shades.slice(cut)));
  }
  const indexOf = new Uint8Array(counts.length);
  const palette = Array<number>(3 * COLORS).fill(0);
  boxes.forEach(({ shades, many }, at) => {
    for (const shade of shades) indexOf[shade] = at;
    for (const channel of [0, 1, 2])
      palette[3 * at + channel] = Math.round(
        (shades.reduce((sum, shade) => sum + part(shade, channel) * counts[shade]!, 0) * 255) / (31 * many),
      );
  });
  return { palette, indexOf };
}

type Edges = readonly [left: number, top: number, right: number, bottom: number];

/** Return the box of what differs from the frame before; one pixel where nothing does. */
function changed(now: Uint16Array, before: Uint16Array | undefined, width: number, height: number): Edges {
  if (!before) return [0, 0, width, height];
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let at = 0; at < now.length; at++) {
    if (now[at] === before[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = y + 1;
  }
  return right ? [left, top, right, bottom] : [0, 0, 1, 1];
}

/** Pack indices as GIFs do (LZW, codes of 9 to 12 bits), in blocks of at most 255 bytes. */
function pack(indices: readonly number[], bytes: number[]): void {
  const [clear, end, full] = [256, 257, 4096];
  let block: number[] = [];
  let [bits, held, size] = [0, 0, 9];
  let known = new Map<number, number>();
  const flush = () => {
    if (block.length) bytes.push(block.length, ...block);
    block = [];
  };
  const write = (code: number) => {
    held |= code << bits;
    for (bits += size; bits >= 8; bits -= 8, held >>>= 8) {
      block.push(held & 255);
      if (block.length === 255) flush();
    }
  };
  bytes.push(8);
  write(clear);
  let [prefix = 0] = indices;
  for (const index of indices.slice(1)) {
    const pair = (prefix << 8) | index;
    const code = known.get(pair);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    write(prefix);
    const next = end + 1 + known.size;
    if (next === full) {
      write(clear);
      known = new Map();
      size = 9;
    } else {
      known.set(pair, next);
      if (next === 1 << size) size += 1;
    }
    prefix = index;
  }
  write(prefix);
  write(end);
  if (bits) block.push(held & 255);
  flush();
  bytes.push(0);
}
