/** Whose face belongs to a seat: whatever shows players learns it from the page around it. */
import { getContext, setContext } from 'svelte';
import type { TableModel } from '../lib/table.svelte.ts';
import { portraitOf, seatName } from './names.ts';

export interface Face {
  readonly portrait: string;
  readonly name: string;
}
export type FaceOf = (seat: number) => Face | null;

const KEY = Symbol('faces');

/** Let everything inside this component show the faces of these seats. */
export const showFaces = (faceOf: FaceOf): unknown => setContext(KEY, faceOf);
/** Whose faces are shown around this component; nobody's where nothing says so. */
export const facesAround = (): FaceOf => getContext<FaceOf | undefined>(KEY) ?? (() => null);

/** The face of somebody at a table; null while nobody sits there. */
export function faceAt(model: TableModel, seat: number): Face | null {
  const sitting = model.table?.seats[seat];
  if (!sitting || sitting.kind === 'open') return null;
  return { portrait: portraitOf(sitting), name: seatName(model.table?.seats, seat) };
}
