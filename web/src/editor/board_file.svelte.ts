/** A board file on the disk: what is changed here goes there, and what other programs change there comes here. */
import { errorCode, type Server } from '../connection/http.ts';
import { editedFile, saveFile } from '../connection/workshop.ts';
import type { BoardEditor } from './board_editor.svelte.ts';
import { boardText, readBoard, type BoardDocument } from './board_document.ts';

const PAUSE = 1_000; // milliseconds between two looks at the disk
const SETTLED = 400; // after the last change

export class BoardFile {
  /** Its name, empty until it has been read; then it can be written too. */
  name = $state('');
  /** What is wrong: another program was faster, the file is no board, or the code of a refusal. */
  problem = $state<'changed' | 'unreadable' | { readonly code: string } | null>(null);
  readonly #server: Server;
  readonly #editor: BoardEditor;
  readonly #onread: () => void;
  #version = '';
  /** What is in the file, as far as it is known. */
  #written: BoardDocument | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  /** `onread`: another board came from the disk. */
  constructor(server: Server, editor: BoardEditor, onread: () => void) {
    this.#server = server;
    this.#editor = editor;
    this.#onread = onread;
    void this.#look();
  }

  stop = (): void => {
    this.#stopped = true;
    clearTimeout(this.#timer);
  };

  /** Look at the disk, write what was changed here, and look again later. */
  async #look(): Promise<void> {
    try {
      await this.#read();
      if (this.problem !== 'unreadable') await this.#write();
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'stale') this.problem = { code }; // somebody was faster: it is read next
    }
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#look(), PAUSE);
  }

  async #read(): Promise<void> {
    const editor = this.#editor;
    const { name, version, board } = await editedFile(this.#server, this.#version);
    const first = this.name === '';
    this.name = name;
    if (typeof this.problem === 'object') this.problem = null;
    if (version === this.#version) {
      if (first) this.#written = editor.document; // there is no file yet
      return;
    }
    const document = readBoard(board ?? '');
    this.#version = version;
    if (!document) {
      this.problem = 'unreadable';
      return;
    }
    this.problem = !first && editor.document !== this.#written ? 'changed' : null;
    this.#written = document;
    if (first) editor.show(document);
    else editor.change(document);
    editor.exported();
    this.#onread();
  }

  /** Write what was changed here, once nothing has been changed for a moment. */
  async #write(): Promise<void> {
    const { document } = this.#editor;
    if (document === this.#written) return;
    await new Promise((done) => setTimeout(done, SETTLED));
    if (document !== this.#editor.document) return;
    const { version } = await saveFile(this.#server, boardText(document), this.#version);
    this.#version = version;
    this.#written = document;
    this.problem = null;
    if (document === this.#editor.document) this.#editor.exported();
  }
}
