import type { Page } from './test.ts';

/** Put up a table for the room on a large screen; returns the six letters. */
export async function openRoom(screen: Page, edition: string): Promise<string> {
  await screen.locator(`[data-edition=${edition}]`).check();
  await screen.locator('[data-setup=room]').click();
  await screen.locator('[data-create]').click();
  return screen.locator('[data-code]').innerText();
}

/** Find the table by the letters on the screen, and give a name; what is left is to sit down. */
export async function findRoom(phone: Page, code: string, name: string): Promise<void> {
  await phone.locator('[data-room-code]').fill(code.toLowerCase());
  await phone.locator('[data-find-room]').click();
  await phone.locator('[data-sit]').waitFor(); // the start page has a field for a name too
  await phone.locator('[data-name]').fill(name);
}
