/** The texts of the numbered rules, with the numbers of an edition in them. */
import { named, t, type Key } from '../i18n/index.svelte.ts';
import type { Edition } from '../lib/edition.ts';

/** Return what a rule says in an edition; `rule` is its number, as "9.1". */
export function ruleText(rule: string, edition: Edition): string {
  const { numbers } = edition;
  const text = t(`rule.${rule.replace('.', '_')}` as Key, {
    stations: numbers.stations,
    unused: numbers.station_bonus,
    bonus: numbers.longest_bonus,
    order: numbers.tie_break.map((one) => named('tie', one, one)).join(', '),
  });
  return rule === '2.3' ? `${text} ${t(notKept(numbers))}` : text;
}

/** What happens to the first tickets that nobody keeps. */
function notKept({ deals, long_not_kept: long, regular_not_kept: regular }: Edition['numbers']): Key {
  if (regular === 'out') return 'rule.2_3_out';
  return long === 'out' && deals.some((deal) => deal.long > 0) ? 'rule.2_3_mixed' : 'rule.2_3_bottom';
}

/** Return the fewest tickets that anybody keeps of all deals at the start. */
export function fewestKept({ numbers: { deals } }: Edition): number {
  const long = deals.reduce((sum, deal) => sum + (deal.regular ? 0 : deal.keep_max), 0);
  return deals.reduce(
    (sum, deal) => sum + Math.min(deal.keep_min_without_long || deal.keep_min, deal.keep_min + long),
    0,
  );
}
