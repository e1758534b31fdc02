/** Two browsers that have a part in the shuffle and check it, agree on a pause, and keep or decline a rematch. */
import { fileURLToPath } from 'node:url';
import { expectAccessible, expectClear } from './support/checks.ts';
import { Player } from './support/players/player.ts';
import { GameServer } from './support/server/server.ts';
import { expect, sized, test, type Page } from './support/test.ts';
import { Turns } from './support/players/turns.ts';

const SMALL_BOARD = fileURLToPath(new URL('../../../tests/boards/small.json', import.meta.url));
const PICTURES = process.env.PICTURES;

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

const ask = async (page: Page, name: string) => {
  await page.locator('header .menu').click();
  await page.locator(`dialog [data-${name}]`).click();
};

test('a shuffle with everybody’s part or without those who stay away, an agreed pause, and a rematch that is declined', async ({
  person,
}) => {
  const server = await new GameServer('--seed', '', '--reveal', '3', '--board', SMALL_BOARD).start();
  try {
    const ada = await person({ quiet: true }, `${server.address}#new`);
    await ada.locator('[data-name]').fill('Ada');
    await ada.locator('[data-edition=compass]').check();
    await ada.locator('[data-clock]').selectOption('live');
    await ada.locator('[data-turn]').fill('600');
    await ada.locator('[data-hints]').uncheck();
    await picture(ada, 'setup');
    await ada.locator('[data-create]').click();
    const link = await ada.locator('.share input').inputValue();
    const bob = await person({ viewport: sized(360), quiet: true }, link);
    await bob.locator('[data-name]').fill('Bob');
    await bob.locator('[data-sit]').click();
    await ada.locator('[data-begin]').click();
    for (const page of [ada, bob]) await page.locator('.table').waitFor();
    await expect(ada.locator('[data-hint]')).toHaveCount(0);

    await ada.locator('header .menu').click();
    await ada.locator('[data-open-about]').click();
    await expect(ada.locator('dialog [data-shuffle=parts]')).toContainText('2 players');
    await picture(ada, 'menu');
    await expectAccessible(ada, 'menu');
    await ada.keyboard.press('Escape');
    await ada.locator('header .menu').click();
    await ada.locator('dialog [data-pause]').click();
    await expect(bob.locator('[data-pause-asked]')).toContainText('Ada');
    await expectClear(bob, 'pause asked');
    await picture(ada, 'pause-mine');
    await picture(bob, 'pause-asked');
    await bob.locator('[data-decline]').click();
    await expect(ada.locator('[data-pause-asked]')).toHaveCount(0);
    await ask(bob, 'pause');
    await ada.locator('[data-agree]').click();
    for (const page of [ada, bob]) await expect(page.locator('header')).toContainText('paused');
    await ask(ada, 'resume');

    await new Turns([new Player(ada), new Player(bob)]).play();
    for (const page of [ada, bob])
      await expect(page.locator('.final [data-shuffle]')).toHaveAttribute('data-shuffle', 'fair');
    await picture(ada, 'final');
    await picture(bob, 'final-phone');

    await ada.locator('[data-rematch]').click();
    await expect(ada.locator('h1')).toContainText('Waiting');
    await expect(ada.locator('[data-fill]')).toHaveCount(0); // Bob's seat is kept
    await picture(ada, 'kept');
    await bob.locator('[data-decline-rematch]').click();
    await expect(bob.locator('[data-decline-rematch]')).toHaveCount(0);
    await expect(ada.locator('[data-fill]')).toHaveCount(1);
    await ada.locator('[data-fill]').selectOption('greedy');
    await ada.locator('.table').waitFor();

    // Somebody who stays away has no part in it.
    const cleo = await person({ quiet: true }, server.address);
    const table = await cleo.evaluate(async () => {
      const seats = [
        { kind: 'person', name: 'Cleo' },
        { kind: 'person', name: 'Bob', commitment: 'b0'.repeat(32) },
      ];
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('api/tables', {
        method: 'POST',
        headers,
        body: JSON.stringify({ edition: 'usa', seats }),
      });
      const made = (await answer.json()) as { table: string; held: { token: string }[] };
      localStorage.setItem(`ferrovia.table.${made.table}`, made.held[0]!.token);
      return made.table;
    });
    await cleo.goto(`${server.address}table/${table}`);
    await expect(cleo.locator('main')).toContainText('Bob');
    await expect(cleo.locator('.page')).toHaveCSS('opacity', '1');
    await picture(cleo, 'shuffling');
    await cleo.locator('.table').waitFor({ timeout: 60_000 });
  } finally {
    await server.end();
  }
});

test('a seat that came by a link is closed to whoever made it, and cards that were chosen are told before anybody sits down', async ({
  person,
}) => {
  const server = await new GameServer('--seed', '').start();
  try {
    const page = await person({ quiet: true, viewport: sized(360) }, server.address);
    const create = (body: object) =>
      page.evaluate(async (asked) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch('api/tables', { method: 'POST', headers, body: JSON.stringify(asked) });
        return (await answer.json()) as { table: string; held: { token: string }[] };
      }, body);
    const status = (table: string, token: string) =>
      page.evaluate(
        async ([path, held]) => (await fetch(path, { headers: { authorization: `Bearer ${held}` } })).status,
        [`${server.address}api/tables/${table}/record`, token] as const,
      );

    const people = ['Ada', 'Bob'].map((name) => ({ kind: 'person', name }));
    const made = await create({ edition: 'usa', seats: people });
    const [host, given] = made.held.map(({ token }) => token) as [string, string];
    expect(await status(made.table, given)).toBe(200);
    const bob = await person({ quiet: true }, `${server.address}table/${made.table}#token=${given}`);
    await bob.locator('[data-keep]').first().waitFor();
    await expect.poll(() => status(made.table, given)).toBe(403);
    await bob.reload();
    await bob.locator('[data-keep]').first().waitFor();
    const ada = await person({ quiet: true }, `${server.address}table/${made.table}#token=${host}`);
    await ada.locator('[data-keep]').first().waitFor();
    expect(await status(made.table, host)).toBe(200); // it is their own: the link works at another device too

    const chosen = await create({ edition: 'usa', seats: [people[0], { kind: 'open' }], seed: 'ab'.repeat(32) });
    await page.goto(`${server.address}table/${chosen.table}`);
    await expect(page.locator('[data-chosen-cards]')).toContainText('chosen by whoever set it up');
    await picture(page, 'chosen-cards');
    await page.locator('[data-name]').fill('Bob');
    await page.locator('[data-sit]').click();
    await page.getByRole('button', { name: /^Players/ }).click();
    await expect(page.locator('.table [data-chosen-cards]').filter({ visible: true })).toContainText(
      'chosen by whoever',
    );
    await picture(page, 'chosen-cards-table');
  } finally {
    await server.end();
  }
});
