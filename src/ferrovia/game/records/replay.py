"""The replay of a record: every event is proved by the rules, and the shuffles by the seed."""

import hashlib
from array import array
from collections.abc import Callable, Sequence

import msgspec

from ferrovia.boards import (
    COLORS,
    BoardError,
    Edition,
    edition_from_document,
    editions,
    load_edition,
    packs_from_header,
    with_packs,
)
from ferrovia.game import events
from ferrovia.game.chance.shuffle import read_shuffle
from ferrovia.game.codec.events import row_of
from ferrovia.game.codec.lexicon import Lexicon, lexicon_of
from ferrovia.game.errors import REASONS, RecordError, no_such
from ferrovia.game.game import Game
from ferrovia.game.records.record import Header, Record, full_header_of
from ferrovia.game.records.tape import Tape, tape_of
from ferrovia.game.records.turns import setup_length
from ferrovia.game.scores import Result
from ferrovia.game.views import Phase
from ferrovia.kernel import Buffer, Ints
from ferrovia.rules import calls
from ferrovia.rules import replay as kernel
from ferrovia.rules.chapters.breaches import FINE
from ferrovia.rules.state.layout import PLACES, STATE
from ferrovia.rules.state.log import COLUMNS, EVENT, OFFERED, new_rows

_NO_TAPE = array("i")

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
    """Return the edition of a record: a built-in one or the board it carries, with its packs."""
    try:
        if isinstance(header.board, dict):
            edition = edition_from_document(header.board)
        elif header.edition in editions():
            edition = load_edition(header.edition)
        else:
            message = "the record holds no board, and "
            raise RecordError(message + no_such("edition", header.edition, editions()), 1)
        packs = header.packs if isinstance(header.packs, dict) else {}
        if sorted(packs) != sorted(header.extras):
            raise RecordError("extras and packs must name the same ticket packs", 1)
        packs = {name: packs[name] for name in header.extras}  # the order of the tickets
        return with_packs(edition, packs_from_header(packs, edition.board)) if packs else edition
    except BoardError as problem:
        raise RecordError(str(problem), 1) from None


def replay(record: Record) -> Game:
    """Return the game of a record that is proved whole; RecordError names the line and the rule."""
    return replay_at(record, lambda _: [])[0]


def replay_at(
    record: Record, stops: Callable[[Edition], Sequence[int]]
) -> tuple[Game, list[Buffer]]:
    """Return the same, and the states at `stops`: numbers of events, each at the end of the deal or
    of a decision, in their order.
    """
    header = record.header
    edition = edition_of(header)
    players = len(header.players)
    try:
        edition.check_seats(players)
    except ValueError as problem:
        raise RecordError(str(problem), 1, "R1") from None
    if not 0 <= header.first < players:
        raise RecordError("the player who begins has no seat", 1, "R2.4")
    lexicon = lexicon_of(edition)
    order = _kernel_order(record.events)
    recorded = [record.events[place] for place in order]
    lines = [place + 2 for place in order]
    rows = _rows_of(lexicon, recorded, lines)
    _check_setup(record.events, players, len(edition.deals))
    attempt = _Attempt(lexicon, header, recorded, lines, rows, stops(edition))
    if header.seed is None or not attempt.run(_NO_TAPE):
        if not attempt.run(tape_of(lexicon, players, recorded)):
            raise attempt.error()
        if header.seed is not None:
            raise RecordError("the cards and tickets are not those that the seed gives", 2)
    game = attempt.game(record)
    _check_result(game, record.result, len(record.events) + 2)
    return game, attempt.states


def follow(game: Game, recorded: Sequence[events.Event], result: Result | None = None) -> None:
    """Advance a game by the next events of its record, proved by the rules and the seed.

    They are the events of one or more whole decisions; `result` is given with the last of them.
    Raises `RecordError` where they are not what happens next: then nothing has changed.
    """
    rows = _rows_of(game.lexicon, recorded, range(2, len(recorded) + 2))
    scratch = new_rows(len(recorded) + 64)
    before, starting = game.state.copy(), game.phase is Phase.START
    reached, breach = calls.follow(game.lexicon.book, game.state, rows, 0, scratch, _NO_TAPE)
    try:
        if breach != FINE:
            raise RecordError(f"event {reached + 1} is not what the rules say happens here")
        _check_result(game, result, len(recorded) + 2)
    except RecordError:
        game.state[:] = before
        raise
    game.events += recorded
    if starting and game.phase is not Phase.START:
        now = Game.standing_at(game.lexicon, game.names, game.seed, game.state, game.events)
        game._start_events = now._start_events


def before_last_decision(game: Game) -> Game | None:
    """Return a game from its start to before its last decision; None if there is no such game.

    It is the longest part of its record that stands elsewhere: a record may end between the offers
    of the start, which are no decisions.
    """
    header = full_header_of(game)
    for end in range(len(game.events) - 1, 0, -1):
        try:
            before = replay(Record(header, tuple(game.events[:end]), None))
        except RecordError:
            continue
        if before.state != game.state:
            return before
    return None


def rewound(game: Game, count: int) -> Game:
    """Return the game as it stood after its first `count` events, chance included: the same
    decisions lead to the same events again. They end with a whole decision, or with the deal.
    """
    header, happened = full_header_of(game), tuple(game.events[:count])
    try:
        before = replay(Record(header, happened, None))
    except RecordError:  # its cards are not those of its seed any more (see server/table/resume.py)
        unproved = msgspec.structs.replace(header, seed=None)
        before = replay(Record(unproved, happened, None))
        before.seed = game.seed
        before.commit_to(None)
        fresh = hashlib.sha256(b"rewound" + game.seed + count.to_bytes(8, "big")).digest()
        calls.seed_generator(STATE.of(before.state).rng, fresh, 0)
    if before.phase is Phase.START:
        before._start_events = 0  # as long as the start goes on, all its events are of the start
    return before


def set_back(game: Game, count: int, state: Buffer) -> Game:
    """Return the game as it stood after its first `count` events, by the state that it had then."""
    before = Game.standing_at(game.lexicon, game.names, game.seed, state, game.events[:count])
    before.shuffle, before._published = game.shuffle, game._published
    if before.phase is Phase.START:
        before._start_events = 0
    return before


def _kernel_order(recorded: Sequence[events.Event]) -> list[int]:
    """Return the places of the events in the order of the kernel, which deals hands by seat; in a
    record they may be dealt in any order.
    """
    deals = {place: it.player for place, it in enumerate(recorded) if isinstance(it, events.Deal)}
    rest = [place for place in range(len(recorded)) if place not in deals]
    return [*sorted(deals, key=deals.__getitem__), *rest]


def _check_setup(recorded: Sequence[events.Event], players: int, stages: int) -> None:
    """Raise RecordError where the events of the set-up do not stand in the order of a record.

    The kernel proves what happens in it, but deals all at once; so this is about the order alone.
    """
    setup = setup_length(recorded, players, stages)
    hands: set[int] = set()
    laid_out = False
    offers, answers = [0] * players, [0] * players

    for place, event in enumerate(recorded):
        if place >= setup and not isinstance(event, events.Deal):
            continue
        message, rule = "", "R2.3"
        player = getattr(event, "player", 0)
        if not 0 <= player < players:
            message, rule = f"there is no player {player}", "R2.4"
        elif isinstance(event, events.Deal):
            rule = "R2.2"
            if laid_out:
                message = "the hands are dealt first, before the display and the tickets"
            elif player in hands:
                message = f"the hand of player {player} is dealt twice"
            hands.add(player)
        elif isinstance(event, events.FaceUp):
            rule = "R2.2"
            if len(hands) < players:
                message = "the hands of all players are dealt before the display"
            elif len(event.cards) != PLACES:
                message = f"the display has {PLACES} places, all in one event; null is an empty one"
            laid_out = True
        elif isinstance(event, events.Offer):
            if not laid_out:
                message = "tickets are offered after all hands and the display"
            elif offers[player] > answers[player]:
                message = f"player {player} has not answered the offer before"
            elif offers[player] == stages:
                message = f"player {player} is offered no more tickets at the start"
            offers[player] += 1
        elif isinstance(event, events.Keep):
            answers[player] += 1
            if answers[player] > offers[player]:
                message = "these tickets were not offered before"
        elif isinstance(event, events.Refill):
            rule = "R2.2"
            message = "at the start the display is laid out whole, by face_up"
        elif not isinstance(event, events.Flush | events.Shuffle):
            message = "the first turn comes after all players have chosen their tickets"
        if message:
            raise RecordError(message, place + 2, rule)


def _fits(row: Sequence[int]) -> bool:
    return min(row) >= -(1 << 15) and max(row) < 1 << 15


def _rows_of(lexicon: Lexicon, recorded: Sequence[events.Event], lines: Sequence[int]) -> Ints:
    """Return events as rows, one after another."""
    rows: list[list[int]] = []
    try:
        for event in recorded:
            rows.append(row_of(lexicon, event))
        return array("h", [number for row in rows for number in row])
    except KeyError:
        number = len(rows)
        raise RecordError(_unknown_name(lexicon, recorded[number]), lines[number]) from None
    except OverflowError:
        number = next(n for n, row in enumerate(rows) if not _fits(row))
        raise RecordError("a number is out of range", lines[number]) from None
    except ValueError as problem:
        number = len(rows)
        rule = _RULE_OF_EVENT[type(recorded[number])]
        raise RecordError(str(problem), lines[number], rule) from None


# The fields of events that hold names, and what they are names of.
_NAMES = {
    "route": "route",
    "city": "city",
    "card": "card",
    "cards": "card",
    "revealed": "card",
    "tickets": "ticket",
    "kept": "ticket",
    "returned": "ticket",
}


def _unknown_name(lexicon: Lexicon, event: events.Event) -> str:
    """Return what is wrong with an event in which a name is hidden, or is not in the edition."""
    known = {
        "route": lexicon.routes,
        "city": lexicon.cities,
        "card": COLORS,
        "ticket": lexicon.tickets,
    }
    for field in event.__struct_fields__:
        if field in _NAMES:
            kind, value = _NAMES[field], getattr(event, field)
            for name in value if isinstance(value, tuple) else (value,):
                if name is not None and name not in known[kind]:
                    return no_such(kind, name, known[kind])
    return "a card or ticket is hidden: this is one player's view of a game, not a full record"


class _Attempt:
    """One run of the kernel over a record, from its seed or from a tape of its outcomes."""

    def __init__(
        self,
        lexicon: Lexicon,
        header: Header,
        recorded: Sequence[events.Event],
        lines: Sequence[int],
        rows: Ints,
        stops: Sequence[int],
    ) -> None:
        self.lexicon = lexicon
        self.header = header
        self.recorded = recorded
        self.lines = lines
        self.rows = rows
        self.stops = stops
        self.states: list[Buffer] = []
        self.state = STATE.new()
        self.reached = 0
        self.breach = FINE

    def run(self, tape: Tape) -> bool:
        """Replay all rows; return whether they are right. If not, see `reached` and `breach`."""
        self.states = []
        recorded = memoryview(self.rows)
        scratch = new_rows(len(self.recorded) + 64)
        seed = bytes.fromhex(self.header.seed or "00" * 32)
        players, first = len(self.header.players), self.header.first
        calls.start(self.lexicon.book, self.state, seed, players, first, scratch, tape)
        rows = scratch[1 : scratch[0, 0] + 1].tolist()
        happened = [row for row in rows if row[EVENT] != OFFERED]
        for number, row in enumerate(happened):
            if recorded[number * COLUMNS : (number + 1) * COLUMNS].tolist() != row:
                self.reached, self.breach = number, kernel.OUTCOME_DIFFERS
                return False
        self.reached, self.breach = len(happened), FINE
        for stop in [*self.stops, len(self.recorded)]:
            rows = recorded[: stop * COLUMNS]
            self.reached, self.breach = calls.follow(
                self.lexicon.book, self.state, rows, self.reached, scratch, tape
            )
            if self.breach != FINE:
                return False
            self.states.append(self.state.copy())
        del self.states[len(self.stops) :]
        return True

    def error(self) -> RecordError:
        """Return what is wrong at the row that was reached."""
        if self.reached >= len(self.recorded):
            message = "the record ends in the middle of a turn"
            return RecordError(message, len(self.recorded) + 2)
        event, line = self.recorded[self.reached], self.lines[self.reached]
        if self.breach in REASONS:
            _, rule, message = REASONS[self.breach]
            return RecordError(message, line, rule)
        if self.breach == kernel.NO_SUCH_CARD:
            return RecordError("no such card can be in the deck", line, "R2.1")
        if self.breach == kernel.NOT_A_DECISION:
            return RecordError("no decision leads to this event", line, "R3.1")
        rule = _RULE_OF_EVENT[type(event)]
        if isinstance(event, events.Claim):
            spaces = self.lexicon.edition.board.route(event.route).length
            right = self.lexicon.edition.route_points[spaces]
            rule = "R5.1" if event.points == right else "R10.1"
        return RecordError("this is not what the rules say happens here", line, rule)

    def game(self, record: Record) -> Game:
        seed = bytes.fromhex(self.header.seed or "00" * 32)
        recorded = list(record.events)
        players = self.header.players
        game = Game.standing_at(self.lexicon, players, seed, self.state, recorded)
        game.shuffle = read_shuffle(self.header.shuffle, self.header.seed, len(players))
        if self.header.seed is None:
            game.commit_to(self.header.commitment)
        return game


def _check_result(game: Game, result: Result | None, line: int) -> None:
    if result is None:
        if game.over:
            raise RecordError("the game is over, but the result is missing", line, "R10.6")
        return
    if not game.over:
        raise RecordError("there is a result, but the game is not over", line, "R10.2")
    _compare_results(result, game.result(), line)


def _compare_results(recorded: Result, right: Result, line: int) -> None:
    if len(recorded.scores) != len(right.scores):
        raise RecordError("there must be one score for each player", line, "R10.6")
    for seat, (theirs, ours) in enumerate(zip(recorded.scores, right.scores, strict=True)):
        for field, rule in _RULE_OF_SCORE.items():
            a, b = getattr(theirs, field), getattr(ours, field)
            if isinstance(a, tuple):
                a, b = tuple(sorted(a)), tuple(sorted(b))
            if a != b:
                raise RecordError(
                    f"{field} of player {seat}: {a} in the record, {b} by the rules", line, rule
                )
    if sorted(recorded.winners) != sorted(right.winners):
        raise RecordError(
            f"winners: {list(recorded.winners)} in the record, {list(right.winners)} by the rules",
            line,
            "R10.6",
        )
