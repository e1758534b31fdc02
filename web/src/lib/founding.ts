import type { CreateTable } from '../protocol.gen.ts';
import type { Server } from './http.ts';
import { keepToken, newSecret } from './keeping.ts';

/** Set a table up and keep its token. Repeated after a lost answer, it makes no second table. */
export async function found(server: Server, wish: Omit<CreateTable, 'id'>): Promise<string> {
  const token = newSecret();
  const id = newSecret(12);
  const ask = () => server.create({ ...wish, id }, token);
  const created = await ask().catch((trouble: { code?: string }) => {
    if (trouble.code === 'unreachable') return ask();
    throw trouble;
  });
  for (const held of created.held) keepToken(created.table, held.token);
  return created.table;
}
