// A player who only clicks: plays a game through the page to its final score.

/** Sideways scrolling, and things that stick out of the window. */
export async function overflow(page) {
  return page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    const out = [...document.querySelectorAll('button, input, select, h1, h2, h3, p')]
      .filter((one) => !one.closest('.unseen, svg, [class*=scroll], [data-board]') && one.getClientRects().length)
      .filter((one) => {
        const box = one.getBoundingClientRect();
        return box.width > 1 && (box.left < -1 || box.right > window.innerWidth + 1);
      })
      .map((one) => `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 30)}`);
    return { wide, out };
  });
}

async function press(page, selector) {
  const found = page.locator(selector).first();
  if (!(await found.isVisible().catch(() => false))) return false;
  await found.click({ timeout: 3_000 }).catch(() => {});
  return true;
}

async function tab(page, name) {
  await press(page, `[data-tab=${name}]`);
}

/** One decision by clicks; gives its kind. */
export async function decide(page, seen) {
  if (await page.locator('[data-keep]').isVisible().catch(() => false)) {
    await seen(page, 'offer');
    const tickets = page.locator('.dock .ticket');
    for (let at = 0; at < (await tickets.count()); at += 1) {
      if (await page.locator('[data-keep]').isEnabled()) break;
      await tickets.nth(at).click();
    }
    await seen(page, 'offer-chosen');
    await press(page, '[data-keep]');
    return 'keep';
  }
  if (await page.locator('[data-withdraw]').isVisible().catch(() => false)) {
    await seen(page, 'tunnel');
    if (!(await press(page, '.dock [data-pay]'))) await press(page, '[data-withdraw]');
    return 'tunnel';
  }
  if (await press(page, '[data-pass]')) return 'pass';
  await tab(page, 'routes');
  const routes = page.locator('[data-list-route].open');
  const many = await routes.count();
  if (many > 0 && seen.turn % 3 !== 0) {
    await seen(page, 'routes');
    await routes.nth(many - 1).click({ timeout: 3_000 });
    if (await page.locator('.dock [data-pay]').first().isVisible().catch(() => false)) {
      await seen(page, (await page.locator('.dock [data-pay]').count()) > 1 ? 'paying-many' : 'paying-one');
      await press(page, '.dock [data-pay]');
      return 'claim';
    }
  }
  await tab(page, 'cards');
  await seen(page, 'turn');
  for (let card = 0; card < 2; card += 1) {
    if (!(await press(page, '[data-draw][aria-disabled=false]'))) {
      if (!(await press(page, '[data-take][aria-disabled=false]'))) {
        if (await press(page, '[data-tickets][aria-disabled=false]')) await press(page, '[data-draw-tickets]');
        break;
      }
    }
    await page.waitForTimeout(60);
  }
  return 'draw';
}

/** Play until the score is shown. */
export async function playOut(page, seen, limit = 240_000) {
  const until = Date.now() + limit;
  seen.turn = 0;
  const kinds = {};
  while (Date.now() < until) {
    if (await page.locator('.final').isVisible().catch(() => false)) return kinds;
    if (await page.locator('header.mine').isVisible().catch(() => false)) {
      if (await page.locator('header :is(.last, .last-line)').isVisible()) await seen(page, 'last-round');
      const kind = await decide(page, seen);
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      seen.turn += 1;
    }
    await page.waitForTimeout(40);
  }
  throw new Error('the game did not end in time');
}
