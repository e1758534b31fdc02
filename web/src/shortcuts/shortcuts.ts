/** Keys for what is done every turn. They work wherever nothing is being typed. */
import { t, type Key } from '../i18n/index.svelte.ts';
import { CARDS } from '../lib/edition.ts';
import type { TableSession } from '../table/session.svelte.ts';
import { cardListText, cardsText } from '../ui/names.ts';

export interface Shortcut {
  /** The key as the browser names it, in lower case. */
  readonly press: string;
  readonly does: Key;
  /** Only players have it. */
  readonly seat?: boolean;
  readonly act: (session: TableSession) => void;
}

/** Read something aloud and show it: what a screen reader, or anybody, has asked for. */
const tell = (session: TableSession, text: string) => session.notice.say(text);

const take = (place: number) => (session: TableSession) => {
  const card = session.game?.display[place];
  if (card) void session.decide(`take ${card}`);
};

export const SHORTCUTS: readonly Shortcut[] = [
  ...[0, 1, 2, 3, 4].map((place) => ({
    press: String(place + 1),
    does: 'keys.take' as const,
    seat: true,
    act: take(place),
  })),
  { press: 'd', does: 'keys.draw', seat: true, act: (session) => void session.decide('draw') },
  { press: 't', does: 'keys.tickets', seat: true, act: (session) => session.choices.chooseTickets() },
  { press: 's', does: 'keys.station', seat: true, act: (session) => session.choices.chooseStation() },
  { press: 'z', does: 'keys.take_back', seat: true, act: (session) => session.hold.takeBack() },
  { press: 'h', does: 'keys.hand', seat: true, act: (session) => tell(session, handText(session)) },
  { press: 'k', does: 'keys.my_tickets', seat: true, act: (session) => tell(session, ticketsText(session)) },
  { press: 'r', does: 'keys.routes', seat: true, act: (session) => tell(session, routesText(session)) },
  { press: 'm', does: 'keys.moves', seat: true, act: (session) => tell(session, movesText(session)) },
  { press: 'f', does: 'keys.display', act: (session) => tell(session, displayText(session)) },
  {
    press: 'w',
    does: 'keys.who',
    act: (session) => tell(session, session.mine ? `${t('prompt.yours')}. ${session.prompt}` : session.prompt),
  },
];

/** Return what a key does at the table, or null. Keys with Ctrl, Alt or Meta are the browser's. */
export function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>,
  seated: boolean,
): Shortcut | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const key = event.key.toLowerCase();
  return SHORTCUTS.find((one) => one.press === key && (seated || !one.seat)) ?? null;
}

/** Whether somebody is typing, or an element has keys of its own. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog') !== null;

function handText({ model }: TableSession): string {
  const hand = model.own?.hand ?? {};
  const cards = CARDS.flatMap((card) => (hand[card] ? [cardsText(card, hand[card])] : []));
  return cards.length ? `${t('hand.panel')}: ${cards.join(', ')}` : t('keys.no_cards');
}

function ticketsText({ model, map: { needs } }: TableSession): string {
  const tickets = model.own?.tickets.map(({ id, done }) => {
    const ticket = model.edition?.tickets.get(id);
    if (!ticket || !model.edition) return id;
    const cities = `${model.edition.cityName(ticket.a)} – ${model.edition.cityName(ticket.b)}`;
    const left = needs.get(id);
    return `${cities} (${ticket.points}): ${done ? t('keys.done') : left == null ? t('keys.no_way') : t('keys.to_go', { count: left })}`;
  });
  return tickets?.join('; ') || t('keys.no_tickets');
}

function routesText({ model, edition, choices: { open } }: TableSession): string {
  const names = [...open].map((id) => edition?.routeName(id) ?? id);
  return model.deciding
    ? names.length
      ? t('keys.can_claim', { count: names.length, routes: names.join(', ') })
      : t('keys.no_routes')
    : t('why.not_your_turn');
}

/** Everything that can be done now, by kind. */
function movesText(session: TableSession): string {
  const { model } = session;
  if (!model.deciding) return t('why.not_your_turn');
  const actions = model.own?.moves?.actions ?? [];
  const kinds = new Set(actions.map((action) => action.split(' ')[0]));
  const parts = [
    kinds.has('draw') ? t('keys.draw') : '',
    kinds.has('take') ? t('keys.take') : '',
    kinds.has('tickets') ? t('keys.tickets') : '',
    model.moves.claims.size
      ? t('keys.can_claim', {
          count: model.moves.claims.size,
          routes: [...model.moves.claims.keys()].map((id) => session.edition?.routeName(id) ?? id).join(', '),
        })
      : '',
    model.moves.stations.size ? t('keys.station') : '',
    kinds.has('pass') ? t('keys.pass') : '',
    session.asking ? session.prompt : '',
  ];
  return parts.filter(Boolean).join('; ');
}

function displayText({ game }: TableSession): string {
  const cards = (game?.display ?? []).filter((card) => card !== null);
  return `${t('display.title')}: ${cards.length ? cardListText(cards) : t('keys.no_cards')}`;
}
