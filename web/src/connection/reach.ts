/** Where other devices find the server of this page. */
import type { Server } from './http.ts';

/** Return the root that other devices reach; empty where they reach none: the server answers this machine alone. */
export async function reachableRoot(server: Server, root: string): Promise<string> {
  const host = new URL(root).hostname;
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(host);
  // A plain name means something on this machine, and perhaps on no other.
  if (!loopback && /[.:]/.test(host)) return root;
  const otherwise = loopback ? '' : root;
  return server.reach().then(
    ({ addresses }) => addresses[0] ?? otherwise,
    () => otherwise,
  );
}

/** The command that makes a server of one's own answer other devices, the same in every language. */
export const TO_START = 'ferrovia play --lan';
