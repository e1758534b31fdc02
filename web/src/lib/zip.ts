/** Archives (ZIP) of small files, written and read. */

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_LENGTH = 22;
const MOST_COMMENT = 0xffff;
const MOST_BYTES = 16 << 20; // of one file: the most that a record may have
const VERSION = 20;
const NAMES_ARE_UTF8 = 0x0800;
const DEFLATED = 8;
const FIRST_DAY = 0x21; // 1 January 1980: when a file was written is nobody's business

/** Return an archive of files by their names. */
export async function zip(files: ReadonlyMap<string, Blob>): Promise<Blob> {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let at = 0;
  for (const [name, file] of files) {
    const plain = new Uint8Array(await file.arrayBuffer());
    const packed = await through(file, new CompressionStream('deflate-raw'), Infinity);
    const named = new TextEncoder().encode(name);
    const same: Field[] = [
      [2, VERSION],
      [2, NAMES_ARE_UTF8],
      [2, DEFLATED],
      [2, 0],
      [2, FIRST_DAY],
      [4, crc32(plain)],
      [4, packed.length],
      [4, plain.length],
      [2, named.length],
      [2, 0],
    ];
    const local = fields([4, LOCAL], ...same);
    parts.push(local, named, packed);
    directory.push(fields([4, CENTRAL], [2, VERSION], ...same, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), named);
    at += local.length + named.length + packed.length;
  }
  const { size } = new Blob(directory);
  const end = fields([4, END], [4, 0], [2, files.size], [2, files.size], [4, size], [4, at], [2, 0]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

/** Return the files of an archive by their names; throws for what is none, is damaged, or is too large. */
export async function unzip(archive: Blob): Promise<Map<string, Blob>> {
  const tail = await view(archive.slice(Math.max(0, archive.size - END_LENGTH - MOST_COMMENT)));
  let end = tail.byteLength - END_LENGTH;
  while (tail.getUint32(end, true) !== END) end -= 1; // throws before the beginning
  const directory = await view(archive.slice(tail.getUint32(end + 16, true)));
  const files = new Map<string, Blob>();
  let at = 0;
  for (let left = tail.getUint16(end + 10, true); left > 0; left -= 1) {
    if (directory.getUint32(at, true) !== CENTRAL) throw new Error('no directory');
    const [method, crc] = [directory.getUint16(at + 10, true), directory.getUint32(at + 16, true)];
    const [packed, size] = [directory.getUint32(at + 20, true), directory.getUint32(at + 24, true)];
    const named = directory.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + 46, named));
    const begin = directory.getUint32(at + 42, true);
    at += 46 + named + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
    const local = await view(archive.slice(begin, begin + 30));
    if (local.getUint32(0, true) !== LOCAL || size > MOST_BYTES) throw new Error('no such file');
    const data = begin + 30 + local.getUint16(26, true) + local.getUint16(28, true);
    const inside = archive.slice(data, data + packed);
    if (method !== 0 && method !== DEFLATED) throw new Error('packed in another way');
    const unpacking = method ? new DecompressionStream('deflate-raw') : null;
    const plain = unpacking ? await through(inside, unpacking, size) : new Uint8Array(await inside.arrayBuffer());
    if (plain.length !== size || crc32(plain) !== crc) throw new Error('damaged');
    files.set(name, new Blob([plain]));
  }
  return files;
}

type Field = readonly [bytes: 2 | 4, value: number];

function fields(...all: readonly Field[]): Uint8Array<ArrayBuffer> {
  const written = new DataView(new ArrayBuffer(all.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of all) {
    if (bytes === 2) written.setUint16(at, value, true);
    else written.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(written.buffer);
}

const view = async (part: Blob): Promise<DataView<ArrayBuffer>> => new DataView(await part.arrayBuffer());

/** Return what comes out of a stream that a file is sent through; throws where that is more than `most` bytes. */
async function through(
  file: Blob,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const out = file.stream().pipeThrough(stream).getReader();
  const parts: BlobPart[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await out.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    size += value.length;
    if (size > most) {
      await out.cancel();
      throw new Error('larger than it says');
    }
  }
}

function crc32(data: Uint8Array): number {
  let crc = -1;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
