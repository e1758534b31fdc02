/** A whole board in a link: no server keeps it. What comes from strangers is checked like every file. */
import { boardText, readBoard, type BoardDocument } from './board_document.ts';

const BEGINNING = '#/editor/board/';
const LARGEST = 1 << 20; // of a board file

async function through(bytes: Uint8Array<ArrayBuffer>, way: CompressionStream | DecompressionStream, most: number) {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream = new Blob([bytes]).stream().pipeThrough(way) as ReadableStream<Uint8Array>;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > most) throw new Error('too large');
    parts.push(part.value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Return the end of an address at which the editor opens with this board. */
export async function linkTo(document: BoardDocument): Promise<string> {
  const bytes = new TextEncoder().encode(boardText(document));
  const packed = await through(bytes, new CompressionStream('deflate-raw'), LARGEST);
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  return BEGINNING + letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Return the board of such an address; null for any other one. */
export async function readLink(hash: string): Promise<BoardDocument | null> {
  if (!hash.startsWith(BEGINNING) || hash.length > LARGEST) return null;
  try {
    const letters = atob(hash.slice(BEGINNING.length).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream('deflate-raw'), LARGEST);
    return readBoard(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}
