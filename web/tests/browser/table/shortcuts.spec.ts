/** A whole game in text, as a screen reader reads it, by single keys: every event in order, and everything can be asked for. */
import { expectAccessible } from '../support/checks.ts';
import { expect, SMALL, test } from '../support/test.ts';

test('a whole game by keys and words', async ({ person }) => {
  const page = await person({ ...SMALL, quiet: true, settings: { hold: '0', pace: '0' } });
  await page.locator('[data-edition=portugal]').check();
  await page.locator('[data-opponents]').selectOption('1');
  await page.locator('[data-level]').selectOption('greedy');
  await page.locator('[data-play]').click();
  await page.locator('[data-keep]').waitFor();
  // Everything that the live region ever said, in its order.
  await page.evaluate(() => {
    const said = document.querySelector('.table > [role=log]')!;
    const heard = [...said.querySelectorAll('p')].map((line) => line.textContent ?? '');
    new MutationObserver((changes) =>
      changes.forEach(({ addedNodes }) =>
        addedNodes.forEach((node) => node instanceof HTMLElement && heard.push(node.textContent ?? '')),
      ),
    ).observe(said, { childList: true });
    Object.assign(globalThis, { heard });
  });
  await page.keyboard.press('?');
  await expect(page.locator('[data-keys] dt')).toHaveCount(13);
  await expectAccessible(page, 'the list of keys');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-keys]')).toHaveCount(0);

  const said = page.locator('[role=alert] .slip span');
  const ask = async (key: string) => {
    await page.keyboard.press(key);
    return (await said.innerText()).trim();
  };
  // What is asked for is answered in words.
  expect(await ask('h')).toMatch(/card/);
  expect(await ask('w')).toMatch(/Your turn/);
  expect(await ask('f')).toMatch(/card|locomotive/);
  /** Runs in the page: the next button that a person would press who cannot see the map. */
  const next = () => {
    const has = (selector: string) => document.querySelector<HTMLElement>(selector);
    if (has('.final')) return 'over';
    if (has('.table[aria-busy=true]') || !has('header.mine')) return null;
    if (has('[data-keep]')) return has('[data-keep]:enabled') ? '[data-keep]' : '.dock .ticket[aria-pressed=false]';
    return ['.dock [data-pay]', '[data-withdraw]', '[data-pass]', '[data-draw-tickets]'].find(has) ?? 'turn';
  };
  let asked = 0;
  for (;;) {
    const what = (await (await page.waitForFunction(next, undefined, { timeout: 60_000, polling: 50 })).jsonValue())!;
    if (what === 'over') break;
    if (what !== 'turn') {
      await page.locator(what).first().focus();
      await page.keyboard.press('Enter');
      continue;
    }
    if (asked < 4) {
      expect(await ask('r')).toMatch(/route/);
      expect(await ask('m')).toMatch(/deck|face-up|route/);
      expect(await ask('k')).toMatch(/\(\d+\): (completed|\d+ trains? to go|no way left)/);
      asked += 1;
    }
    const open = page.locator('[data-list-route].open');
    if (await open.count()) {
      await open.first().focus();
      await page.keyboard.press('Enter');
    } else if (await page.locator('[data-route][data-open]').count()) {
      await page.locator('[data-tab=routes]').focus();
      await page.keyboard.press('Enter');
    } else {
      await page.keyboard.press(
        (await page.locator('[data-draw][aria-disabled=false]').count())
          ? 'd'
          : (await page.locator('[data-take][aria-disabled=false]').count())
            ? '1'
            : 't',
      );
    }
  }
  // Every line of the log was said, in its order; a line may be of two cards that were said one by one.
  const heard = await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
  await page.locator('[data-tab=log]').click();
  const log = (await page.locator('.tabpanel li:not(.heading)').allInnerTexts()).map((one) =>
    one.replace(/\s+/g, ' ').trim(),
  );
  // Cards are pictures in the log and words to the ear: who did what is the same.
  const first = (text: string) =>
    text
      .replace(/^(\p{L} )?\d+ /u, '')
      .split(' ')
      .slice(0, 2)
      .join(' ');
  expect(heard.length).toBeGreaterThan(25);
  const told = heard.map(first);
  const unsaid = log
    .map(first)
    .reverse()
    .filter((line) => {
      const at = told.lastIndexOf(line);
      if (at >= 0) told.length = at;
      return at < 0;
    });
  expect(log.length).toBeGreaterThan(15);
  expect(unsaid.length).toBeLessThan(4); // what was before this page was opened
});
