/** Tickets that somebody has entered in a page without a server: this device keeps them, and the page is told again at every visit. */
import { IN_PAGE } from '../connection/address.ts';
import type { Server } from '../connection/http.ts';
import { enterPack } from '../connection/workshop.ts';
import type { Offerings, PackTicket } from '../protocol.gen.ts';
import { forget, load, save } from './storage.ts';

const NOTE = 'pack.';

export function savePack(name: string, tickets: readonly PackTicket[]): void {
  if (tickets.length) save(NOTE + name, JSON.stringify(tickets));
  else forget(NOTE + name);
}

/** Return what a page offers once it knows the packs that this device keeps. */
export async function withPacksKept(server: Server, offerings: Offerings): Promise<Offerings> {
  if (!IN_PAGE) return offerings;
  let told = offerings;
  for (const { name, tickets } of offerings.packs) {
    const kept = load(NOTE + name);
    if (kept && !tickets.length) told = await enterPack(server, name, JSON.parse(kept) as PackTicket[]);
  }
  return told;
}
