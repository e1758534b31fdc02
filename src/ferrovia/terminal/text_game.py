"""One person against bots, as plain text, read and written line by line."""

from collections.abc import Callable, Sequence

from ferrovia.bots import Bot
from ferrovia.game import (
    Action,
    ClaimRoute,
    DrawTickets,
    Game,
    IllegalAction,
    InvalidAction,
    Phase,
    TakeCard,
    View,
)
from ferrovia.game.events import FaceUp, Offer
from ferrovia.terminal import screens
from ferrovia.terminal.final_scores import score_lines
from ferrovia.terminal.hint_lines import as_typed, hint_lines
from ferrovia.terminal.lookup import choose, read_city
from ferrovia.terminal.sentences import Narrator, listing
from ferrovia.terminal.typed_actions import VERBS, is_choice, understand

HELP = """\
Your turn is one of these:
  draw                     a card from the deck, then a second card
  take red                 a face-up card, then a second (but one locomotive)
  claim paris zurich       a route; how to pay is asked when there is a choice
  claim paris zurich 3 blue   ... or say at once how you pay
  station wien             a station, on boards that have them
  draw tickets             more tickets, of which you keep at least one
When you are asked:
  keep 1 3 (or just 1 3)   the tickets you keep
  pay / withdraw           in a tunnel that costs more
To look at things:
  hand  tickets  board  players  log  legal [claim]  hint
  routes                   what you can claim now
  routes paris             all routes of a city
  quit                     leave the game
The beginning of a word is enough where it is clear: cl par zur 3 blu.
Enter alone shows again what is asked."""

_LOOKS = (
    "help",
    "hand",
    "tickets",
    "board",
    "players",
    "log",
    "legal",
    "hint",
    "routes",
    "quit",
)
_LOG = 20  # lines that `log` shows
_ABOUT_CARDS = (
    "one_color",
    "wrong_number",
    "too_few_trains",
    "too_few_cards",
    "ferry_locomotives",
    "wrong_payment",
)


class PlayerLeft(Exception):
    """The player has left the game."""


class TextGame:
    """A game in which one seat is a person who reads `write` and answers `ask`.

    `ask` returns a line without its end, or None when there will be no more; then, and on `quit`,
    `play` raises PlayerLeft and the game stays as it was. Lines are folded to a narrow `width`.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        bots: dict[int, Bot],
        names: Sequence[str],
        ask: Callable[[str], str | None],
        write: Callable[[str], None],
        width: int = screens.WIDTH,
    ) -> None:
        self.game = game
        self.seat = seat
        self.bots = bots
        self.narrator = Narrator(game.edition, names, seat)
        self.ask = ask
        self.write = write
        self.width = width
        self.written: list[str] = []
        self._events = 0
        self._choices: list[Action] = []

    def play(self) -> None:
        """Play to the end and write the score."""
        screens.width.set(self.width)
        others = [name for seat, name in enumerate(self.narrator.names) if seat != self.seat]
        title = f"{self.game.edition.name}: you against {listing(others)}. Type help for help."
        self._say(*screens.paragraph(title))
        while not self.game.over:
            if self.seat in self.game.awaited:
                self._write_news()
                self._person_acts()
            else:
                seat = self.game.awaited[0]
                self.game.play(seat, self.bots[seat].decide(self.game.view(seat)))
        self._write_news()
        self._say("", *score_lines(self.game, self.narrator.names, self.seat))

    def _view(self) -> View:
        return self.game.view(self.seat)

    def _say(self, *lines: str) -> None:
        for line in "\n".join(lines).split("\n") if lines else ():
            for part in screens.folded(line):
                self.write(part)

    def _write_news(self) -> None:
        """Write what has happened since the last time, the person's own actions included."""
        seen = self.game.events_for(self.seat)
        news = [event for event in seen[self._events :] if not self._shown_elsewhere(event)]
        self._events = len(seen)
        for sentence in self.narrator.narrate(news):
            lines = screens.paragraph(f"- {sentence}", "  ")
            self.written += lines
            self._say(*lines)

    def _shown_elsewhere(self, event: object) -> bool:
        """Return whether it is shown before every decision: the display, the person's offers."""
        return isinstance(event, FaceUp) or (isinstance(event, Offer) and event.player == self.seat)

    def _person_acts(self) -> None:
        """Ask until something legal was done."""
        self._say("", *self._question())
        done = False
        while not done:
            line = self.ask("> ")
            if line is None:
                raise PlayerLeft
            try:
                done = self._answer(line.strip())
            except IllegalAction as problem:
                self._say(*screens.paragraph(f"Not allowed: {problem}."))
            except InvalidAction as problem:
                self._say(*screens.paragraph(f"I do not understand: {problem}."))

    def _question(self) -> list[str]:
        """Return the question that the person has to decide now, as lines."""
        view = self._view()
        match view.phase:
            case Phase.START | Phase.TICKETS:
                fewest, most = view.keep_bounds
                upto = f", at most {most}" if most < len(view.offer) else ""
                lines = screens.offer_lines(view, self.narrator)
                if view.phase is Phase.START:
                    lines.append(f"  Hand: {screens.hand_line(view)}")
                return [f"Which tickets do you keep? At least {fewest}{upto}.", *lines]
            case Phase.SECOND_CARD:
                cards = [it.card for it in view.legal_actions() if isinstance(it, TakeCard)]
                take = f", or take {', '.join(cards)}" if cards else ""
                return [f"Your second card: draw{take}"]
            case Phase.TUNNEL:
                return self._tunnel_question(view)
            case _:
                number = (view.turns - 1) // view.players + 1
                last = " Your LAST turn." if view.turns_left is not None else ""
                return [f"Round {number}: your turn.{last}", *screens.table_lines(view, self.seat)]

    def _tunnel_question(self, view: View) -> list[str]:
        assert view.tunnel is not None
        due = screens.amount(view.tunnel.extra, "more card")
        ways = " | ".join(map(str, view.legal_actions()))
        return [f"The tunnel costs {due}. Pay, or take your cards back:", f"  {ways}"]

    def _answer(self, line: str) -> bool:
        """Carry out a line; return whether the person's decision was made."""
        if not line:
            self._say(*self._question())
            return False
        if is_choice(line):
            return self._choose(line.replace(",", " ").split())
        word, _, rest = line.partition(" ")
        commands = (*VERBS, *_LOOKS)
        command = choose(word.lower(), commands, f"'{word}' is not a command here, see: help")
        if command in _LOOKS:
            self._look(command, rest.strip())
            return False
        return self._act(understand(command, rest, self._view()))

    def _choose(self, numbers: list[str]) -> bool:
        """Take the numbers of listed payments or offered tickets; return whether that decided."""
        if self._choices:
            number = int(numbers[0]) if len(numbers[0]) < 4 else 0
            if len(numbers) != 1 or not 1 <= number <= len(self._choices):
                raise InvalidAction(f"type a number from 1 to {len(self._choices)}")
            return self._act([self._choices[number - 1]])
        if self._view().offer:
            return self._act(understand("keep", " ".join(numbers), self._view()))
        raise InvalidAction("there is nothing to choose by number now, see: help")

    def _act(self, meant: list[Action]) -> bool:
        self._choices = []
        if len(meant) > 1:
            self._choices = meant
            ways = [f"  {n}. {as_typed(action)}" for n, action in enumerate(meant, start=1)]
            self._say("How do you pay? Give the number.", *ways)
            return False
        [action] = meant
        try:
            self.game.play(self.seat, action)
        except IllegalAction as problem:
            hint = self._what_it_takes(action, problem.reason)
            raise IllegalAction(problem.reason, problem.rule, problem.message + hint) from None
        self._write_news()
        return True

    def _what_it_takes(self, action: Action, reason: str) -> str:
        """Return what the route takes, for a claim that was refused because of its cards."""
        if not isinstance(action, ClaimRoute) or reason not in _ABOUT_CARDS:
            return ""
        route = self.game.edition.board.route(action.route)
        return f"; {self.narrator.route(route.id)} takes {screens.kind(route)}"

    def _look(self, command: str, rest: str) -> None:
        view = self._view()
        match command:
            case "help":
                self._say(HELP)
            case "hand":
                self._say(*screens.table_lines(view, self.seat))
            case "tickets":
                more = "To draw more tickets: draw tickets"
                self._say(*screens.ticket_lines(view, self.narrator, self.seat), more)
            case "board":
                self._say(*screens.board_lines(view, self.narrator))
            case "players":
                self._say(*screens.player_lines(view, self.narrator))
            case "log":
                self._say(*self.written[-_LOG:])
            case "legal":
                self._say(*_legal_lines(view, rest))
            case "hint":
                self._say(*hint_lines(view, self.narrator))
            case "routes" if rest:
                city = read_city(view.edition.board, rest)
                self._say(*screens.routes_of_city(view, self.narrator, city))
            case "routes":
                routes = {it.route for it in view.legal_actions() if isinstance(it, ClaimRoute)}
                self._say(*screens.claimable_lines(view, sorted(routes)))
            case "quit":
                raise PlayerLeft


def _legal_lines(view: View, prefix: str) -> list[str]:
    """Return all that may be typed now and begins with `prefix`; if empty, one line per route."""
    spoken = [
        "draw tickets" if isinstance(it, DrawTickets) else str(it) for it in view.legal_actions()
    ]
    if prefix:
        return [text for text in spoken if text.startswith(prefix.lower())] or ["nothing"]
    shortened = (text.split() for text in spoken)
    return list(
        dict.fromkeys(
            " ".join(words[:2] if words[0] in ("claim", "station") else words)
            for words in shortened
        )
    )
