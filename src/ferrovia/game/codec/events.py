"""Events as the rows of the kernel's log, and back."""

from collections.abc import Iterable, Sequence
from typing import Any

from ferrovia.boards import COLORS
from ferrovia.game import events
from ferrovia.game.codec.lexicon import LOCOMOTIVE_CARD, Lexicon
from ferrovia.rules.state import log
from ferrovia.rules.state.layout import LOCOMOTIVE
from ferrovia.rules.state.log import Rows


def events_of(lexicon: Lexicon, rows: Rows) -> list[events.Event]:
    """Return rows of the kernel's log as events."""
    return [_DECODERS[row[log.EVENT]](lexicon, row) for row in rows.tolist()]


def row_of(lexicon: Lexicon, event: events.Event) -> list[int]:
    """Return an event as a row.

    Raises KeyError for a name that is hidden or that this edition does not have, and ValueError
    for cards that cannot be a payment or are too many for any event.
    """
    row: list[int] = _ENCODERS[type(event)](lexicon, event)
    return row


_NAMES: tuple[str | None, ...] = (*COLORS, None)  # index -1: an empty place
_NUMBERS: dict[str | None, int] = {name: n for n, name in enumerate(COLORS)}


def _cards(numbers: Iterable[int]) -> tuple[Any, ...]:
    return tuple(_NAMES[number] for number in numbers)


def _tickets(lexicon: Lexicon, numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(lexicon.tickets[number] for number in numbers)


def _paid(row: list[int]) -> tuple[str, ...]:
    color, colored, locomotives = row[log.ITEMS : log.ITEMS + 3]
    return (COLORS[color],) * colored + (LOCOMOTIVE_CARD,) * locomotives


def _items(row: list[int]) -> list[int]:
    return row[log.ITEMS : log.ITEMS + row[log.COUNT]]


def _keep_event(lexicon: Lexicon, row: list[int]) -> events.Event:
    middle = log.ITEMS + row[log.COUNT]
    returned = row[middle : middle + row[log.COUNT_2]]
    return events.Keep(row[log.PLAYER], _tickets(lexicon, _items(row)), _tickets(lexicon, returned))


def _tunnel_event(lexicon: Lexicon, row: list[int]) -> events.Event:
    revealed = _cards(row[log.ITEMS + 3 : log.ITEMS + 3 + row[log.COUNT]])
    route = lexicon.routes[row[log.SUBJECT]]
    return events.Tunnel(row[log.PLAYER], route, _paid(row), revealed, row[log.VALUE])


_DECODERS: dict[int, Any] = {
    log.DEAL: lambda _, row: events.Deal(row[1], _cards(_items(row))),
    log.FACE_UP: lambda _, row: events.FaceUp(_cards(_items(row))),
    log.OFFERED: lambda lexicon, row: events.Offer(row[1], _tickets(lexicon, _items(row))),
    log.KEPT: _keep_event,
    log.TAKE: lambda _, row: events.Take(row[1], row[2], COLORS[row[3]]),
    log.DRAW: lambda _, row: events.Draw(row[1], COLORS[row[3]]),
    log.REFILL: lambda _, row: events.Refill(row[2], COLORS[row[3]]),
    log.FLUSH: lambda _, row: events.Flush(_cards(_items(row))),
    log.SHUFFLE: lambda _, row: events.Shuffle(row[3]),
    log.CLAIM: lambda lexicon, row: events.Claim(
        row[1], lexicon.routes[row[2]], _paid(row), row[3]
    ),
    log.REVEAL: _tunnel_event,
    log.WITHDRAW: lambda lexicon, row: events.Withdraw(row[1], lexicon.routes[row[2]]),
    log.STATION: lambda lexicon, row: events.Station(row[1], lexicon.cities[row[2]], _paid(row)),
    log.PASS: lambda _, row: events.PassTurn(row[1]),
    log.LAST_ROUND: lambda _, row: events.LastRound(row[1]),
}


def _row(
    event: int,
    player: int = -1,
    subject: int = 0,
    value: int = 0,
    items: Sequence[int] = (),
    count: int | None = None,
    count_2: int = 0,
) -> list[int]:
    head = [event, player, subject, value, len(items) if count is None else count, count_2]
    row = head + list(items)
    if len(row) > log.COLUMNS:
        raise ValueError("there are too many cards or tickets")
    return row + [0] * (log.COLUMNS - len(row))


def card_numbers(cards: Iterable[str | None]) -> list[int]:
    """Return cards as numbers; KeyError for one that is hidden or that does not exist."""
    return [_NUMBERS[card] for card in cards]


def _display(cards: Iterable[str | None]) -> list[int]:
    return [-1 if card is None else _NUMBERS[card] for card in cards]


def _paid_items(cards: Sequence[str]) -> list[int]:
    """Return the colour, how many cards of it, and how many locomotives."""
    locomotives = cards.count(LOCOMOTIVE_CARD)
    colored = [card for card in cards if card != LOCOMOTIVE_CARD] if locomotives else cards
    if not colored:
        return [LOCOMOTIVE, 0, locomotives]
    if colored.count(colored[0]) < len(colored):
        raise ValueError("cards of one colour only, and locomotives")
    return [_NUMBERS[colored[0]], len(colored), locomotives]


def _keep_row(lexicon: Lexicon, event: events.Keep) -> list[int]:
    if event.kept is None or event.returned is None:
        raise KeyError(None)
    kept = [lexicon.ticket_number[id] for id in event.kept]  # type: ignore[index]
    returned = [lexicon.ticket_number[id] for id in event.returned]  # type: ignore[index]
    return _row(log.KEPT, event.player, 0, 0, kept + returned, len(kept), len(returned))


def _tunnel_row(lexicon: Lexicon, event: events.Tunnel) -> list[int]:
    turned_up = card_numbers(event.revealed)
    items = [*_paid_items(event.cards), *turned_up, *[-1] * (3 - len(turned_up))]
    route = lexicon.route_number[event.route]
    return _row(log.REVEAL, event.player, route, event.extra, items, len(turned_up))


_ENCODERS: dict[type, Any] = {
    events.Deal: lambda _, e: _row(log.DEAL, e.player, items=card_numbers(e.cards)),
    events.FaceUp: lambda _, e: _row(log.FACE_UP, items=_display(e.cards)),
    events.Offer: lambda lexicon, e: _row(
        log.OFFERED, e.player, items=[lexicon.ticket_number[id] for id in e.tickets]
    ),
    events.Keep: _keep_row,
    events.Take: lambda _, e: _row(log.TAKE, e.player, e.place, _NUMBERS[e.card]),
    events.Draw: lambda _, e: _row(log.DRAW, e.player, 0, _NUMBERS[e.card]),
    events.Refill: lambda _, e: _row(log.REFILL, -1, e.place, _NUMBERS[e.card]),
    events.Flush: lambda _, e: _row(log.FLUSH, items=_display(e.cards)),
    events.Shuffle: lambda _, e: _row(log.SHUFFLE, value=e.count),
    events.Claim: lambda lexicon, e: _row(
        log.CLAIM, e.player, lexicon.route_number[e.route], e.points, _paid_items(e.cards)
    ),
    events.Tunnel: _tunnel_row,
    events.Withdraw: lambda lexicon, e: _row(log.WITHDRAW, e.player, lexicon.route_number[e.route]),
    events.Station: lambda lexicon, e: _row(
        log.STATION, e.player, lexicon.city_number[e.city], 0, _paid_items(e.cards)
    ),
    events.PassTurn: lambda _, e: _row(log.PASS, e.player),
    events.LastRound: lambda _, e: _row(log.LAST_ROUND, e.player),
}
