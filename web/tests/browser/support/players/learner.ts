/** Somebody who goes through a tutorial: what its notes ask for, and what to press for it. */
import type { Page } from '@playwright/test';
import { tutorialNotes } from '../../../support/catalogues.ts';

type Texts = Readonly<Record<string, string>>;
export interface Step {
  readonly goal?: {
    readonly does: string;
    readonly ferry?: boolean;
    readonly tunnel?: boolean;
    readonly completes?: boolean;
  };
  readonly question?: { readonly right: number; readonly answers: readonly Texts[] };
  readonly arrow?: string;
  readonly text: Texts;
  readonly touch?: Texts;
  readonly keys?: Texts;
}
export interface Notes {
  readonly steps: readonly Step[];
}
export const notesOf = (name: string) => tutorialNotes(name) as Notes;

/** The route that a step is about, where it is one. */
export const routeFor = (step: Step): string | undefined =>
  step.goal?.completes ? 'duluth-helena' : step.arrow?.includes('-') ? step.arrow : undefined;

/** Runs in the page: the next thing to press Enter on for a goal; null while there is nothing to do. */
export function wanted(goal: { does: string; route?: string | undefined }): string | null {
  const has = (selector: string) => document.querySelector(selector) !== null;
  if (has('.table[aria-busy=true]')) return null;
  const free = '[aria-disabled=false]';
  const route = goal.route ? `[data-route="${goal.route}"][data-open]` : '[data-route][data-open]';
  const ways: Record<string, string[]> = {
    keep: [],
    any: [`[data-draw]${free}`, `[data-take]${free}`, route],
    claim: [route],
    cards: [`[data-draw]${free}`],
    tickets: [`[data-tickets]${free}`],
    station: [`[data-station]${free}`],
  };
  const asked = [
    '[data-keep]:enabled',
    '.dock .ticket[aria-pressed=false]',
    '.dock [data-pay]',
    '[data-withdraw]',
    '[data-draw-tickets]',
    '[data-city][data-site]',
  ];
  return [...asked, ...(ways[goal.does] ?? [])].find(has) ?? null;
}

export async function press(page: Page, selector: string): Promise<void> {
  // The focus goes to what a keyboard can reach: the element itself, or the map with its arrow keys.
  await page.locator(selector).first().focus();
  await page.keyboard.press('Enter');
}
