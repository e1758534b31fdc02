import { expect, test } from 'vitest';
import { Server } from '../../../src/connection/http.ts';

const answering = (fetcher: (init: RequestInit) => Promise<Response>) =>
  new Server({ request: (_, init) => fetcher(init), open: () => null! });

test('a request has a time limit, and one that runs out did not reach the server', async () => {
  let limit: AbortSignal | null | undefined;
  const server = answering(({ signal }) => {
    limit = signal;
    return Promise.reject(new DOMException('timeout', 'TimeoutError'));
  });
  await expect(server.tables()).rejects.toMatchObject({ code: 'unreachable' });
  expect(limit).toBeInstanceOf(AbortSignal);
});

test('an answer that breaks off did not reach us', async () => {
  const server = answering(() => Promise.resolve(new Response('{"tables": [')));
  await expect(server.tables()).rejects.toMatchObject({ code: 'unreachable' });
});
