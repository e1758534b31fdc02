/** Notices by the worker of the page: what the page shows, and what a server sends to a browser that has the table closed. */
import { Player } from './support/players/player.ts';
import { quickGame, seatLink } from './support/players/quick_game.ts';
import { expect, SMALL, test, type Page } from './support/test.ts';

/** Runs in a page or its worker: notices are noted instead of shown, which a browser without windows cannot do. */
function note(): void {
  const shown: unknown[] = [];
  ServiceWorkerRegistration.prototype.showNotification = (_title, options) => {
    shown.push(options);
    return Promise.resolve();
  };
  Object.assign(globalThis, { shown });
}
const noted = () => (globalThis as unknown as { shown: unknown[] }).shown;
const ready = (page: Page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

test('a notice of a server reaches a browser that has the table closed', async ({ person, server }) => {
  const ada = await person({ ...SMALL, quiet: true, serviceWorkers: 'allow' });
  await ready(ada);
  const [worker] = ada.context().serviceWorkers();
  await worker!.evaluate(note);
  const push = (data: unknown) =>
    worker!.evaluate((said) => {
      const { PushEvent } = globalThis as unknown as { PushEvent: new (type: string, of: { data: string }) => Event };
      globalThis.dispatchEvent(new PushEvent('push', { data: JSON.stringify(said) }));
    }, data);
  await push({ table: '//elsewhere.example', text: 'Press here' }); // no table: nothing is shown
  await push({ table: 'abc-1', text: 'Your turn: Europe' });
  const shown = { body: 'Your turn: Europe', tag: 'abc-1', data: `${server.address}table/abc-1` };
  await expect.poll(() => worker!.evaluate(noted)).toMatchObject([shown]);
  // Whoever looks at the table needs none.
  await ada.goto(`${server.address}table/abc-2`);
  await push({ table: 'abc-2', text: 'Your turn: Europe' });
  await push({ table: 'abc-3', text: 'Your turn: Europe' });
  await expect.poll(() => worker!.evaluate(noted)).toMatchObject([shown, { tag: 'abc-3' }]);
});

test('the page leaves its notices to its worker: phones take them from nobody else', async ({ person, server }) => {
  const game = await quickGame(await person(SMALL), 'usa', 1, 6);
  const ada = await person(
    { ...SMALL, serviceWorkers: 'allow', settings: { hold: '0', pace: '0', notices: '1' } },
    seatLink(server.address, game),
  );
  await ready(ada);
  await ada.evaluate(note);
  await ada.evaluate(() => Object.assign(globalThis, { Notification: { permission: 'granted' } }));
  await ada.locator('header.mine').waitFor();
  await ada.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }));
  await new Player(ada).turn();
  await expect
    .poll(async () => (await ada.evaluate(noted))[0])
    .toMatchObject({ tag: game.table, data: `${server.address}table/${game.table}` });
});
