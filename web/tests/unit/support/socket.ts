import type { Socket } from '../../../src/connection/connection.ts';

/** A socket whose server is the test. */
export class FakeSocket implements Socket {
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.closed = true;
  }
  say(message: unknown) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}
