/** Finding tickets, routes and cities by a few letters, whatever their accents. */

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Return whether every word of what was typed begins a word of a name. */
export function matches(typed: string, name: string): boolean {
  const words = plain(name).split(/[^\p{L}\p{N}]+/u);
  return plain(typed)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)));
}
