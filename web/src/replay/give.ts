import { download } from '../ui/download.ts';

/** Give a file to the apps of a phone, messengers among them, or else let the browser save it. */
export async function give(file: Blob, name: string): Promise<void> {
  const one = new File([file], name, { type: file.type });
  if (!matchMedia('(pointer: coarse)').matches || !navigator.canShare?.({ files: [one] })) return download(file, name);
  await navigator.share({ files: [one] }).catch((problem: Error) => {
    if (problem.name !== 'AbortError') download(file, name); // it took longer than a press lasts
  });
}
