import { describe, expect, test, vi } from 'vitest';
import { whenever } from '../../src/notice/notice.ts';

describe('a notice', () => {
  test('is given when a turn begins, not when a page is opened in the middle of it', () => {
    const act = vi.fn();
    const told = whenever(act);
    told(true);
    expect(act).not.toHaveBeenCalled();
    told(true);
    told(false);
    told(true);
    told(true);
    expect(act).toHaveBeenCalledTimes(1);
    told(false);
    told(true);
    expect(act).toHaveBeenCalledTimes(2);
  });
});
