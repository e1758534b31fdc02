/**
 * How long the tutorials take: `npm run speed:learn`. Somebody goes through each of them in every language at the real table
 * with its usual holds, paces and scenes, reads every text and every answer at 200 words a minute, looks for two seconds before each press,
 * and goes on by Next. The clock is that of the wall, so a busy machine only makes it longer.
 */
import { notesOf, press, routeFor, wanted, type Step } from '../../tests/browser/support/players/learner.ts';
import { sized, test, type Page } from '../../tests/browser/support/test.ts';

const WORDS_A_MINUTE = 200;
const LOOKING = 2_000; // milliseconds before a press
const LANGUAGES = ['en', 'es', 'pt', 'ro'] as const;

const words = (text: string) => text.split(/\s+/).length;
/** What is to be read of a step, in words; by keyboard the texts are the longest. */
const toRead = (step: Step, language: string) =>
  words((step.keys ?? step.text)[language]!) +
  (step.question?.answers ?? []).reduce((sum, answer) => sum + words(answer[language]!), 0);

/** Go through a tutorial as a reader does; returns the seconds until the first own claim, and until the end. */
async function learn(page: Page, name: string, language: string): Promise<{ claim: number; end: number }> {
  const guide = page.locator('.guide');
  const began = Date.now();
  const since = () => (Date.now() - began) / 1000;
  const act = async (selector: string) => {
    await page.waitForTimeout(LOOKING);
    await press(page, selector);
  };
  await page.evaluate((one) => (location.hash = `#/learn/${one}`), name);
  await guide.waitFor();
  const { steps } = notesOf(name);
  let claim = 0;
  for (const [at, step] of steps.entries()) {
    await page.locator(`.guide[data-step="${at}"]`).waitFor();
    await page.waitForTimeout((60_000 / WORDS_A_MINUTE) * toRead(step, language));
    if (step.question) await act(`[data-answer="${step.question.right}"]`);
    while (step.goal && (await guide.getAttribute('data-outcome')) !== 'met') {
      const next = await page.evaluate(wanted, { does: step.goal.does, route: routeFor(step) });
      if (next) await act(next);
      else await page.waitForTimeout(50);
    }
    if (step.goal?.does === 'claim') claim ||= since();
    if (at < steps.length - 1) await act('[data-next]:enabled');
  }
  return { claim, end: since() };
}

for (const name of ['usa', 'europe']) {
  test(`how long the tutorial ${name} takes`, async ({ person }) => {
    const pages = await Promise.all(
      LANGUAGES.map((locale) =>
        person({ viewport: sized(1280), locale, settings: {}, reducedMotion: 'no-preference' }),
      ),
    );
    const taken = await Promise.all(pages.map((page, at) => learn(page, name, LANGUAGES[at]!)));
    for (const [at, { claim, end }] of taken.entries())
      console.log(
        `${name}, ${LANGUAGES[at]}: first claim after ${claim.toFixed(0)} s, the end after ${Math.floor(end / 60)} min ${Math.round(end % 60)} s`,
      );
  });
}
