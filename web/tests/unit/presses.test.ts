import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { guardPresses } from '../../src/ui/presses.ts';

/** Things to press, without a page: each is found from itself and from what lies in it. */
class Thing extends EventTarget {
  closest = () => this;
}

describe('a press', () => {
  let page: EventTarget;
  let end: () => void;
  let reached: string[];
  const [map, button] = [new Thing(), new Thing()];
  beforeEach(() => {
    page = new EventTarget();
    end = guardPresses(page);
    reached = [];
    for (const type of ['pointerdown', 'click']) page.addEventListener(type, () => reached.push(type));
  });
  afterEach(() => end());

  function send(type: string, on: Thing, more: object = {}): void {
    const event = new Event(type, { cancelable: true });
    const facts = { target: on, detail: 1, isPrimary: true, pointerType: 'touch', clientX: 100, clientY: 100, ...more };
    for (const [name, value] of Object.entries(facts)) Object.defineProperty(event, name, { value });
    page.dispatchEvent(event);
  }

  test('reaches what it came down on', () => {
    send('pointerdown', button, { timeStamp: 0 });
    send('click', button);
    expect(reached).toEqual(['pointerdown', 'click']);
  });

  test('does not reach what has appeared under it', () => {
    send('pointerdown', map, { timeStamp: 0 });
    send('click', button);
    expect(reached).toEqual(['pointerdown']);
    send('pointerdown', button, { timeStamp: 1_000 });
    send('click', button);
    expect(reached).toEqual(['pointerdown', 'pointerdown', 'click']);
  });

  test('is one of two: the second tap means what the first did', () => {
    send('pointerdown', map, { timeStamp: 0 });
    send('click', map);
    send('pointerdown', button, { timeStamp: 200, clientX: 110 });
    send('click', button);
    expect(reached).toEqual(['pointerdown', 'click']);
    send('pointerdown', button, { timeStamp: 600 });
    send('click', button);
    expect(reached).toHaveLength(4);
  });

  test('of a mouse, and two on the same thing, may be as quick as one likes', () => {
    send('pointerdown', map, { timeStamp: 0, pointerType: 'mouse' });
    send('pointerdown', button, { timeStamp: 50, pointerType: 'mouse' });
    send('click', button);
    send('pointerdown', button, { timeStamp: 100 });
    send('click', button);
    send('pointerdown', button, { timeStamp: 200 });
    send('click', button);
    expect(reached.filter((type) => type === 'click')).toHaveLength(3);
  });

  test('that no pointer makes is left alone: assistive technology and scripts', () => {
    send('click', button);
    send('pointerdown', map, { timeStamp: 0 });
    send('click', button, { detail: 0 });
    expect(reached).toEqual(['click', 'pointerdown', 'click']);
  });
});
