"""Events as sentences that a person reads."""

from collections import Counter
from collections.abc import Iterable, Sequence

from ferrovia.boards import COLORS, Edition
from ferrovia.game import events

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def listing(parts: Iterable[str]) -> str:
    """Return things as a list in words: a, b and c."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def counted(cards: Iterable[str | None]) -> str:
    """Return the cards of a payment or a hand, counted: 3 blue, 2 locomotives."""
    counts = Counter(cards)
    return ", ".join(_several(counts[card], card) for card in COLORS if counts[card]) or "nothing"


def _several(count: int, card: str) -> str:
    return f"{count} {card}s" if card == COLORS[-1] and count > 1 else f"{count} {card}"


def laid_out(cards: Iterable[str | None]) -> str:
    """Return cards in their order: red, blue, -, green."""
    return ", ".join(card or "-" for card in cards) or "nothing"


def number_of(count: int, thing: str) -> str:
    """Return a number and its noun: three tickets, one ticket, no tickets."""
    word = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    return f"{word} {thing}" if count == 1 else f"{word} {thing}s"


def distinct(names: Sequence[str]) -> list[str]:
    """Return names that differ: the seat is added to a name that several have."""
    return [
        f"{name} (seat {seat})" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    ]


class Narrator:
    """Narrates the events of a game to one seat, which is called You, or to anybody (None).

    What the events do not say, because it is a secret, the sentences do not say either.
    """

    def __init__(self, edition: Edition, names: Sequence[str], viewer: int | None = None) -> None:
        self.edition = edition
        self.board = edition.board
        self.names = tuple(distinct(names))
        self.viewer = viewer

    def who(self, seat: int) -> str:
        return "You" if seat == self.viewer else self.names[seat]

    def whom(self, seat: int) -> str:
        return "you" if seat == self.viewer else self.names[seat]

    def city(self, id: str) -> str:
        return self.board.city(id).name

    def route(self, id: str) -> str:
        route = self.board.route(id)
        return f"{self.city(route.a)} – {self.city(route.b)}"

    def ticket(self, id: str) -> str:
        """Return a ticket with its points: Berlin – Roma (9)."""
        ticket = self.edition.ticket(id)
        return f"{self.city(ticket.a)} – {self.city(ticket.b)} ({ticket.points})"

    def narrate(self, happened: Iterable[events.Event]) -> list[str]:
        """Return sentences for some events; what a player does in a row becomes one sentence."""
        sentences: list[str] = []
        doing: list[str] = []
        seat, tunnel = -1, False
        for event in happened:
            neutral, deed = self._happened(event), self._deed(event, tunnel and bool(doing))
            tunnel = isinstance(event, events.Tunnel)
            player = getattr(event, "player", seat)
            if doing and (neutral or (deed and player != seat)):
                sentences.append(f"{self.who(seat)} {_joined(doing)}.")
                doing = []
            if neutral:
                sentences.append(neutral)
            if deed:
                seat = player
                doing.append(deed)
                if isinstance(event, events.Keep):  # what comes next is another turn
                    sentences.append(f"{self.who(seat)} {_joined(doing)}.")
                    doing = []
        if doing:
            sentences.append(f"{self.who(seat)} {_joined(doing)}.")
        return sentences

    def _happened(self, event: events.Event) -> str | None:
        """Return the sentence for an event that is no player's doing."""
        match event:
            case events.FaceUp(cards=cards):
                return f"Face up: {laid_out(cards)}."
            case events.Flush(cards=cards):
                locomotives = cards.count(COLORS[-1])
                return (
                    f"{number_of(locomotives, 'locomotive').capitalize()} lay face up: "
                    "the display was discarded and laid out again."
                )
            case events.Shuffle(count=count):
                return f"The discards were shuffled to a new deck of {count} cards."
            case events.LastRound(player=player):
                has = "have" if player == self.viewer else "has"
                return (
                    f"LAST ROUND: {self.who(player)} {has} two trains or fewer. "
                    "Everybody has one more turn."
                )
        return None

    def _deed(self, event: events.Event, in_tunnel: bool) -> str | None:
        """Return what a player did, without the name; `in_tunnel` when the route was just named."""
        match event:
            case events.Deal(cards=cards) if None not in cards:
                return f"got {counted(cards)}"
            case events.Offer(tickets=tickets):
                return f"drew {self._ticket_list(tickets)}"
            case events.Keep(kept=None):
                return "chose tickets"
            case events.Keep(kept=kept, returned=returned):
                back = f", giving back {self._ticket_list(returned)}" if returned else ""
                return f"kept {self._ticket_list(kept or ())}{back}"
            case events.Take(card=card):
                return f"took {card_text(card)} from the display"
            case events.Draw(card=card):
                return f"drew {card_text(card)} from the deck"
            case events.Claim(route=route, cards=cards, points=points):
                gain = f"{points} point" if points == 1 else f"{points} points"
                name = "it" if in_tunnel else self.route(route)
                return f"claimed {name} with {counted(cards)} for {gain}"
            case events.Tunnel(route=route, cards=cards, revealed=revealed, extra=extra):
                due = f"{extra} more to pay" if extra else "nothing more to pay"
                return (
                    f"laid {counted(cards)} for the tunnel {self.route(route)} "
                    f"(turned up: {laid_out(revealed)}; {due})"
                )
            case events.Withdraw():
                return "took the cards back"
            case events.Station(city=city, cards=cards):
                return f"built a station in {self.city(city)} with {counted(cards)}"
            case events.PassTurn():
                return "passed, as nothing was possible"
        return None

    def _ticket_list(self, tickets: Sequence[str | None]) -> str:
        known = [self.ticket(ticket) for ticket in tickets if ticket is not None]
        return listing(known) if known else number_of(len(tickets), "ticket")


def card_text(card: str | None) -> str:
    """Return one card with its article: a red card, a locomotive; None: a card."""
    if card is None:
        return "a card"
    if card == COLORS[-1]:
        return "a locomotive"
    return f"an {card} card" if card[0] in "aeiou" else f"a {card} card"


def _joined(deeds: Sequence[str]) -> str:
    """Return deeds as one phrase; two cards from one place are named together."""
    match [deed.partition(" from the ") for deed in deeds]:
        case [(first, _, place), (second, _, other)] if place and place == other:
            verb, _, card = second.partition(" ")
            if first != second:
                return f"{first} and {card} from the {place}"
            return f"{verb} two {card.partition(' ')[2]}s from the {place}"
    return listing(deeds)
