import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LANGUAGES } from '../../support/catalogues.ts';
import { expect, type Page } from './test.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export { LANGUAGES };

/**
 * Runs in the page: what a careful eye would find. Nothing scrolls sideways or sticks out; no text is
 * cut off, covered, or written over another; every control can be pressed all over; panels keep apart.
 */
function faults(): string[] {
  const found: string[] = [];
  const root: Element = document.querySelector('dialog[open]') ?? document.body;
  type Box = { left: number; top: number; right: number; bottom: number };
  const name = (one: Element) =>
    `${one.tagName.toLowerCase()}.${one.getAttribute('class') ?? ''} “${(one.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
  const meet = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const wide = (box: Box) => box.right - box.left;
  const high = (box: Box) => box.bottom - box.top;
  const screen: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  /** Many texts and controls have the same panels around them: each is looked at once. */
  const once = <Found>(look: (one: Element) => Found) => {
    const known = new Map<Element, Found>();
    return (one: Element): Found => {
      if (!known.has(one)) known.set(one, look(one));
      return known.get(one)!;
    };
  };
  // The page as a whole may be transparent: then it is only not drawn.
  const opaque: (one: Element) => boolean = once(
    (one) =>
      one === document.documentElement ||
      (getComputedStyle(one).opacity !== '0' && (!one.parentElement || opaque(one.parentElement))),
  );
  const seen = once(
    (one) => one.checkVisibility({ visibilityProperty: true }) && opaque(one) && !one.closest('.unseen, .away, svg'),
  ); // away: lines of a film's log outside its panel
  /** An element and those around it that cut or scroll what is larger than they are, from the inside outwards. */
  type Edge = { around: Element; box: Box; hidesX: boolean; hidesY: boolean };
  const edges: (one: Element) => Edge[] = once((one) => {
    if (one === document.documentElement) return [];
    const outer = one.parentElement ? edges(one.parentElement) : [];
    const { overflowX, overflowY } = getComputedStyle(one);
    if (overflowX === 'visible' && overflowY === 'visible') return outer;
    const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
    return [
      { around: one, box: one.getBoundingClientRect(), hidesX: hides(overflowX), hidesY: hides(overflowY) },
      ...outer,
    ];
  });
  const untouched = once((one) => getComputedStyle(one).pointerEvents === 'none');

  /** What is left of a box in the scrolling panels it lies in; `cut` where a panel that does not scroll cuts it. */
  const within = (one: Element, box: Box): { box: Box; cut: Element | null } => {
    let left = meet(box, box);
    let cut: Element | null = null;
    for (const { around, box: edge, hidesX, hidesY } of edges(one)) {
      if (hidesX && (left.left < edge.left - 1.5 || left.right > edge.right + 1.5)) cut ??= around;
      if (hidesY && (left.top < edge.top - 3 || left.bottom > edge.bottom + 3)) cut ??= around;
      left = meet(left, edge);
    }
    return { box: meet(left, screen), cut };
  };
  const onTop = (one: Element, x: number, y: number): Element | null => {
    if (untouched(one)) return null;
    const top = document.elementFromPoint(x, y);
    return !top || one.contains(top) || top.contains(one) ? null : top;
  };

  if (document.documentElement.scrollWidth > innerWidth)
    found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  const sideways = (one: Element) => {
    if (one.scrollWidth <= one.clientWidth + 1 || !one.clientWidth || !seen(one)) return;
    const { overflowX } = getComputedStyle(one);
    if (overflowX === 'auto' || overflowX === 'scroll') found.push(`scrolls sideways: ${name(one)}`);
  };

  const texts: { one: Element; box: Box }[] = [];
  // Not into drawings: the map has two thousand shapes.
  const outside = (node: Node) =>
    node.parentNode instanceof SVGElement ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, outside);
  for (let node: Node | null = root; node; node = walker.nextNode()) {
    if (node instanceof Element) {
      sideways(node);
      continue;
    }
    const one = node.parentElement!;
    if (!node.nodeValue?.trim() || !seen(one) || one.closest('option, script, style')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const { box, cut } = within(one, rect);
      const shortened = cut !== null && getComputedStyle(cut).textOverflow === 'ellipsis'; // it says so itself
      if (cut && !shortened) found.push(`text cut off: ${name(one)} by ${name(cut)}`);
      if (wide(box) < 3 || high(box) < 6) continue;
      if (!shortened && (rect.left < -1 || rect.right > innerWidth + 1)) found.push(`text sticks out: ${name(one)}`);
      texts.push({ one, box });
      const cover = onTop(one, (box.left + box.right) / 2, (box.top + box.bottom) / 2);
      if (cover) found.push(`text covered: ${name(one)} by ${name(cover)}`);
    }
  }
  texts.sort((a, b) => a.box.top - b.box.top);
  texts.forEach(({ one, box }, at) => {
    for (let next = at + 1; next < texts.length && texts[next]!.box.top < box.bottom - 5; next += 1) {
      const other = texts[next]!;
      // What an ellipsis leaves of a line is another box of that line.
      if (one === other.one && box.left === other.box.left && box.top === other.box.top) continue;
      const both = meet(box, other.box);
      if (wide(both) > 2 && high(both) > 5) found.push(`text over text: ${name(one)} and ${name(other.one)}`);
    }
  });

  for (const one of root.querySelectorAll('button, input, select, summary, a')) {
    if (!seen(one)) continue;
    const whole = one.getBoundingClientRect();
    const { box, cut } = within(one.parentElement!, whole);
    if (cut) found.push(`control cut off: ${name(one)} by ${name(cut)}`);
    if (whole.left < -1 || whole.right > innerWidth + 1) found.push(`control sticks out: ${name(one)}`);
    if (wide(box) < 12 || high(box) < 12) continue;
    const inset = 5;
    for (const x of [box.left + inset, (box.left + box.right) / 2, box.right - inset]) {
      for (const y of [box.top + inset, (box.top + box.bottom) / 2, box.bottom - inset]) {
        const cover = onTop(one, x, y);
        if (cover && !cover.closest('label')?.contains(one))
          found.push(`control covered: ${name(one)} by ${name(cover)}`);
      }
    }
    if (!one.matches('[type=checkbox], [type=radio]') && (whole.width < 36 || whole.height < 36)) {
      found.push(`too small for a finger: ${name(one)} ${whole.width.toFixed(0)} × ${whole.height.toFixed(0)}`);
    }
  }

  // Panels lie on the map, and none on another; the players' timetable is folded out over whatever is there.
  const panels = [
    ...document.querySelectorAll(
      '.table > header, .table > section:not(.fold), .drawer > .bar > .tabs, .drawer > .tabpanel',
    ),
  ].filter((one) => seen(one));
  panels.forEach((one, at) => {
    for (const other of panels.slice(at + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const both = meet(one.getBoundingClientRect(), other.getBoundingClientRect());
      if (!one.matches('dialog') && !other.matches('dialog') && wide(both) > 1.5 && high(both) > 1.5) {
        found.push(`panels overlap: ${name(one)} and ${name(other)}`);
      }
    }
  });
  return [...new Set(found)];
}

/**
 * Runs in the page: the faults in every language, beginning with the present one. The language is changed as
 * another page of this browser would, and the layout is measured at once: nothing needs to be painted for it.
 */
async function faultsIn({
  languages,
  back,
}: {
  languages: readonly string[];
  back: boolean;
}): Promise<Record<string, string[]>> {
  const speak = (language: string) =>
    new Promise<void>((done) => {
      const root = document.documentElement;
      if (root.lang === language) return done();
      const observer = new MutationObserver(() => {
        if (root.lang !== language) return;
        observer.disconnect();
        done();
      });
      observer.observe(root, { attributeFilter: ['lang'] });
      localStorage.setItem('ferrovia.language', language);
      dispatchEvent(new StorageEvent('storage', { key: 'ferrovia.language' }));
    });
  await document.fonts.ready;
  const before = document.documentElement.lang;
  const found: Record<string, string[]> = {};
  for (const language of [before, ...languages.filter((one) => one !== before)]) {
    await speak(language);
    await new Promise((next) => setTimeout(next)); // the page has its new texts,
    await document.fonts.ready; // and the letters that they need
    found[language] = (globalThis as unknown as { faults: () => string[] }).faults();
  }
  if (back) await speak(before);
  return found;
}

/** No fault of geometry in any language. `back`: the page speaks its own again; else it goes on in the last one. */
export async function expectClear(page: Page, where: string, back = true): Promise<void> {
  await page.evaluate(`globalThis.faults ??= ${faults}`);
  const found = await page.evaluate(faultsIn, { languages: LANGUAGES, back });
  for (const language of LANGUAGES) expect.soft(found[language], `${where}, ${language}`).toEqual([]);
}

/** No finding of axe, serious or not; `panels`: in what lies on the map, whose two thousand shapes have been looked at. */
export async function expectAccessible(page: Page, where: string, part: 'all' | 'panels' = 'all'): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const found = await page.evaluate(async (whole) => {
    const run = (globalThis as unknown as { axe: typeof import('axe-core') }).axe;
    const context = whole ? document : { include: document, exclude: ['.sheet'] };
    // A page that is not drawn is transparent as a whole, which is none of its faults: axe finds its root as it is where it is drawn.
    const root = document.documentElement;
    const styled = globalThis.getComputedStyle;
    const opaque = new Proxy(styled(root), {
      get(style, name) {
        if (name === 'opacity') return '1';
        if (name === 'getPropertyValue')
          return (one: string) => (one === 'opacity' ? '1' : style.getPropertyValue(one));
        const found = Reflect.get(style, name) as unknown;
        return typeof found === 'function' ? found.bind(style) : found;
      },
    });
    const { transparent } = globalThis as { transparent?: boolean };
    if (transparent) globalThis.getComputedStyle = (one, part) => (one === root && !part ? opaque : styled(one, part));
    const { violations } = await run.run(context as never, { preload: false, resultTypes: ['violations'] });
    globalThis.getComputedStyle = styled;
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} (${node.any[0]?.message ?? ''})`),
    );
  }, part === 'all');
  expect.soft(found, where).toEqual([]);
}

/** Download the record of a finished game, and prove it: `ferrovia replay` finds the same total for us. Returns its file. */
export async function proveRecord(page: Page, replay: (record: string) => Promise<string>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-record]').click()]);
  const record = `${await download.path()}.jsonl`;
  await download.saveAs(record);
  const [total] = await page.locator('.final td.total').allTextContents();
  expect(await replay(record)).toContain(total);
  return record;
}
