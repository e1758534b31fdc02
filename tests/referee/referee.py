"""Replays a game record by the letter of docs/rules/index.md and docs/record.md.

It refuses the first breach, and is written from the two texts alone. The deck is what nobody has
seen yet: a card may come up as long as one of its kind is left in it. Rules are named by their
numbers; "record" stands for docs/record.md.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NoReturn

from .scorer import POINTS, score

LOCOMOTIVE = "locomotive"
COLOURS = ["purple", "blue", "orange", "white", "green", "yellow", "black", "red"]

# What the fields of every event hold; the kinds are checked in `Referee.check_field`.
EVENTS: dict[str, dict[str, str]] = {
    "deal": {"player": "seat", "cards": "cards"},
    "face_up": {"cards": "places"},
    "offer": {"player": "seat", "tickets": "tickets"},
    "keep": {"player": "seat", "kept": "tickets", "returned": "tickets"},
    "take": {"player": "seat", "place": "place", "card": "card"},
    "draw": {"player": "seat", "card": "card"},
    "refill": {"place": "place", "card": "card"},
    "flush": {"cards": "places"},
    "shuffle": {"count": "number"},
    "claim": {"player": "seat", "route": "route", "cards": "cards", "points": "number"},
    "tunnel": {
        "player": "seat",
        "route": "route",
        "cards": "cards",
        "revealed": "cards",
        "extra": "number",
    },
    "withdraw": {"player": "seat", "route": "route"},
    "station": {"player": "seat", "city": "city", "cards": "cards"},
    "pass": {"player": "seat"},
    "last_round": {"player": "seat"},
}

# The rule that is broken by an event that comes when it has no business to.
UNTIMELY = {
    "deal": "R2.2",
    "face_up": "R4.6",
    "flush": "R4.6",
    "refill": "R4.2",
    "shuffle": "R4.8",
    "keep": "R8.2",
    "withdraw": "R7.4",
    "last_round": "R10.2",
    "result": "R10.2",
}

# The rule behind every field of a player's line in the result.
RESULT_RULES = {
    "routes": "R10.1",
    "completed": "R10.3",
    "failed": "R10.3",
    "tickets": "R10.3",
    "borrowed": "R9.4",
    "stations": "R10.4",
    "longest": "R10.5",
    "bonus": "R10.5",
    "total": "R10.6",
}


class Breach(Exception):
    """A record breaks a rule: its line (from 1), the rule's number, and what is wrong."""

    def __init__(self, line: int, rule: str, message: str) -> None:
        super().__init__(f"line {line}: {rule}: {message}")
        self.line = line
        self.rule = rule
        self.message = message


@dataclass(frozen=True)
class Event:
    """One line of the record after the header."""

    line: int
    name: str
    fields: dict[str, Any]

    def __getitem__(self, field: str) -> Any:
        return self.fields[field]


def referee(
    text: str, boards: Mapping[str, dict[str, Any]], editions: Mapping[str, dict[str, Any]]
) -> dict[str, Any]:
    """Replay the record of a finished game and return its recomputed result, or raise Breach."""
    return Referee(text, boards, editions).run()


def is_number(value: object) -> bool:
    """Say whether a JSON value is a whole number (true and false are none)."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_names(value: object) -> bool:
    """Say whether a JSON value is a list of strings."""
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def no_field_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a JSON object, refusing a field that is named twice."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a field is named twice")
    return fields


def plain_ticket(ticket: Mapping[str, Any]) -> dict[str, Any]:
    """Return a ticket of a board or of a pack in one form."""
    a, b = ticket["cities"] if "cities" in ticket else (ticket["a"], ticket["b"])
    return {
        "id": ticket["id"],
        "a": a,
        "b": b,
        "points": ticket["points"],
        "long": ticket["long"],
        "mark": ticket["mark"] if "mark" in ticket else ticket["big_city"],
    }


def pack_tickets(packs: Any, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the tickets of the named packs: by name, or as a list of packs that have names."""
    by_name = packs
    if isinstance(packs, list):
        by_name = {pack["pack"] if "pack" in pack else pack["name"]: pack for pack in packs}
    if set(by_name) != set(names):
        raise ValueError("packs and extras do not name the same")
    tickets = []
    for name in names:
        pack = by_name[name]
        tickets += pack["tickets"] if isinstance(pack, dict) else pack
    return [plain_ticket(ticket) for ticket in tickets]


class Referee:
    """One replay. Reads the record line by line; the state is what lies on the table."""

    def __init__(
        self,
        text: str,
        boards: Mapping[str, dict[str, Any]],
        editions: Mapping[str, dict[str, Any]],
    ) -> None:
        self.lines = text.removesuffix("\n").split("\n")
        self.line = 0
        self.boards = boards
        self.editions = editions

    def run(self) -> dict[str, Any]:
        """Replay everything."""
        self.header()
        self.set_up()
        return self.result(self.play())

    # Reading

    def fail(self, rule: str, message: str, line: int | None = None) -> NoReturn:
        """Refuse the record, at the line that was read last if no other is given."""
        raise Breach(self.line if line is None else line, rule, message)

    def parse(self, line: int) -> dict[str, Any]:
        """Return the object on a line."""
        if line > len(self.lines):
            self.fail("record", "the record ends before the game has a result", line)
        try:
            value = json.loads(self.lines[line - 1], object_pairs_hook=no_field_twice)
        except ValueError as error:
            self.fail("record", f"not JSON: {error}", line)
        if not isinstance(value, dict):
            self.fail("record", "not an object", line)
        return value

    def peek(self) -> str:
        """Return the name of the next event, or "result"."""
        value = self.parse(self.line + 1)
        if list(value) == ["result"]:
            return "result"
        name = value.get("event")
        if not isinstance(name, str) or name not in EVENTS:
            self.fail("record", f"no such event: {name!r}", self.line + 1)
        return name

    def read(self) -> Event:
        """Read the next event and check its form."""
        name = self.peek()
        self.line += 1
        fields = self.parse(self.line)
        if name != "result":
            del fields["event"]
            if set(fields) != set(EVENTS[name]):
                self.fail("record", f"{name} has the fields {sorted(EVENTS[name])}")
            for field, kind in EVENTS[name].items():
                if not self.check_field(kind, fields[field]):
                    self.fail("record", f"{name}: {field} cannot be {fields[field]!r}")
        return Event(self.line, name, fields)

    def expect(self, rule: str, *names: str) -> Event:
        """Read the next event, which this rule wants to be one of those named."""
        found = self.peek()
        if found not in names:
            self.fail(rule, f"expected {' or '.join(names)}, not {found}", self.line + 1)
        return self.read()

    def read_shuffle(self) -> Event | None:
        """Read a shuffle if one comes next; `turn_up` judges whether it is right."""
        return self.read() if self.peek() == "shuffle" else None

    def check_field(self, kind: str, value: Any) -> bool:
        """Say whether a value is of a kind."""
        if kind in ("seat", "place"):
            limit = self.seats if kind == "seat" else 5
            return is_number(value) and 0 <= value < limit
        if kind == "number":
            return is_number(value) and value >= 0
        if kind == "cards":
            return is_names(value) and all(card in self.all_cards for card in value)
        if kind == "places":
            return isinstance(value, list) and all(
                card is None or (isinstance(card, str) and card in self.all_cards) for card in value
            )
        if kind == "tickets":
            return is_names(value) and all(ticket in self.tickets for ticket in value)
        known = {"card": self.all_cards, "route": self.routes, "city": self.cities}[kind]
        return isinstance(value, str) and value in known

    # Header

    def header(self) -> None:
        """Check the header and set out board, tickets and pieces."""
        self.line = 1
        header = self.parse(1)
        must = {"record", "version", "edition", "extras", "players", "first", "seed", "commitment"}
        if not must <= set(header):  # others are ignored by readers that do not know them
            self.fail("record", f"the header has the fields {sorted(must)}")
        if header["record"] != "ferrovia" or not is_number(header["version"]):
            self.fail("record", "not a record of ferrovia")
        if header["version"] != 1:
            self.fail("record", "not of version 1")
        if not isinstance(header["edition"], str) or header["edition"] not in self.editions:
            self.fail("record", f"no such edition: {header['edition']!r}")
        self.edition = self.editions[header["edition"]]
        self.header_players(header)
        self.header_seed(header)
        self.header_board(header)

    def header_players(self, header: Mapping[str, Any]) -> None:
        """Check who plays and who begins, and give everyone their pieces."""
        players = header["players"]
        if not is_names(players):
            self.fail("record", "players is a list of names")
        self.seats = len(players)
        fewest, most = self.edition["players"]
        if not fewest <= self.seats <= most:
            self.fail("R1", f"{fewest} to {most} can play, not {self.seats}")
        if not is_number(header["first"]) or not 0 <= header["first"] < self.seats:
            self.fail("R2.4", "first is not a seat")
        self.first: int = header["first"]
        self.hands: list[Counter[str]] = [Counter() for _ in players]
        self.held: list[list[str]] = [[] for _ in players]
        self.built: list[list[str]] = [[] for _ in players]
        self.trains = [self.edition["trains"] for _ in players]

    def header_seed(self, header: Mapping[str, Any]) -> None:
        """Check that the commitment is the SHA-256 of the seed's 32 bytes."""
        seed, commitment = header["seed"], header["commitment"]
        digits = set("0123456789abcdefABCDEF")
        if not isinstance(seed, str) or len(seed) != 64 or not set(seed) <= digits:
            self.fail("record", "seed is 32 bytes in hex")
        right = sha256(bytes.fromhex(seed)).hexdigest()
        if not isinstance(commitment, str) or commitment.lower() != right:
            self.fail("record", "commitment is not the SHA-256 of the seed")
        shuffle = header.get("shuffle")
        if isinstance(shuffle, dict) and shuffle.get("method") == "ferrovia shuffle 1":
            self.header_shuffle(shuffle, seed.lower())

    def header_shuffle(self, shuffle: Mapping[str, Any], seed: str) -> None:
        """Check that the seed is the hash of the parts, and each part the one committed to."""
        lines = "ferrovia shuffle 1\n"
        for name, it in [("server", shuffle["server"]), *enumerate(shuffle["players"])]:
            if name != "server":
                name = it["player"]
            if it["part"] is None:
                continue
            if sha256(bytes.fromhex(it["part"])).hexdigest() != it["commitment"]:
                self.fail("record", f"the part of {name} is not the one committed to")
            lines += f"{name} {it['part']}\n"
        if sha256(lines.encode()).hexdigest() != seed:
            self.fail("record", "the seed does not follow from the parts")

    def header_board(self, header: Mapping[str, Any]) -> None:
        """Set out the board, the cards and the tickets that the edition uses (R1.4)."""
        board = header.get("board", self.boards.get(self.edition["board"]))
        if not isinstance(board, dict):
            self.fail("record", "the board is not known")
        self.cities = [city["id"] for city in board["cities"]]
        self.routes = {route["id"]: route for route in board["routes"]}
        self.owner: dict[str, int] = {}
        self.all_cards = self.edition["cards"]
        self.deck = Counter(self.all_cards)
        self.discards: Counter[str] = Counter()
        self.display: list[str | None] = [None] * 5

        own_board = "board" in header
        tickets = [
            plain_ticket(ticket)
            for ticket in board["tickets"]
            if own_board or ticket["set"] in self.edition["sets"]
        ]
        if not is_names(header["extras"]) or len(set(header["extras"])) != len(header["extras"]):
            self.fail("record", "extras is a list of different names")
        if bool(header["extras"]) != bool(header.get("packs")):
            self.fail("record", "packs holds the tickets of the extras, no more and no less")
        if header["extras"]:
            try:
                tickets += pack_tickets(header["packs"], header["extras"])
            except (KeyError, TypeError, ValueError) as error:
                self.fail("record", f"packs cannot be read: {error}")
        if self.edition["marked_only"]:
            tickets = [ticket for ticket in tickets if ticket["mark"]]
        self.tickets = {ticket["id"]: ticket for ticket in tickets}
        if len(self.tickets) != len(tickets):
            self.fail("R1.4", "two tickets have one id")
        for ticket in tickets:
            if not {ticket["a"], ticket["b"]} <= set(self.cities):
                self.fail("R1.4", f"{ticket['id']} names a city that is not on the board")

    # Set-up

    def set_up(self) -> None:
        """Deal cards, lay out the display, deal tickets."""
        dealt: set[int] = set()
        for _ in range(self.seats):
            event = self.expect("R2.2", "deal")
            if event["player"] in dealt:
                self.fail("R2.2", "a player is dealt to twice")
            dealt.add(event["player"])
            self.turn_up(event["cards"], 4, None, "R2.2")
            self.hands[event["player"]].update(event["cards"])
        self.lay_out("R2.2")
        self.look_at_display()
        self.deal_tickets()

    def deal_tickets(self) -> None:
        """Read offers and answers at the start, players in any order (R2.3, R1.2, R1.3)."""
        unseen = {
            kind: {name for name, ticket in self.tickets.items() if ticket["long"] == is_long}
            for kind, is_long in (("long", True), ("regular", False))
        }
        to_bottom: set[str] = set()
        rounds = self.edition["start"]
        answered = [0] * self.seats
        offered: list[list[str] | None] = [None] * self.seats
        while min(answered) < len(rounds):
            event = self.expect("R2.3", "offer", "keep")
            player = event["player"]
            if answered[player] == len(rounds):
                self.fail("R2.3", "this player has already chosen")
            this = rounds[answered[player]]
            before = offered[player]
            if event.name == "offer":
                if before is not None:
                    self.fail("R2.3", "the offer before has no answer yet")
                self.check_start_offer(event["tickets"], this, unseen)
                offered[player] = event["tickets"]
                continue
            if before is None:
                self.fail("R2.3", "nothing was offered")
            self.check_start_keep(event, before, this)
            for ticket in event["returned"]:
                kind = "long" if self.tickets[ticket]["long"] else "regular"
                if self.edition["back"][kind] == "bottom":
                    to_bottom.add(ticket)
            self.held[player] += event["kept"]
            offered[player] = None
            answered[player] += 1
        # From the top: sets of tickets whose order among themselves nobody knows.
        self.ticket_deck: list[set[str]] = [unseen["regular"], to_bottom]

    def check_start_offer(
        self, tickets: list[str], this: Mapping[str, Any], unseen: dict[str, set[str]]
    ) -> None:
        """Check a start offer: the right number of each kind, none of them seen before."""
        rule = "R1.3" if len(self.edition["start"]) > 1 else "R2.3"
        for kind, left in unseen.items():
            got = [t for t in tickets if self.tickets[t]["long"] == (kind == "long")]
            if len(got) != min(this[kind], len(left)):
                self.fail(rule, f"{this[kind]} {kind} tickets are dealt, not {len(got)}")
            for ticket in got:
                if ticket not in left:
                    self.fail("R2.3", f"{ticket} has been dealt already")
                left.remove(ticket)

    def check_start_keep(self, event: Event, offered: list[str], this: Mapping[str, Any]) -> None:
        """Check how many tickets of a start offer are kept."""
        self.check_answer(event, offered, "R2.3")
        rule = "R1.3" if len(self.edition["start"]) > 1 else "R2.3"
        least = this["least"]
        if not self.held[event["player"]]:
            least = this.get("least_without_long", least)
        kept = len(event["kept"])
        if not min(least, len(offered)) <= kept <= this["most"]:
            self.fail(rule, f"{least} to {this['most']} tickets are kept here, not {kept}")

    def check_answer(self, event: Event, offered: list[str], rule: str) -> None:
        """Check that kept and returned are together what was offered."""
        if sorted(event["kept"] + event["returned"]) != sorted(offered):
            self.fail(rule, "kept and returned are not what was offered")

    # Cards

    def turn_up(self, cards: Sequence[str], wanted: int, shuffle: Event | None, rule: str) -> None:
        """Take cards from the deck, over a shuffle where it has too few (R4.8)."""
        left, thrown = self.deck.total(), self.discards.total()
        if len(cards) != min(wanted, left + thrown):
            self.fail(rule, f"{min(wanted, left + thrown)} cards come up here, not {len(cards)}")
        if left < wanted and thrown:
            if shuffle is None:
                self.fail("R4.8", "the deck runs out, and the discards were not shuffled before")
            if shuffle["count"] != thrown:
                self.fail("R4.8", f"there were {thrown} discards", shuffle.line)
            if Counter(cards[:left]) != self.deck:
                self.fail("R4.8", "the last cards of the old deck come first")
            self.deck, self.discards = self.discards, Counter()
            cards = cards[left:]
        elif shuffle is not None:
            self.fail("R4.8", "a shuffle when none was needed", shuffle.line)
        for card in cards:
            if not self.deck[card]:
                self.fail("R2.1", f"no {card} can be left in the deck")
            self.deck[card] -= 1

    def no_cards_left(self) -> bool:
        """Say whether deck and discards are both empty (R4.9)."""
        return self.deck.total() + self.discards.total() == 0

    def lay_out(self, rule: str) -> None:
        """Read a display that is laid out anew."""
        shuffle = self.read_shuffle()
        event = self.expect(rule, "face_up")
        if len(event["cards"]) != 5:
            self.fail(rule, "the display has five places")
        cards = [card for card in event["cards"] if card is not None]
        self.turn_up(cards, 5, shuffle, rule)
        self.display = list(event["cards"])

    def refill(self, places: Sequence[int], rule: str) -> None:
        """Read the refill of one of these places, each of them empty."""
        shuffle = self.read_shuffle()
        event = self.expect(rule, "refill")
        if event["place"] not in places:
            self.fail(rule, "this place is not the one to fill")
        self.turn_up([event["card"]], 1, shuffle, rule)
        self.display[event["place"]] = event["card"]

    def look_at_display(self) -> None:
        """Read the flushes that R4.6 asks for and R4.7 does not stop."""
        while self.display.count(LOCOMOTIVE) >= 3 and self.redeal_helps():
            event = self.expect("R4.6", "flush")
            shown = Counter(card for card in self.display if card is not None)
            if Counter(card for card in event["cards"] if card is not None) != shown:
                self.fail("R4.6", "these are not the cards on display")
            self.discards.update(shown)
            self.display = [None] * 5
            self.lay_out("R4.6")

    def redeal_helps(self) -> bool:
        """Say whether deck, discards and display hold three cards that are no locomotives."""
        shown = Counter(card for card in self.display if card is not None)
        everything = self.deck + self.discards + shown
        return everything.total() - everything[LOCOMOTIVE] >= 3

    def check_hand(self, player: int, cards: Sequence[str], rule: str) -> None:
        """Check that a player has these cards."""
        if not Counter(cards) <= self.hands[player]:
            self.fail(rule, "these cards are not all in the player's hand")

    # Turns

    def play(self) -> str:
        """Read turn after turn until the game is over, and return the rule that ends it."""
        player, passes = self.first, 0
        turns_left: int | None = None
        self.turn_was_over = "R2.4"
        while passes < self.seats and turns_left != 0:
            passed = self.turn(player)
            passes = passes + 1 if passed else 0
            last_round = turns_left is None and self.trains[player] <= 2
            self.end_turn(player, last_round)
            if turns_left is not None:
                turns_left -= 1
            elif last_round:
                turns_left = self.seats
            player = (player + 1) % self.seats
        return "R10.2" if turns_left == 0 else "R3.3"

    def turn(self, player: int) -> bool:
        """Read one turn, and say whether it was a pass (R3.1)."""
        shuffle = self.read_shuffle()
        name = self.peek()
        if name in UNTIMELY:
            rule = UNTIMELY[name]
            if name == "flush" and self.display.count(LOCOMOTIVE) >= 3:
                rule = "R4.7"
            self.fail(rule, f"{name} has no place here", self.line + 1)
        event = self.read()
        if event["player"] != player:
            before = (player - 1) % self.seats
            rule = self.turn_was_over if event["player"] == before else "R2.4"
            self.fail(rule, f"it is the turn of player {player}")
        if shuffle is not None and name not in ("draw", "tunnel"):
            self.fail("R4.8", "a shuffle when none was needed", shuffle.line)
        self.turn_was_over = "R3.1"
        match name:
            case "take" | "draw":
                self.draw_cards(event, shuffle)
            case "claim":
                self.claim(event)
            case "tunnel":
                self.tunnel(event, shuffle)
            case "offer":
                self.draw_tickets(event)
            case "station":
                self.station(event)
            case "pass":
                self.check_pass(player)
        return name == "pass"

    def end_turn(self, player: int, last_round: bool) -> None:
        """Read what follows a turn: places that can be filled now, flushes, the last round."""
        told = last_round and self.peek() == "last_round"
        if told:
            self.read_last_round(player)
        while None in self.display and not self.no_cards_left():
            self.refill([i for i, card in enumerate(self.display) if card is None], "R4.10")
        self.look_at_display()
        if last_round and not told:
            self.read_last_round(player)

    def read_last_round(self, player: int) -> None:
        """Read that this player's turn began the last round."""
        if self.expect("R10.2", "last_round")["player"] != player:
            self.fail("R10.2", "another player's turn began the last round")

    # 4: drawing train cards

    def draw_cards(self, event: Event, shuffle: Event | None) -> None:
        """Read one or two cards (R4.1, R4.3, R4.9)."""
        player = event["player"]
        self.draw_one(event, shuffle)
        if event.name == "take" and event["card"] == LOCOMOTIVE:
            self.turn_was_over = "R4.3"
            return
        if self.no_cards_left():
            self.turn_was_over = "R4.9"
            return
        shuffle = self.read_shuffle()
        if self.peek() in ("flush", "refill", "face_up"):
            self.fail(UNTIMELY[self.peek()], f"{self.peek()} has no place here", self.line + 1)
        second = self.expect("R4.1", "take", "draw")
        if second["player"] != player:
            self.fail("R4.1", f"player {player} takes a second card first")
        if second.name == "take" and second["card"] == LOCOMOTIVE:
            self.fail("R4.4", "a face-up locomotive is never the second card")
        self.draw_one(second, shuffle)
        self.turn_was_over = "R4.1"

    def draw_one(self, event: Event, shuffle: Event | None) -> None:
        """Read one card, face up with its refill, or blind (R4.2, R4.9)."""
        if self.no_cards_left():
            self.fail("R4.9", "deck and discards are empty: no card can be drawn")
        card = event["card"]
        self.hands[event["player"]][card] += 1
        if event.name == "draw":
            self.turn_up([card], 1, shuffle, "R4.1")
            return
        if shuffle is not None:
            self.fail("R4.8", "a shuffle when none was needed", shuffle.line)
        if self.display[event["place"]] != card:
            self.fail("R4.1", f"no {card} lies at place {event['place']}")
        self.display[event["place"]] = None
        self.refill([event["place"]], "R4.2")
        self.look_at_display()

    # 5 to 7: routes

    def doubles(self, route: Mapping[str, Any]) -> list[str]:
        """Return the other routes of the same cities and length (R5.6)."""
        return [
            name
            for name, other in self.routes.items()
            if name != route["id"]
            and {other["a"], other["b"]} == {route["a"], route["b"]}
            and other["length"] == route["length"]
        ]

    def why_closed(self, player: int, route: Mapping[str, Any]) -> str | None:
        """Return the rule that closes a route to a player, if one does."""
        if route["id"] in self.owner:
            return "R5.5"
        owners = [self.owner[name] for name in self.doubles(route) if name in self.owner]
        if player in owners:
            return "R5.6"
        if owners and self.seats <= 3:
            return "R5.7"
        if self.trains[player] < route["length"]:
            return "R5.3"
        return None

    def check_laid(self, event: Event, route: Mapping[str, Any]) -> None:
        """Check that a player may claim a route with these cards (R5.1 to R5.7, R6.1)."""
        rule = self.why_closed(event["player"], route)
        if rule is not None:
            self.fail(rule, f"{route['id']} is not open to player {event['player']}")
        cards = event["cards"]
        if len(cards) != route["length"]:
            self.fail("R5.1", f"{route['id']} takes {route['length']} cards")
        colours = set(cards) - {LOCOMOTIVE}
        if len(colours) > 1:
            self.fail("R5.1", "the cards are of more than one colour")
        if route["color"] != "gray" and not colours <= {route["color"]}:
            self.fail("R5.1", f"{route['id']} takes {route['color']} cards")
        if cards.count(LOCOMOTIVE) < route["ferry"]:
            self.fail("R6.1", f"{route['id']} takes {route['ferry']} locomotives or more")
        self.check_hand(event["player"], cards, "R5.1")

    def place_trains(self, claim: Event, route: Mapping[str, Any]) -> None:
        """Give the route to the player and check the points (R5.3, R5.4)."""
        if claim["points"] != POINTS.get(route["length"]):
            self.fail("R10.1", f"{claim['points']} points for {route['length']} spaces")
        self.owner[route["id"]] = claim["player"]
        self.trains[claim["player"]] -= route["length"]

    def claim(self, event: Event) -> None:
        """Read the claim of a route that is no tunnel."""
        route = self.routes[event["route"]]
        if route["tunnel"]:
            self.fail("R7.1", "a tunnel is claimed after three cards were turned up")
        self.check_laid(event, route)
        self.hands[event["player"]].subtract(event["cards"])
        self.discards.update(event["cards"])
        self.place_trains(event, route)

    def tunnel(self, event: Event, shuffle: Event | None) -> None:
        """Read an attempt at a tunnel and its end (section 7)."""
        player, laid, revealed = event["player"], event["cards"], event["revealed"]
        route = self.routes[event["route"]]
        if not route["tunnel"]:
            self.fail("R7.1", f"{route['id']} is no tunnel")
        self.check_laid(event, route)
        self.hands[player].subtract(laid)
        self.turn_up(revealed, 3, shuffle, "R7.6" if len(revealed) < 3 else "R7.1")
        paying = set(laid) | {LOCOMOTIVE}
        extra = len([card for card in revealed if card in paying])
        if event["extra"] != extra:
            rule = "R7.3" if paying == {LOCOMOTIVE} else "R7.2"
            self.fail(rule, f"{extra} more cards are due, not {event['extra']}")

        answers = ["claim", "withdraw"] if extra else ["claim"]
        answer = self.expect("R7.8", *answers)
        if answer["player"] != player or answer["route"] != route["id"]:
            self.fail("R7.8", "another player or route than in the tunnel before")
        if answer.name == "claim":
            self.pay_tunnel(answer, laid, extra, paying)
            self.place_trains(answer, route)
        else:
            self.hands[player].update(laid)
        self.discards.update(revealed)

    def pay_tunnel(self, claim: Event, laid: list[str], extra: int, paying: set[str]) -> None:
        """Check and pay the cards of a tunnel; those laid have left the hand already."""
        rule = "R7.3" if paying == {LOCOMOTIVE} else "R7.2"
        if not Counter(laid) <= Counter(claim["cards"]):
            self.fail("R7.1", "the laid cards are not among the cards paid")
        more = list((Counter(claim["cards"]) - Counter(laid)).elements())
        if len(more) != extra:
            self.fail(rule, f"{extra} more cards are due, not {len(more)}")
        if not set(more) <= paying:
            self.fail(rule, "the extra cards are not of the colour that was played")
        self.check_hand(claim["player"], more, rule)
        self.hands[claim["player"]].subtract(more)
        self.discards.update(claim["cards"])

    # 8: tickets

    def draw_tickets(self, event: Event) -> None:
        """Read the tickets of a turn and the answer; the offer names the top one first."""
        left = sum(len(block) for block in self.ticket_deck)
        number = min(self.edition["drawn"], left)
        if number == 0:
            self.fail("R8.1", "the ticket deck is empty")
        if len(event["tickets"]) != number:
            self.fail("R8.1", f"{number} tickets are drawn, not {len(event['tickets'])}")
        for ticket in event["tickets"]:
            top = next(block for block in self.ticket_deck if block)
            if ticket not in top:
                self.fail("R8.1", f"{ticket} cannot be on top of the ticket deck")
            top.remove(ticket)
        answer = self.expect("R8.2", "keep")
        if answer["player"] != event["player"]:
            self.fail("R8.2", "another player answers")
        self.check_answer(answer, event["tickets"], "R8.2")
        if len(answer["kept"]) < min(self.edition["least"], number):
            self.fail("R8.2", f"at least {self.edition['least']} is kept")
        self.held[event["player"]] += answer["kept"]
        self.ticket_deck += [{ticket} for ticket in answer["returned"]]

    # 9: stations

    def station(self, event: Event) -> None:
        """Read the building of a station (R9.1, R9.2)."""
        player, cards = event["player"], event["cards"]
        if len(self.built[player]) >= self.edition["stations"]:
            self.fail("R9.1", "this player has no station left")
        if any(event["city"] in built for built in self.built):
            self.fail("R9.1", f"{event['city']} has a station")
        if len(cards) != len(self.built[player]) + 1:
            self.fail("R9.2", f"this station costs {len(self.built[player]) + 1} cards")
        if len(set(cards) - {LOCOMOTIVE}) > 1:
            self.fail("R9.2", "the cards are of more than one colour")
        self.check_hand(player, cards, "R9.2")
        self.hands[player].subtract(cards)
        self.discards.update(cards)
        self.built[player].append(event["city"])

    # 3: passing

    def check_pass(self, player: int) -> None:
        """Check that a player could do nothing else (R3.2)."""
        if not self.no_cards_left():
            self.fail("R3.2", "a train card can be drawn")
        if any(self.ticket_deck):
            self.fail("R3.2", "tickets can be drawn")
        for route in self.routes.values():
            if self.why_closed(player, route) is None and self.can_pay(
                player, route["length"], route["color"], route["ferry"]
            ):
                self.fail("R3.2", f"{route['id']} can be claimed")
        cities_left = [c for c in self.cities if not any(c in built for built in self.built)]
        stations_built = len(self.built[player])
        if (
            stations_built < self.edition["stations"]
            and cities_left
            and self.can_pay(player, stations_built + 1, "gray", 0)
        ):
            self.fail("R3.2", "a station can be built")

    def can_pay(self, player: int, number: int, colour: str, locomotives: int) -> bool:
        """Try every payment of a number of cards with at least a number of locomotives."""
        hand = self.hands[player]
        return any(
            standing_in <= hand[LOCOMOTIVE] and number - standing_in <= hand[played]
            for played in (COLOURS if colour == "gray" else [colour])
            for standing_in in range(locomotives, number + 1)
        )

    # 10: the result

    def result(self, over: str) -> dict[str, Any]:
        """Check the last line against the score by brute force, and return that."""
        event = self.expect(over, "result")
        if self.line < len(self.lines):
            self.fail("record", "nothing follows the result", self.line + 1)
        tickets = [[self.tickets[name] for name in held] for held in self.held]
        right = score(list(self.routes.values()), self.owner, self.built, tickets, self.edition)
        given = event["result"]
        if not isinstance(given, dict) or set(given) != {"scores", "winners"}:
            self.fail("record", "a result has scores and winners")
        if not isinstance(given["scores"], list) or len(given["scores"]) != self.seats:
            self.fail("record", "a result has the score of every player")
        for seat, (theirs, ours) in enumerate(zip(given["scores"], right["scores"], strict=True)):
            if not isinstance(theirs, dict) or set(theirs) != set(RESULT_RULES):
                self.fail("record", f"a score has the fields {sorted(RESULT_RULES)}")
            for field, rule in RESULT_RULES.items():
                self.compare(rule, f"{field} of player {seat}", theirs[field], ours[field])
        self.compare("R10.6", "winners", given["winners"], right["winners"])
        return right

    def compare(self, rule: str, what: str, given: Any, right: Any) -> None:
        """Check one value of the result; lists may be in any order."""
        if isinstance(given, list) and isinstance(right, list):
            given, right = sorted(given, key=json.dumps), sorted(right, key=json.dumps)
        if json.dumps(given, sort_keys=True) != json.dumps(right, sort_keys=True):
            self.fail(rule, f"{what}: {right}, not {given}")
