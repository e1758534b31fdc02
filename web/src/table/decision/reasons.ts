import { t } from '../../i18n/index.svelte.ts';
import type { Edition } from '../../lib/edition.ts';
import type { Goal, Why } from '../../protocol.gen.ts';

/** What speaks for a hint, in sentences: which tickets, which cards, what the bot expects. */
export function reasons(why: Why, verb: string, bot: string, edition: Edition): string[] {
  const list = (goals: readonly Goal[]) =>
    goals.map((goal) => t('reason.ticket', { ticket: edition.ticketName(goal.ticket), needs: t('ticket.needs', { count: goal.trains }) })).join(', ');
  const names = (goals: readonly Goal[]) => goals.map((goal) => edition.ticketName(goal.ticket)).join(', ');
  const said: string[] = [];
  const goals = why.goals ?? [];
  if (verb === 'keep') {
    if (goals.length) said.push(t('reason.kept', { tickets: list(goals) }));
  } else if (verb === 'claim') {
    const done = goals.filter((goal) => goal.trains === 0);
    const open = goals.filter((goal) => goal.trains > 0);
    if (done.length) said.push(t('reason.completes', { tickets: names(done) }));
    if (open.length) said.push(t('reason.nearer', { tickets: list(open) }));
    if (why.points != null) said.push(t('reason.points', { count: why.points }));
  } else {
    if (why.route != null) {
      const params = { route: edition.routeName(why.route), count: why.missing ?? 0 };
      said.push(t(why.missing ? 'reason.card' : 'reason.card_last', params));
    } else if (why.missing != null) {
      said.push(t('reason.deck', { count: why.missing }));
    }
    if (goals.length) said.push(t('reason.serves', { tickets: list(goals) }));
  }
  if (why.spare != null && why.spare >= 0) said.push(t('reason.spare', { count: why.spare }));
  if (why.chance != null) said.push(t('reason.chance', { bot, percent: Math.round(100 * why.chance) }));
  return said;
}
