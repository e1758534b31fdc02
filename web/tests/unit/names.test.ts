import { describe, expect, test } from 'vitest';
import { botName, portraitOf, seatNames, sittingOf } from '../../src/ui/names.ts';

describe('names at a table', () => {
  const bot = (name: string) => ({ kind: 'bot', name: '', bot: name }) as const;
  const person = (name: string) => ({ kind: 'person', name, bot: '' }) as const;

  test('bots have their own, and a second of a kind a number', () => {
    expect(seatNames([person('Ada'), bot('conductor'), bot('conductor'), bot('director')])).toEqual([
      'Ada',
      'Bruno',
      'Bruno II',
      'Aurelia',
    ]);
  });

  test('nobody is called like a person who sits there', () => {
    expect(seatNames([bot('conductor'), person('Bruno')])).toEqual(['Bruno II', 'Bruno']);
  });

  test('are the same in a record', () => {
    expect(seatNames(sittingOf(['Ada', 'bot:conductor', 'bot:greedy']))).toEqual(['Ada', 'Bruno', 'Greedy']);
  });

  test('a level that plays sociably is the same somebody', () => {
    const mira = bot('driver:sociable');
    expect(seatNames([mira])).toEqual(['Mira']);
    expect(portraitOf(mira)).toBe(portraitOf(bot('driver')));
    expect([botName('driver:sociable'), botName('search:8')]).toEqual(['Driver, sociable', 'search:8']);
  });
});
