/** Tabs by keyboard. */

/** Return the tab that a key leads to: arrow keys go round, Home and End to the first and the last; undefined for any other key. */
export function tabAfter<T>(key: string, tabs: readonly T[], tab: T): T | undefined {
  const at = tabs.indexOf(tab);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[key];
  return to === undefined ? undefined : tabs.at(to % tabs.length);
}
