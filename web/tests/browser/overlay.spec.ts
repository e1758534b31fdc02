/** The screen of a table for a stream: over nothing, later if wanted, and never with the hand of whoever opens it. */
import { expect, playBots, SMALL, test } from './support/test.ts';

test('a stream shows what everybody may see, later, with nothing behind it', async ({ person }) => {
  const ada = await person(SMALL);
  await playBots(ada, 'usa');
  await expect(ada.locator('.hand-panel')).toBeVisible();

  let told = 0;
  ada.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"type":"state"')) told ||= Date.now();
    }),
  );
  await ada.goto(`${ada.url()}#overlay=3`);
  await ada.reload(); // as a program for streams opens it; this browser holds a seat
  await ada.locator('.chips').waitFor();
  expect(Date.now() - told).toBeGreaterThanOrEqual(3_000);
  await expect(ada.locator('.hand-panel')).toHaveCount(0);
  await expect(ada.locator('.display-panel')).toBeVisible();
  await expect(ada.getByRole('button', { name: 'Menu' })).toHaveCount(0);
  const behind = await ada.evaluate(() =>
    ['html', 'body', '.table', '.board'].map((one) => getComputedStyle(document.querySelector(one)!).backgroundColor),
  );
  expect(new Set(behind)).toEqual(new Set(['rgba(0, 0, 0, 0)']));
});
