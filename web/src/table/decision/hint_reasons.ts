import { t } from '../../i18n/index.svelte.ts';
import type { Edition } from '../../lib/edition.ts';
import type { TicketGoal, Why } from '../../protocol.gen.ts';

/** What speaks for a hint, in sentences: which tickets, which cards, what the bot expects. */
export function reasons(why: Why, verb: string, bot: string, edition: Edition): string[] {
  const list = (goals: readonly TicketGoal[]) =>
    goals
      .map((goal) =>
        t('because.ticket', {
          ticket: edition.ticketName(goal.ticket),
          needs: t('ticket.needs', { count: goal.trains }),
        }),
      )
      .join(', ');
  const names = (goals: readonly TicketGoal[]) => goals.map((goal) => edition.ticketName(goal.ticket)).join(', ');
  const said: string[] = [];
  const goals = why.goals ?? [];
  if (verb === 'keep') {
    if (goals.length) said.push(t('because.kept', { tickets: list(goals) }));
  } else if (verb === 'claim') {
    const done = goals.filter((goal) => goal.trains === 0);
    const open = goals.filter((goal) => goal.trains > 0);
    if (done.length) said.push(t('because.completes', { tickets: names(done) }));
    if (open.length) said.push(t('because.nearer', { tickets: list(open) }));
    if (why.points != null) said.push(t('because.points', { count: why.points }));
  } else {
    if (why.route != null) {
      const params = { route: edition.routeName(why.route), count: why.missing ?? 0 };
      said.push(t(why.missing ? 'because.card' : 'because.card_last', params));
    } else if (why.missing != null) {
      said.push(t('because.deck', { count: why.missing }));
    }
    if (goals.length) said.push(t('because.serves', { tickets: list(goals) }));
  }
  if (why.spare != null && why.spare >= 0) said.push(t('because.spare', { count: why.spare }));
  if (why.chance != null) said.push(t('because.chance', { bot, percent: Math.round(100 * why.chance) }));
  return said;
}
