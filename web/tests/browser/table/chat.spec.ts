/** Chat: text and nothing but text, spectators apart, mute and report. */
import { expectAccessible, expectClear } from '../support/checks.ts';
import { measure, resize } from '../support/geometry.ts';
import { Player } from '../support/players/player.ts';
import { expect, openTab, sized, SMALL, test, type Page } from '../support/test.ts';

const PICTURES = process.env.PICTURES;
const say = async (page: Page, text: string) => {
  await openTab(page, 'chat');
  await page.locator('[data-say]').fill(text);
  await page.locator('[data-send]').click();
};
const said = (page: Page) => page.locator('[data-chat] .said');

test('two players and a spectator talk', async ({ person }) => {
  const ada = await person({ viewport: sized(360) });
  await ada.goto(`${ada.url()}#new`);
  await ada.locator('[data-name]').fill('Ada');
  await ada.locator('[data-create]').click();
  const link = await ada.locator('.share input').inputValue();
  const bob = await person({}, link);
  await bob.locator('[data-name]').fill('Bob');
  await bob.locator('[data-sit]').click();
  await ada.locator('[data-begin]').click();
  const zoe = await person({ viewport: sized(1280) }, link);
  await zoe.locator('.table .sheet .pieces').waitFor();
  expect((await zoe.evaluate(measure)).covered, 'who looks on sees every city').toEqual([]);
  // Talk goes on while tickets are chosen, and the question is there again afterwards.
  for (const page of [ada, bob]) {
    await page.locator('[data-keep]').waitFor();
    await page.locator('[data-tab=chat]').click();
    await expect(page.locator('[data-keep]')).toBeHidden();
    await expect(page.locator('[data-send]')).toBeVisible();
    await expectClear(page, 'chat in front of a question');
    await page.locator('[data-tab=tickets]').click(); // to another panel
    await page.locator('[data-tab=tickets]').click(); // and away with it
    await expect(page.locator('[data-keep]')).toBeVisible();
  }
  // On a tall screen it has a place of its own below them, which is opened where tickets need the room.
  await resize(bob, sized(1440));
  await bob.locator('[data-tab=chat]').click();
  await expect(bob.locator('[data-send]')).toBeVisible();
  await bob.locator('.dock .ticket').first().click();
  await expect(bob.locator('[data-keep]')).toBeVisible();
  await expectClear(bob, 'chat below a question');
  await resize(bob, SMALL.viewport);
  for (const page of [ada, bob]) {
    const player = new Player(page);
    while ((await player.press()) !== 'keep');
  }

  const attack = '<img src=x onerror="document.title=1"> https://example.org';
  await say(bob, attack);
  const tab = ada.locator('[data-tab=chat]');
  await expect(tab).toHaveAttribute('aria-label', 'Chat, 1 line unread');
  await expect(ada.locator('[role=log][aria-label=Chat] p')).toHaveText(`Bob says: ${attack}`);
  await openTab(ada, 'chat');
  await expect(said(ada)).toHaveText(attack);
  expect(await ada.locator('[data-chat] :is(img, a)').count()).toBe(0);
  await expect(tab).toHaveAttribute('aria-label', 'Chat');

  await openTab(zoe, 'chat');
  await expect(said(zoe)).toHaveText(attack);
  await say(zoe, 'take the blue one');
  await expect(said(zoe)).toHaveText([attack, 'take the blue one']);
  await say(ada, 'hello');
  await expect(said(bob)).toHaveText([attack, 'hello']); // and nothing of the spectator

  await ada.locator('[data-line-more]').click();
  await expectClear(ada, 'chat');
  await expectAccessible(ada, 'chat');
  await bob.setViewportSize({ width: 1280, height: 720 });
  await expectClear(bob, 'chat in the column');
  if (PICTURES) await ada.screenshot({ path: `${PICTURES}/chat.png` });
  if (PICTURES) await zoe.screenshot({ path: `${PICTURES}/chat-wide.png` });
  await ada.locator('[data-report]').click();
  await expect(ada.locator('[data-chat] [role=status]')).toContainText('Reported');
  await ada.locator('[data-line-more]').click();
  await ada.locator('[data-mute]').click();
  await expect(said(ada)).toHaveText(['hello']);
  await say(bob, 'are you there?');
  await expect(said(zoe)).toHaveCount(4);
  await ada.reload();
  await openTab(ada, 'chat');
  await expect(said(ada)).toHaveText(['hello']);
  await ada.locator('[data-unmute]').click();
  await expect(said(ada)).toHaveText([attack, 'hello', 'are you there?']);
});
