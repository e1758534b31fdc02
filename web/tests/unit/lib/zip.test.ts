import { describe, expect, test } from 'vitest';
import { unzip, zip } from '../../../src/lib/zip.ts';

const files = new Map([
  ['games.json', new Blob(['{}'])],
  ['München.jsonl', new Blob(['a line of a record\n'.repeat(1000)])],
  ['empty', new Blob([])],
]);
const texts = async (archive: Map<string, Blob>) =>
  Promise.all([...archive].map(async ([name, file]) => [name, await file.text()]));

describe('an archive', () => {
  test('gives its files back, and is smaller than they are', async () => {
    const archive = await zip(files);
    expect(archive.size).toBeLessThan(1000);
    expect(await texts(await unzip(archive))).toEqual(await texts(files));
  });
  test('may have a comment', async () => {
    const archive = await zip(files);
    expect((await unzip(new Blob([archive, 'a comment']))).size).toBe(3);
  });
  test('that is damaged anywhere is refused, or gives what was in it', async () => {
    const inside = async (archive: Map<string, Blob>) => Promise.all([...archive.values()].map((file) => file.text()));
    const bytes = new Uint8Array(await (await zip(files)).arrayBuffer());
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = bytes.slice();
      damaged[at]! ^= 0x41;
      const read = await unzip(new Blob([damaged])).then(inside, () => null);
      if (read) expect(read).toEqual(await inside(files)); // the names of files are not summed up
    }
  });
  test.each(['', 'no archive', '{"form":"ferrovia-games"}', 'PK'])('%s is none', async (text) => {
    await expect(unzip(new Blob([text]))).rejects.toThrow();
  });
});
