/** What the workshop and the page for counting ask of the server. */
import type {
  BoardWork,
  Count,
  CountTable,
  EditedFile,
  Land,
  Offerings,
  OpenedBoard,
  PackTicket,
  Regions,
  SavedFile,
  ShareCount,
  SharedCount,
  WorldCities,
} from '../protocol.gen.ts';
import type { Server } from './http.ts';

const json = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T;

/** The score of a game that lies on a table of cardboard. */
export const countTable = (server: Server, table: CountTable) => json<Count>(server.ask('api/counts', table));

/** Its picture, with names and totals, as SVG. */
export const countPicture = async (server: Server, table: CountTable): Promise<string> =>
  (await server.ask('api/counts/picture', table)).text();

/** Tell the others what was entered here, and hear what they entered. */
export const shareCount = (server: Server, name: string, body: ShareCount) =>
  json<SharedCount>(server.ask(`api/counts/shared/${encodeURIComponent(name)}`, body));

/** Something that is done with a board: made, read from files, checked, given tickets, tried by bots. */
export const boardWork = <T>(server: Server, work: BoardWork) => json<T>(server.ask('api/workshop/works', work));

/** The regions that a board can be made of. */
export const regionList = (server: Server) => json<Regions>(server.ask('api/workshop/regions'));

/** Cities of the world by the beginning of their names, the nearest to a place first. */
export const placesCalled = (server: Server, called: string, near: readonly [number, number] | null) =>
  json<WorldCities>(
    server.ask(
      `api/workshop/places?called=${encodeURIComponent(called)}${near ? `&near=${near.map((one) => one.toFixed(2)).join(',')}` : ''}`,
    ),
  );

/** Coasts and lakes of a box: south, west, north, east. */
export const landIn = (server: Server, box: readonly number[]) =>
  json<Land>(server.ask(`api/workshop/land?box=${box.map((side) => side.toFixed(2)).join(',')}`));

/** Enter the tickets of a box that nobody could find for us; none: take them away again. */
export const enterPack = (server: Server, pack: string, tickets: readonly PackTicket[]) =>
  json<Offerings>(server.ask('api/packs', { pack, tickets }));

/** Offer a board of one's own at the server, to set up tables with it. */
export const openBoard = (server: Server, board: string) =>
  json<OpenedBoard>(server.ask('api/workshop/boards', { board }));

/** The file of `ferrovia edit`, without its text where it still is the version that is known. */
export const editedFile = (server: Server, known: string) =>
  json<EditedFile>(server.ask(`api/workshop/file?known=${known}`));

/** Write it, unless it is no longer the version `after`. */
export const saveFile = (server: Server, board: string, after: string) =>
  json<SavedFile>(server.ask('api/workshop/file', { board, after }));
