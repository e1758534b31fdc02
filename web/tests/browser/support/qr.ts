import decodeQR from 'qr/decode.js';
import { whileDrawn, type Page } from './test.ts';

/** Return what a camera reads that looks at a part of a page: from the pixels that are drawn there. */
export async function decodeQr(page: Page, part: string): Promise<string> {
  const png = (await whileDrawn(page, () => page.locator(part).screenshot())).toString('base64');
  const { width, height, pixels } = await page.evaluate(async (data) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
    canvas.drawImage(bitmap, 0, 0);
    const { data: drawn } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    // As letters: every number of a list would be looked at on the way.
    let letters = '';
    for (let at = 0; at < drawn.length; at += 4096) letters += String.fromCharCode(...drawn.subarray(at, at + 4096));
    return { width: bitmap.width, height: bitmap.height, pixels: btoa(letters) };
  }, png);
  return decodeQR({ width, height, data: new Uint8Array(Buffer.from(pixels, 'base64')) });
}
