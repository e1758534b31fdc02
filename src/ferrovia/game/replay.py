"""Replaying a record: every event is proved by the rules, and the shuffles by the seed."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from ferrovia.boards import (
    BoardError,
    Edition,
    edition_from_document,
    editions,
    packs_from_header,
    with_packs,
)
from ferrovia.boards import edition as load_edition
from ferrovia.game import events
from ferrovia.game.codec.events import card_numbers, row_of
from ferrovia.game.codec.lexicon import Lexicon, lexicon
from ferrovia.game.errors import REASONS, RecordError
from ferrovia.game.game import Game
from ferrovia.game.record import Header, Record
from ferrovia.game.scores import Result
from ferrovia.game.views import Phase
from ferrovia.rules import calls
from ferrovia.rules import replay as kernel
from ferrovia.rules.chapters.breaches import FINE
from ferrovia.rules.state.layout import BOTTOM, STATE
from ferrovia.rules.state.log import COLUMNS, EVENT, OFFERED, TAPE_HEAD

Rows = npt.NDArray[np.int16]

_NO_TAPE = np.zeros(0, np.int16)

# The rule that an event breaks when it is not what follows from the events before it.
_RULE_OF_EVENT: dict[type, str] = {
    events.Deal: "R2.2",
    events.FaceUp: "R4.6",
    events.Offer: "R8.1",
    events.Keep: "R8.2",
    events.Take: "R4.1",
    events.Draw: "R4.1",
    events.Refill: "R4.2",
    events.Flush: "R4.6",
    events.Shuffle: "R4.8",
    events.Claim: "R5.1",
    events.Tunnel: "R7.1",
    events.Withdraw: "R7.4",
    events.Station: "R9.2",
    events.PassTurn: "R3.2",
    events.LastRound: "R10.2",
}

_RULE_OF_SCORE = {
    "routes": "R10.1",
    "tickets": "R10.3",
    "completed": "R10.3",
    "failed": "R10.3",
    "borrowed": "R9.4",
    "stations": "R10.4",
    "longest": "R10.5",
    "bonus": "R10.5",
    "total": "R10.6",
}


def edition_of(header: Header) -> Edition:
    """The edition of a record: a built-in one or the board it carries, with its packs."""
    try:
        if isinstance(header.board, dict):
            edition = edition_from_document(header.board)
        elif header.edition in editions():
            edition = load_edition(header.edition)
        else:
            raise RecordError(f"there is no edition '{header.edition}', and no board with it", 1)
        packs = header.packs if isinstance(header.packs, dict) else {}
        if tuple(packs) != header.extras:
            raise RecordError("extras and packs must name the same ticket packs", 1)
        return with_packs(edition, packs_from_header(packs, edition.board)) if packs else edition
    except BoardError as problem:
        raise RecordError(str(problem), 1) from None


def replay(record: Record) -> Game:
    """The game of a record, once all of it is proved; RecordError names the line and the rule."""
    header = record.header
    edition = edition_of(header)
    fewest, most = edition.seats
    players = len(header.players)
    if not fewest <= players <= most:
        raise RecordError(f"{edition.id} is for {fewest} to {most} players", 1, "R1")
    if not 0 <= header.first < players:
        raise RecordError("the first player has no seat", 1, "R2.4")
    words = lexicon(edition)
    told = _in_seat_order(record.events)
    rows = _rows_of(words, told)
    attempt = _Attempt(words, header, told, rows)
    if header.seed is None or not attempt.run(_NO_TAPE):
        if not attempt.run(tape_of(words, players, told)):
            raise attempt.error()
        if header.seed is not None:
            raise RecordError("the cards and tickets are not those that the seed gives", 2)
    game = attempt.game(record)
    _check_result(game, record.result, len(record.events) + 2)
    return game


def follow(game: Game, told: Sequence[events.Event], result: Result | None = None) -> None:
    """Advance a game by the next events of its record, proved by the rules and the seed.

    They are the events of one or more whole decisions; `result` is given with the last of them.
    Raises `RecordError` where they are not what happens next: then nothing has changed.
    """
    rows = _rows_of(game.words, told)
    scratch = np.zeros((len(rows) + 64, COLUMNS), np.int16)
    before, starting = game.state.copy(), game.phase is Phase.START
    reached, breach = calls.follow(game.words.book, game.state, rows, 0, scratch, _NO_TAPE)
    try:
        if breach != FINE:
            raise RecordError(f"event {reached + 1} is not what the rules say happens here")
        _check_result(game, result, len(told) + 2)
    except RecordError:
        game.state[:] = before
        raise
    game.events += told
    if starting and game.phase is not Phase.START:
        now = Game.standing_at(game.words, game.names, game.seed, game.state, game.events)
        game._start_events = now._start_events


def _in_seat_order(told: Sequence[events.Event]) -> list[events.Event]:
    """Hands may be dealt in any order; the kernel deals them by seat."""
    deals = [event for event in told if isinstance(event, events.Deal)]
    deals.sort(key=lambda deal: deal.player)
    return [*deals, *(event for event in told if not isinstance(event, events.Deal))]


def _rows_of(words: Lexicon, told: Sequence[events.Event]) -> Rows:
    rows = np.empty((len(told), COLUMNS), np.int16)
    try:
        for number, event in enumerate(told):
            rows[number] = row_of(words, event)
    except (KeyError, OverflowError):
        raise RecordError(_unreadable(told[number]), number + 2) from None
    return rows


def _unreadable(event: events.Event) -> str:
    if event != event.seen_by(-1) and event.seen_by(-1) == event.seen_by(None):
        return "a card, ticket, route or city that this edition does not have"
    return "it hides what a full record tells: this is one player's view of a game"


class _Attempt:
    """One run of the kernel over a record, from its seed or from a tape of its outcomes."""

    def __init__(
        self, words: Lexicon, header: Header, told: Sequence[events.Event], rows: Rows
    ) -> None:
        self.words = words
        self.header = header
        self.told = told
        self.rows = rows
        self.state = np.zeros(STATE.itemsize, np.uint8)
        self.reached = 0
        self.breach = FINE

    def run(self, tape: Rows) -> bool:
        """Replay all rows; false when one of them is wrong, with `reached` and `breach` set."""
        scratch = np.zeros((len(self.rows) + 64, COLUMNS), np.int16)
        seed = np.frombuffer(bytes.fromhex(self.header.seed or "00" * 32), np.uint8).copy()
        players, first = len(self.header.players), self.header.first
        calls.start(self.words.book, self.state, seed, players, first, scratch, tape)
        happened = scratch[1 : int(scratch[0, 0]) + 1]
        happened = happened[happened[:, EVENT] != OFFERED]
        for number, row in enumerate(happened):
            if number >= len(self.rows) or (self.rows[number] != row).any():
                self.reached, self.breach = number, kernel.OUTCOME_DIFFERS
                return False
        self.reached, self.breach = calls.follow(
            self.words.book, self.state, self.rows, len(happened), scratch, tape
        )
        return bool(self.breach == FINE)

    def error(self) -> RecordError:
        """What is wrong at the row that was reached."""
        line = self.reached + 2
        if self.reached >= len(self.told):
            return RecordError("the record ends before all events of the turn are told", line)
        event = self.told[self.reached]
        if self.breach in REASONS:
            _, rule, message = REASONS[self.breach]
            return RecordError(message, line, rule)
        if self.breach == kernel.NO_SUCH_CARD:
            return RecordError("no such card can be in the deck", line, "R2.1")
        if self.breach == kernel.NOT_A_DECISION:
            return RecordError("this event does not follow from anything", line, "R3.1")
        rule = _RULE_OF_EVENT[type(event)]
        if isinstance(event, events.Claim):
            spaces = self.words.edition.board.route(event.route).length
            right = self.words.edition.route_points[spaces]
            rule = "R5.1" if event.points == right else "R10.1"
        return RecordError("this is not what the rules say happens here", line, rule)

    def game(self, record: Record) -> Game:
        seed = bytes.fromhex(self.header.seed or "00" * 32)
        told = list(record.events)
        return Game.standing_at(self.words, self.header.players, seed, self.state, told)


def _check_result(game: Game, result: Result | None, line: int) -> None:
    if result is None:
        if game.over:
            raise RecordError("the game is over, but the result is missing", line, "R10.6")
        return
    if not game.over:
        raise RecordError("there is a result, but the game is not over", line, "R10.2")
    _compare_results(result, game.result(), line)


def _compare_results(told: Result, right: Result, line: int) -> None:
    if len(told.scores) != len(right.scores):
        raise RecordError("there must be one score for each player", line, "R10.6")
    for seat, (theirs, ours) in enumerate(zip(told.scores, right.scores, strict=True)):
        for field, rule in _RULE_OF_SCORE.items():
            a, b = getattr(theirs, field), getattr(ours, field)
            if isinstance(a, tuple):
                a, b = tuple(sorted(a)), tuple(sorted(b))
            if a != b:
                raise RecordError(f"{field} of player {seat}: {a} told, {b} right", line, rule)
    if sorted(told.winners) != sorted(right.winners):
        raise RecordError(
            f"winners: {list(told.winners)} told, {list(right.winners)} right", line, "R10.6"
        )


def tape(outcomes: Iterable[int]) -> npt.NDArray[np.int16]:
    """A tape that foretells these outcomes (see ferrovia.rules.state.log)."""
    return np.array([TAPE_HEAD, 0, *outcomes], np.int16)


def _cards(told: Iterable[events.Event]) -> list[int]:
    """All cards drawn from the deck, in their order."""
    drawn: list[str | None] = []
    for event in told:
        match event:
            case events.Deal(cards=cards) | events.FaceUp(cards=cards):
                drawn += cards
            case events.Tunnel(revealed=revealed):
                drawn += revealed
            case events.Draw(card=card) | events.Refill(card=card):
                drawn.append(card)
    return [card for card in card_numbers(drawn) if card >= 0]


def _fill(places: list[int | None], unused: Iterable[int]) -> list[int]:
    """The places with every gap filled by a ticket that is not in another place."""
    rest = (ticket for ticket in unused if ticket not in places)
    return [next(rest, 0) if ticket is None else ticket for ticket in places]


class _Tickets:
    """The orders of the ticket decks, as far as the offers tell; the rest is filled up."""

    def __init__(self, words: Lexicon, players: int) -> None:
        book = words.tables
        self.words = words
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
        book, stage = self.words.tables, self.stage[player]
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
        book = self.words.tables
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


def tape_of(words: Lexicon, players: int, told: Sequence[events.Event]) -> npt.NDArray[np.int16]:
    """The tape of a record's events; one that breaks the rules gives some tape all the same."""
    tickets = _Tickets(words, players)
    number = words.ticket_number
    waiting, setup = players * int(words.tables.deals), 0
    for index, event in enumerate(told):
        match event:
            case events.Offer(player=player, tickets=ids) if waiting > 0:
                setup = setup or index
                tickets.start_offer(player, [number[id] for id in ids if id in number])
            case events.Keep(returned=ids) if waiting > 0:
                waiting -= 1
                tickets.start_keep([number[id] for id in ids or () if id in number])
            case events.Offer(tickets=ids):
                tickets.turn_offer([number[id] for id in ids if id in number])
    setup = setup or len(told)
    return tape(
        [
            *_cards(told[:setup]),
            *_fill(tickets.regular, range(tickets.longs, len(number))),
            *_fill(tickets.long, range(tickets.longs)),
            *_fill(tickets.bottom, tickets.given_back),
            *_cards(told[setup:]),
        ]
    )
