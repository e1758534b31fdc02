import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';

const LINES = 12; // of a message
// eslint-disable-next-line no-control-regex -- colours of a terminal
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Says at the very end, in brief, what each failed test had found: a log that was cut off still has it. */
export default class Failures implements Reporter {
  readonly #failed: { readonly test: TestCase; readonly result: TestResult }[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status !== test.expectedStatus && result.status !== 'skipped') this.#failed.push({ test, result });
  }

  onEnd(_: FullResult): void {
    for (const { test, result } of this.#failed) {
      console.log(
        `\n${test.location.file.split('/').at(-1)}:${test.location.line} ${test.title} (try ${result.retry + 1})`,
      );
      for (const { message } of result.errors)
        console.log((message ?? '').replace(COLOURS, '').split('\n').slice(0, LINES).join('\n'));
    }
  }
}
