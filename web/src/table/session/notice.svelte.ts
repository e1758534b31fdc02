import { RULE_OF } from '../../rules/chapters.ts';

const SHOWN = 7_000; // milliseconds

/** The short text over the board: a reason, or an answer. */
export class Notice {
  text = $state<string | null>(null);
  /** The rule behind it, where it is a refusal: it leads to the rules. */
  rule = $state<string | null>(null);
  /** The route or city that it is about: it keeps clear of it. */
  about = $state<string | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Show a text for a while. */
  say(text: string, reason: string | null | undefined = null, about: string | null = null): void {
    this.text = text;
    this.about = about;
    this.rule = reason ? (RULE_OF[reason] ?? null) : null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.clear, SHOWN);
  }

  clear = (): void => {
    this.text = null;
  };
}
