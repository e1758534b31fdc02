import type { Server } from '../connection/http.ts';
import { takenBack } from '../lib/log.ts';
import { load, save } from '../lib/storage.ts';
import { TableModel } from '../lib/table.svelte.ts';
import { newToken } from '../connection/tokens.ts';
import type { Notes, Tutorial } from '../protocol.gen.ts';
import { outcomeOf, type Outcome } from './goals.ts';

interface Progress {
  readonly step: number;
  /** The table of each step that has one, and the number of the last event when the step began. */
  readonly tables: Record<number, { table: string; token: string }>;
  readonly begun: Record<number, number>;
}

/** A tutorial that somebody goes through: which step, at which table, and whether its goal is met. */
export class Lesson {
  readonly tutorial: Tutorial;
  readonly name: string;
  step = $state(0);
  model = $state.raw<TableModel | null>(null);
  busy = $state(false);
  error = $state.raw<unknown>(null);
  /** The answer that was given to the question of this step. */
  answered = $state<number | null>(null);
  #begun = $state.raw<Record<number, number>>({});
  #tables: Record<number, { table: string; token: string }> = {};
  #doneBefore: ReadonlySet<string> = new Set();
  #leave: (() => void) | null = null;
  readonly #server: Server;

  constructor(server: Server, name: string, tutorial: Tutorial) {
    this.#server = server;
    this.name = name;
    this.tutorial = tutorial;
  }

  get notes(): Notes {
    return this.tutorial.notes;
  }

  readonly current = $derived.by(() => this.tutorial.notes.steps[this.step]!);
  readonly last = $derived.by(() => this.step === this.tutorial.notes.steps.length - 1);

  /** What has come of this step so far. */
  readonly outcome: Outcome = $derived.by(() => {
    const { goal, question } = this.current;
    if (question) return this.answered === question.right ? 'met' : 'open';
    if (!goal) return 'met';
    const model = this.model;
    const begun = this.#begun[this.step];
    if (!model?.edition || model.seat === null || begun === undefined) return 'open';
    const gone = takenBack(model.entries);
    const since = model.entries.filter((entry) => entry.number > begun && !gone.has(entry.number));
    return outcomeOf(goal, since, {
      edition: model.edition,
      seat: model.seat,
      doneBefore: this.#doneBefore,
      own: model.own,
    });
  });

  /** Whether a tunnel was tried in this step and given up. */
  readonly gaveUp = $derived.by(() => {
    const begun = this.#begun[this.step] ?? 0;
    const gone = takenBack(this.model?.entries ?? []);
    return (this.model?.entries ?? []).some(
      (entry) =>
        entry.entry === 'decided' &&
        entry.number > begun &&
        !gone.has(entry.number) &&
        entry.seat === this.model?.seat &&
        entry.events.some((event) => event.event === 'withdraw'),
    );
  });

  /** Go on where this browser has left it, or begin. */
  async open(): Promise<void> {
    const kept = read(this.name, this.tutorial.notes.record);
    if (kept && kept.step < this.tutorial.notes.steps.length) {
      this.#tables = kept.tables;
      this.#begun = kept.begun;
      await this.#enter(kept.step);
    } else await this.#enter(0);
  }

  next = async (): Promise<void> => {
    if (this.outcome === 'met' && !this.last) await this.#enter(this.step + 1);
  };

  back = async (): Promise<void> => {
    await this.#enter(this.outcome === 'otherwise' || this.step === 0 ? this.step : this.step - 1, true);
  };

  again = async (): Promise<void> => {
    this.#tables = {};
    this.#begun = {};
    await this.#enter(0);
  };

  leave = (): void => {
    this.#leave?.();
    this.#leave = null;
  };

  /** Enter a step: at the table it begins with, taken back to where it began if it was there before. */
  async #enter(step: number, back = false): Promise<void> {
    this.busy = true;
    this.error = null;
    try {
      const segment = this.#segmentOf(step);
      const fresh = step === segment && (back || !this.#tables[segment]);
      if (fresh || !this.#tables[segment]) await this.#fork(segment);
      const at = this.#tables[segment]!;
      if (this.model?.id !== at.table) {
        this.leave();
        const model = new TableModel(this.#server, at.table, at.token);
        model.noted = false;
        this.model = model;
        this.#leave = model.start();
      }
      const model = this.model!;
      await until(() => model.state !== null && model.edition !== null);
      const begun = this.#begun[step];
      if (back && !fresh && begun !== undefined) await this.#takeBack(model, begun);
      this.step = step;
      this.answered = null;
      this.#doneBefore = new Set(model.own?.tickets.filter((ticket) => ticket.done).map((ticket) => ticket.id));
      this.#begun = {
        ...this.#begun,
        [step]:
          back && !fresh && begun !== undefined
            ? begun
            : fresh || begun === undefined
              ? (model.state?.number ?? 0)
              : begun,
      };
      keep(this.name, this.tutorial.notes.record, { step, tables: this.#tables, begun: this.#begun });
    } catch (problem) {
      this.error = problem;
    } finally {
      this.busy = false;
    }
  }

  /** The step at which the game of a step was begun anew. */
  #segmentOf(step: number): number {
    let at = step;
    while (at > 0 && this.tutorial.notes.steps[at]?.at == null) at -= 1;
    return at;
  }

  async #fork(step: number): Promise<void> {
    const { seat, bot, steps } = this.tutorial.notes;
    const token = newToken();
    const made = await this.#server.fork(
      {
        at: steps[step]?.at ?? '0',
        seat,
        name: load('name') || 'Ferrovia',
        bot: bot ?? 'passenger',
        cards: 'same',
        record: this.tutorial.record,
      },
      token,
    );
    const held = made.held.find((one) => one.seat === seat)?.token ?? token;
    this.#tables = { ...this.#tables, [step]: { table: made.table, token: held } };
  }

  /** Take back what was decided since: a practice table allows it at any time. */
  async #takeBack(model: TableModel, begun: number): Promise<void> {
    for (let tries = 0; tries < 12; tries += 1) {
      const gone = takenBack(model.entries);
      const own = model.entries.some(
        (entry) =>
          entry.entry === 'decided' && entry.number > begun && entry.seat === model.seat && !gone.has(entry.number),
      );
      if (!own) return;
      const before = model.state?.number ?? 0;
      await model.send({ type: 'undo' });
      await until(() => (model.state?.number ?? 0) > before);
    }
  }
}

/** Wait until something is so; at most a quarter of a minute. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries += 1) {
    if (tries > 300) throw new Error('unreachable');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function read(name: string, record: string): Progress | null {
  try {
    const kept = JSON.parse(load(`lesson.${name}`) ?? 'null') as (Progress & { record: string }) | null;
    return kept?.record === record ? kept : null;
  } catch {
    return null;
  }
}

function keep(name: string, record: string, progress: Progress): void {
  save(`lesson.${name}`, JSON.stringify({ ...progress, record }));
}

/** Return how far this browser is with a tutorial: the number of its step, or null. */
export function stepReached(name: string): number | null {
  try {
    return (JSON.parse(load(`lesson.${name}`) ?? 'null') as Progress | null)?.step ?? null;
  } catch {
    return null;
  }
}
