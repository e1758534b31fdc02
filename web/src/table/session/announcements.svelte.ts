import { untrack } from 'svelte';
import { t } from '../../i18n/index.svelte.ts';
import { logLines, type LogLine, type Names } from '../../lib/log.ts';
import type { TableModel } from '../../lib/table.svelte.ts';
import { cardListText } from '../../ui/names.ts';

const KEPT = 40; // lines that the live region keeps

/** Events in words, to be read aloud. It has an effect, as the session has. */
export class Announcements {
  /** The last ones stay, so that none is lost when several come at once. */
  lines = $state.raw<readonly { readonly id: string; readonly text: string }[]>([]);
  /** The lines of the log that came with the last message. */
  readonly news: readonly LogLine[] = $derived.by(() =>
    this.#model.news.flatMap((entry) => logLines(entry, this.#names())),
  );
  readonly #model: TableModel;
  readonly #names: () => Names;

  constructor(model: TableModel, names: () => Names) {
    this.#model = model;
    this.#names = names;
    $effect(() => {
      const spoken = this.news.map((line, at) => ({
        id: `${line.number}.${at}`,
        text: [t(line.key, line.params), cardListText(line.cards)].filter(Boolean).join(' '),
      }));
      untrack(() => {
        const known = new Set(spoken.map((line) => line.id));
        this.lines = [...this.lines.filter((line) => !known.has(line.id)), ...spoken].slice(-KEPT);
      });
    });
  }
}
