/** Shapes put in their places: one path for all spaces of a route, where each by itself would be an element. */
import { CARRIAGE, CARRIAGE_LENGTH, ROOF, SYMBOLS } from '../../drawing.gen.ts';
import type { RoutePicture, Space } from '../picture.ts';
import { rowPath } from './rows.ts';

/** The water of a ferry, centred on (0, 0). */
export const WAVE = 'M-6 0.8Q-3.6-2.4-1.2 0.4T3.6 0.4T6-0.6';

/** The light on a roof from above, and the shade along its other side. */
export const LIGHT = 'M-9.8-3.1Q-9.8-5.7-7.4-5.7H7.4Q9.8-5.7 9.8-3.1Z';
export const SHADE = 'M-11.4 3.6V4Q-11.4 6 -9.4 6H9.4Q11.4 6 11.4 4V3.6Z';

/** How a shape that is centred on (0, 0) is put somewhere: stretched along its own axes, then turned, then moved. */
interface Placing {
  readonly x: number;
  readonly y: number;
  /** Degrees, clockwise. */
  readonly angle?: number;
  readonly along?: number;
  readonly across?: number;
}

type Command = { readonly letter: string; readonly values: readonly number[] };

const commands = new Map<string, readonly Command[]>();

/** The commands of path data; our shapes have absolute ones only. */
function commandsOf(d: string): readonly Command[] {
  let found = commands.get(d);
  if (!found) {
    found = [...d.matchAll(/([A-Z])([^A-Z]*)/g)].map(([, letter, rest]) => ({
      letter: letter!,
      values: [...rest!.matchAll(/-?\d*\.?\d+/g)].map(Number),
    }));
    commands.set(d, found);
  }
  return found;
}

/** Return the path data of a shape in its place. */
export function placed(d: string, { x, y, angle = 0, along = 1, across = along }: Placing): string {
  const turn = (angle * Math.PI) / 180;
  const [a, b, c, e] = [
    along * Math.cos(turn),
    along * Math.sin(turn),
    -across * Math.sin(turn),
    across * Math.cos(turn),
  ];
  let [u, v] = [0, 0];
  const at = () => `${short(x + a * u + c * v)} ${short(y + b * u + e * v)}`;
  let path = '';
  for (const { letter, values } of commandsOf(d)) {
    if (letter === 'Z') path += 'Z';
    else if (letter === 'H' || letter === 'V') {
      for (const value of values) {
        if (letter === 'H') u = value;
        else v = value;
        path += `L${at()}`;
      }
    } else if (letter === 'A') {
      // Arcs of circles, and placed without being stretched to one side: their turn does not matter.
      for (let i = 0; i < values.length; i += 7) {
        [u, v] = [values[i + 5]!, values[i + 6]!];
        path += `A${short(values[i]! * along)} ${short(values[i + 1]! * across)} 0 ${values[i + 3]} ${values[i + 4]} ${at()}`;
      }
    } else {
      path += letter;
      for (let i = 0; i < values.length; i += 2) {
        [u, v] = [values[i]!, values[i + 1]!];
        path += `${i ? ' ' : ''}${at()}`;
      }
    }
  }
  return path;
}

/** Return the path data of a box with round corners around (0, 0). */
function box(width: number, height: number, round: number): string {
  const [w, h, r] = [width / 2, height / 2, Math.min(round, width / 2, height / 2)];
  return `M${-w} ${r - h}A${r} ${r} 0 0 1 ${r - w} ${-h}H${w - r}A${r} ${r} 0 0 1 ${w} ${r - h}V${h - r}A${r} ${r} 0 0 1 ${w - r} ${h}H${r - w}A${r} ${r} 0 0 1 ${-w} ${h - r}Z`;
}

const onRails = (space: Space): Placing => ({ ...space, along: space.width / CARRIAGE_LENGTH, across: 1 });
const short = (value: number): number => Math.round(value * 100) / 100;
const all = (route: RoutePicture, shape: (space: Space, number: number) => string): string =>
  route.spaces.map(shape).join('');

/** What is drawn of a route, each kind of line or surface as one path. */
export interface RouteShapes {
  /** The line through it, and the shorter one of the trains' shadow. */
  readonly row: string;
  readonly shadow: string;
  /** The trains on it. */
  readonly carriages: string;
  /** The light on their roofs from above, the shade along the other side, and what is raised on them. */
  readonly lights: string;
  readonly shades: string;
  readonly roofs: string;
  /** Of a tunnel: the arches of its spaces, and what is coloured between them. */
  readonly arches: string;
  readonly inner: string;
  /** The colour's symbols, a ferry's locomotives, and its waves. */
  readonly symbols: string;
  readonly locomotives: string;
  readonly waves: string;
  /** Strokes through the spaces of a route that can never be claimed. */
  readonly bars: string;
}

const made = new WeakMap<RoutePicture, RouteShapes>();

/** Return the shapes of a route; they are made once, each when it is first asked for. */
export function shapesOf(route: RoutePicture): RouteShapes {
  let shapes = made.get(route);
  if (!shapes) made.set(route, (shapes = new Shapes(route)));
  return shapes;
}

class Shapes implements RouteShapes {
  readonly #route: RoutePicture;
  readonly #known = new Map<string, string>();
  #row: string | undefined;
  #shadow: string | undefined;

  constructor(route: RoutePicture) {
    this.#route = route;
  }

  #once(name: string, make: (space: Space, number: number) => string): string {
    let found = this.#known.get(name);
    if (found === undefined) this.#known.set(name, (found = all(this.#route, make)));
    return found;
  }

  get row() {
    return (this.#row ??= rowPath(this.#route));
  }
  get shadow() {
    return (this.#shadow ??= rowPath(this.#route, 4));
  }
  get carriages() {
    return this.#once('carriages', (space) => placed(CARRIAGE, onRails(space)));
  }
  get lights() {
    return this.#once('lights', (space) => placed(LIGHT, onRails(space)));
  }
  get shades() {
    return this.#once('shades', (space) => placed(SHADE, onRails(space)));
  }
  get roofs() {
    return this.#once('roofs', (space) => placed(ROOF, onRails(space)));
  }
  get arches() {
    return this.#once('arches', (space) => {
      const [w, h] = [space.width / 2, space.height / 2 + 0.4];
      return placed(
        `M${1.6 - w} ${-h}Q${-w - 1.4} 0 ${1.6 - w} ${h}M${w - 1.6} ${-h}Q${w + 1.4} 0 ${w - 1.6} ${h}`,
        space,
      );
    });
  }
  get inner() {
    return this.#once('inner', (space) => placed(box(space.width - 4.6, space.height - 3, 2), space));
  }
  get symbols() {
    const { color, ferry, tunnel } = this.#route;
    const symbol = SYMBOLS[color];
    return this.#once('symbols', ({ x, y }, number) =>
      symbol === undefined || ferry.includes(number) ? '' : placed(symbol, { x, y, along: tunnel ? 0.86 : 1 }),
    );
  }
  get locomotives() {
    return this.#once('locomotives', ({ x, y, angle }, number) =>
      this.#route.ferry.includes(number) ? placed(SYMBOLS['locomotive']!, { x, y, angle }) : '',
    );
  }
  get waves() {
    return this.#once('waves', ({ x, y, angle }, number) =>
      this.#route.ferry.includes(number) ? '' : placed(WAVE, { x, y, angle }),
    );
  }
  get bars() {
    return this.#once('bars', (space) => {
      const [w, h] = [space.width / 2 - 5, space.height / 2 - 2.6];
      return placed(`M${-w} ${h}L${w} ${-h}`, space);
    });
  }
}
