/** A tap does what was under the finger when it came down: every route that can be paid for, in every layout. */
import { expect, playBots, test, type Page } from '../support/test.ts';
import { Player } from '../support/players/player.ts';
import type { EditionDocument, FromServer } from '../../../src/protocol.gen.ts';

const LAYOUTS = [
  { width: 390, height: 844, turned: '1' },
  { width: 390, height: 844, turned: '0' },
  { width: 360, height: 740, turned: '1' },
  { width: 844, height: 390, turned: '0' },
  { width: 740, height: 360, turned: '0' },
  { width: 768, height: 1024, turned: '1' },
  { width: 768, height: 1024, turned: '0' },
  { width: 1024, height: 768, turned: '0' },
  { width: 1280, height: 800, turned: '0' },
] as const;

const COLORS = ['purple', 'blue', 'orange', 'white', 'green', 'yellow', 'black', 'red'];

/** As many ways to pay for a route as there can be: the more there are, the more buttons lie under the finger. */
function claims({ id, color, length, ferry }: EditionDocument['routes'][number]): string[] {
  const colors = color === 'gray' ? COLORS : [color];
  const ways = [0, 1].flatMap((more) => {
    const engines = Math.min(length, ferry + more);
    const paid = Array.from({ length: engines }, () => 'locomotive');
    return colors.map((one) =>
      ['claim', id, ...Array.from({ length: length - engines }, () => one), ...paid].join(' '),
    );
  });
  return [...new Set(ways)];
}

/** Let the server say that every free route can be paid for in many ways; returns what the page has decided since. */
async function affordAll(page: Page, routes: EditionDocument['routes']): Promise<string[]> {
  const decided: string[] = [];
  await page.routeWebSocket(/\/socket$/, (socket) => {
    const server = socket.connectToServer();
    let begun = false;
    socket.onMessage((text) => {
      const command = JSON.parse(String(text)) as { type: string; action?: string };
      if (begun && command.type === 'decide') decided.push(command.action!);
      else server.send(text);
    });
    server.onMessage((text) => {
      const message = JSON.parse(String(text)) as FromServer;
      if (message.type === 'state' && message.public?.phase === 'turn' && message.own?.moves) {
        begun = true;
        const taken = new Set(message.public.seats.flatMap((seat) => seat.routes));
        const actions = routes.filter(({ id }) => !taken.has(id)).flatMap(claims);
        const others = message.own.moves.actions.filter((one) => !one.startsWith('claim'));
        const own = { ...message.own, moves: { ...message.own.moves, actions: [...others, ...actions] } };
        socket.send(JSON.stringify({ ...message, own }));
      } else socket.send(text);
    });
  });
  return decided;
}

for (const { width, height, turned } of LAYOUTS)
  test(`no tap on a route presses what it opens: ${width}×${height}${turned === '1' ? ', turned' : ''}`, async ({
    person,
    server,
  }) => {
    const page = await person({
      viewport: { width, height },
      hasTouch: true,
      isMobile: true,
      settings: { hold: '0', pace: '0', turned },
    });
    const edition = (await (await fetch(`${server.address}api/editions/europe`)).json()) as EditionDocument;
    const decided = await affordAll(page, edition.routes);
    await playBots(page, 'europe');
    const player = new Player(page, {}, true);
    while ((await player.press()) !== 'keep');
    await player.ready();

    let tapped = 0;
    for (const { id } of edition.routes) {
      const at = await page.evaluate((route) => {
        const spaces = [...document.querySelectorAll(`[data-route="${route}"][data-open] .space`)];
        for (const space of spaces) {
          const { left, top, width: w, height: h } = space.getBoundingClientRect();
          const [x, y] = [left + w / 2, top + h / 2];
          if (document.elementFromPoint(x, y)?.classList.contains('window')) return { x, y };
        }
        return null;
      }, id);
      if (!at) continue;
      tapped += 1;
      await page.touchscreen.tap(at.x, at.y);
      await expect(page.locator('.dock [data-payment=route]'), id).toBeVisible();
      expect(decided, `${id} at ${at.x}, ${at.y}`).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.locator('.dock')).toHaveCount(0);
      await expect(page.locator('dialog')).toHaveCount(0);
    }
    expect(tapped).toBeGreaterThan(edition.routes.length * 0.6);
  });
