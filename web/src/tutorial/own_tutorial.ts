/** A tutorial of somebody's own: two files, of which one is the record and one its notes. The server proves the record. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Key } from '../i18n/index.svelte.ts';
import type { Notes, Tutorial, TutorialStep } from '../protocol.gen.ts';

/** Return the tutorial of some files, or the key of what is wrong with them. */
export function ownTutorial(texts: readonly string[]): Tutorial | Key {
  const notes = texts.map(parsed).find((one) => one?.notes === 'ferrovia');
  const record = texts.find((text) => text.startsWith('{"record"'));
  if (!notes || !record || !isWhole(notes)) return 'learn.own_wrong';
  if (bytesToHex(sha256(utf8ToBytes(record))) !== notes.record) return 'learn.own_other';
  return { notes, record };
}

function parsed(text: string): Notes | null {
  try {
    return JSON.parse(text) as Notes | null;
  } catch {
    return null;
  }
}

/** Whether notes have what the page needs. */
function isWhole({ version, steps, title, seat }: Notes): boolean {
  return (
    version === 1 &&
    Array.isArray(steps) &&
    typeof steps[0]?.at === 'string' &&
    steps.every(isStep) &&
    typeof title?.['en'] === 'string' &&
    Number.isInteger(seat)
  );
}

function isStep({ text, question }: TutorialStep): boolean {
  if (typeof text?.['en'] !== 'string') return false;
  if (!question) return true;
  const { answers, right } = question;
  return (
    Array.isArray(answers) &&
    answers.every((answer) => typeof answer?.['en'] === 'string') &&
    Number.isInteger(right) &&
    right in answers
  );
}
