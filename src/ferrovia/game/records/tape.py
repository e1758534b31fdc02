"""The outcomes of chance in a record, in the order in which the kernel needs them: its tape."""

from array import array
from collections.abc import Iterable, Sequence

from ferrovia.game import events
from ferrovia.game.codec.events import card_numbers
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.game.records.turns import setup_length
from ferrovia.kernel import Ints
from ferrovia.rules.state.layout import BOTTOM
from ferrovia.rules.state.log import TAPE_HEAD

Tape = Ints
"""Outcomes of chance: see ferrovia.rules.state.log."""


def tape(outcomes: Iterable[int]) -> Tape:
    """Return a tape with these outcomes of chance (see ferrovia.rules.state.log)."""
    return array("i", [TAPE_HEAD, 0, *outcomes])


def _cards(recorded: Iterable[events.Event]) -> list[int]:
    """Return all cards drawn from the deck, in their order."""
    drawn: list[str | None] = []
    for event in recorded:
        match event:
            case events.Deal(cards=cards) | events.FaceUp(cards=cards):
                drawn += cards
            case events.Tunnel(revealed=revealed):
                drawn += revealed
            case events.Draw(card=card) | events.Refill(card=card):
                drawn.append(card)
    return card_numbers(card for card in drawn if card is not None)


def _fill(places: list[int | None], unused: Iterable[int]) -> list[int]:
    """Return the places with every gap filled by a ticket that is not in another place."""
    rest = (ticket for ticket in unused if ticket not in places)
    return [next(rest, 0) if ticket is None else ticket for ticket in places]


class _Tickets:
    """The orders of the ticket decks, as far as the offers show; the rest is filled up."""

    def __init__(self, lexicon: Lexicon, players: int) -> None:
        book = lexicon.tables
        self.lexicon = lexicon
        self.players = players
        self.longs = int(book.long_tickets)
        self.regular: list[int | None] = [None] * (int(book.tickets) - self.longs)
        self.long: list[int | None] = [None] * self.longs
        self.bottom: list[int | None] = []
        self.given_back: list[int] = []
        stages = range(int(book.deals))
        self.dealt = players * sum(int(book.deal_regular[stage]) for stage in stages)
        self.stage = [0] * players
        self.drawn = self.dealt

    def start_offer(self, player: int, tickets: Sequence[int]) -> None:
        book, stage = self.lexicon.tables, self.stage[player]
        self.stage[player] += 1
        if stage >= int(book.deals):
            return
        earlier = range(stage)
        for place, kind, deal in (
            (self.long, [t for t in tickets if t < self.longs], book.deal_long),
            (self.regular, [t for t in tickets if t >= self.longs], book.deal_regular),
        ):
            at = sum(self.players * int(deal[s]) for s in earlier) + player * int(deal[stage])
            place[at : at + len(kind)] = kind

    def start_keep(self, returned: Sequence[int]) -> None:
        book = self.lexicon.tables
        for ticket in returned:
            long = ticket < self.longs
            if (book.long_not_kept if long else book.regular_not_kept) == BOTTOM:
                self.given_back.append(ticket)
                self.bottom.append(None)

    def turn_offer(self, tickets: Sequence[int]) -> None:
        for ticket in tickets:
            below = self.drawn - len(self.regular)
            if below < 0:
                self.regular[self.drawn] = ticket
            elif below < len(self.bottom):
                self.bottom[below] = ticket
            self.drawn += 1


def tape_of(lexicon: Lexicon, players: int, recorded: Sequence[events.Event]) -> Tape:
    """Return the tape of a record's events; also for one that breaks the rules."""
    tickets = _Tickets(lexicon, players)
    number = lexicon.ticket_number
    setup, first_offer = setup_length(recorded, players, int(lexicon.tables.deals)), 0
    for index, event in enumerate(recorded):
        match event:
            case events.Offer(player=player, tickets=ids) if index < setup:
                first_offer = first_offer or index
                tickets.start_offer(player, [number[id] for id in ids if id in number])
            case events.Keep(returned=ids) if index < setup:
                tickets.start_keep([number[id] for id in ids or () if id in number])
            case events.Offer(tickets=ids):
                tickets.turn_offer([number[id] for id in ids if id in number])
    first_offer = first_offer or len(recorded)
    return tape(
        [
            *_cards(recorded[:first_offer]),
            *_fill(tickets.regular, range(tickets.longs, len(number))),
            *_fill(tickets.long, range(tickets.longs)),
            *_fill(tickets.bottom, tickets.given_back),
            *_cards(recorded[first_offer:]),
        ]
    )
