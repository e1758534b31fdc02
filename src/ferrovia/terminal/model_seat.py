"""A seat for a language model: the game in words, as tools of the Model Context Protocol.

The model is told what its seat may know and nothing else: all of it comes from a `Scene`, which is
made from the view of the seat, here or at a server.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import takewhile
from random import Random, SystemRandom
from typing import Any

from ferrovia import __version__
from ferrovia.boards import BoardError, load_edition
from ferrovia.bots import make, names
from ferrovia.errors import MissingExtra
from ferrovia.game import Game, IllegalAction, InvalidAction, View, read_action
from ferrovia.game.errors import REASONS
from ferrovia.game.views import own_state, public_state
from ferrovia.terminal import screens
from ferrovia.terminal.app.local import LocalGame
from ferrovia.terminal.app.remote import RemoteTable, TableLink, TableProblem
from ferrovia.terminal.app.scene import Scene, why_not
from ferrovia.terminal.sentences import Narrator, counted, laid_out

PATIENCE = 20.0
"""Seconds that a tool waits for the others before it says whose turn it is."""

_WORDS = {reason: f"{message} ({rule})" for reason, rule, message in REASONS.values()}
_RULES = {
    "draw": "R4.1",
    "take": "R4.1",
    "tickets": "R8.1",
    "claim": "R5.1",
    "station": "R9.1",
    "pay": "R7.2",
    "withdraw": "R7.4",
    "pass": "R3.2",
}
_INSTRUCTIONS = """\
You play a railway board game at one seat. Begin with new_game, or join_table with a link. Then call
play with one of the legal moves until the game is over; every answer says what has happened and
what you can see. Moves are written as legal_moves shows them, such as: keep 1 3, draw, take red,
tickets, claim paris-zurich blue blue locomotive. When a move is refused nothing changes, and the
rule is named; why asks without playing. Points: routes, tickets done (failed ones cost their
points), and what the edition adds. You see what a player at your seat sees, and nothing else."""


class ModelSeat:
    """The tools of a model, with at most one game at a time.

    With a `seed` its games are dealt alike every time. The model cannot choose one, or it could
    play a game again whose cards it has seen.
    """

    def __init__(self, name: str, seed: int | None = None) -> None:
        self._name = name
        self._chance = SystemRandom() if seed is None else Random(seed)
        self._source: LocalGame | RemoteTable | None = None
        self._scene: Scene | None = None
        self._following: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._said = ""
        self._told: Sequence[str] = ()  # the sentences of the log

    # The tools. What stands first in each is what the model reads about it.

    async def new_game(self, edition: str = "usa", bots: str = "conductor") -> str:
        """Begin a game against bots in this process. Editions: usa, usa-classic, europe,
        europe-1912, mega-europe, big-cities. Bots: one to four names with commas between them, such
        as passenger, conductor, stoker, driver, director (weakest first).
        """
        chosen = self._chance.getrandbits(256)
        opponents = [it.strip() for it in bots.split(",") if it.strip()]
        for bot in opponents:
            if (
                bot not in names()
            ):  # no program and no module: a model may have read its name anywhere
                return f"There is no bot '{bot}'. There are: {', '.join(names())}."
        try:
            game = Game(
                load_edition(edition),
                [self._name, *(f"bot:{bot}" for bot in opponents)],
                seed=chosen,
            )
        except (BoardError, ValueError) as problem:
            return f"No game has begun: {problem}."
        await self.leave()
        seated = {seat: make(bot, chosen) for seat, bot in enumerate(opponents, start=1)}
        self._source = LocalGame(game, 0, seated, [self._name, *map(str.capitalize, opponents)])
        self._scene = self._source.scene()
        return self._report()

    async def join_table(self, link: str) -> str:
        """Join a table of a server by its link, https://HOST/table/NAME: a free seat is taken; with
        #token=… behind it, that seat is yours.
        """
        try:
            table = RemoteTable(TableLink(link), self._name)
        except TableProblem as problem:
            return f"{problem}."
        await self.leave()
        self._source, self._said = table, ""
        self._following = asyncio.create_task(self._follow(table))
        await self._until(lambda: self._scene is not None or bool(self._said))
        if self._scene is None:
            await self.leave()
            return self._said or "The table does not answer."
        await self._until(self._to_act)
        return self._report()

    async def look(self) -> str:
        """See the position: cards, players, your tickets, and what is awaited of you."""
        return "\n".join(self._position()) if self._scene else _NOTHING

    async def routes(self, city: str = "") -> str:
        """See the routes of a city, or all: what they take, who owns them, and why you cannot claim
        them now.
        """
        scene = self._scene
        if scene is None or scene.public is None:
            return _NOTHING
        narrator = self._narrator(scene)
        owners = {it: seat for seat, of in enumerate(scene.public.seats) for it in of.routes}
        moves = scene.own.moves if scene.own is not None else None
        barred = {} if moves is None else moves.barred
        lines = []
        for route in scene.edition.board.routes:
            if city.casefold() not in f"{route.id} {narrator.route(route.id)}".casefold():
                continue
            state = "open"
            if route.id in owners:
                state = f"owned by {narrator.whom(owners[route.id])}"
            elif f"claim {route.id}" in barred:
                state = _WORDS.get(barred[f"claim {route.id}"], state)
            lines.append(f"{route.id}: {screens.kind(route)}; {state}")
        return "\n".join(lines) or f"No route has '{city}' in its name."

    async def legal_moves(self) -> str:
        """See every move that you may make now, with the rule that allows it."""
        scene = self._scene
        if scene is None:
            return _NOTHING
        if not scene.actions:
            return "Nothing is awaited of you now. Call wait."
        return "\n".join(_legal(scene))

    async def play(self, move: str) -> str:
        """Make a move, as legal_moves writes it. The answer says what has happened since, up to
        your next decision.
        """
        if self._source is None or self._scene is None:
            return _NOTHING
        move = " ".join(move.split())
        before = self._scene
        try:
            if isinstance(self._source, LocalGame):
                self._source.act(move)
                self._scene = self._source.scene()
                await self._let_bots_play(self._source)
            else:
                self._said = ""
                await self._source.act(move)
                await self._until(lambda: bool(self._said) or self._scene is not before)
                if self._said:
                    return f"{self._said} Nothing has changed."
                await self._until(self._to_act)
        except IllegalAction as problem:
            return f"Not allowed: {problem}. Nothing has changed."
        except (InvalidAction, TableProblem) as problem:
            return f"Not understood: {problem}. Nothing has changed."
        return self._report()

    async def why(self, move: str) -> str:
        """Ask why a move is not allowed now, with the number of the rule; nothing is played."""
        scene = self._scene
        if scene is None:
            return _NOTHING
        move = " ".join(move.split())
        if move in scene.actions:
            return "It is allowed now."
        reason = why_not(scene, move)
        if reason is not None:
            return f"Not allowed: {_WORDS.get(reason, reason)}."
        try:
            read_action(move)
        except InvalidAction as problem:
            return f"Not understood: {problem}."
        # It is none of the legal moves, so whoever knows the rules refuses it.
        return await self.play(move)

    async def wait(self, seconds: float = PATIENCE) -> str:
        """Wait until it is your turn or the game is over, so many seconds at most."""
        if self._scene is None:
            return self._said or _NOTHING
        await self._until(self._to_act, min(max(seconds, 0.0), 600.0))
        return self._report()

    async def leave(self) -> None:
        """End what was begun; the seat at a server's table stays yours for whoever has its link."""
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following
        self._source = self._scene = self._following = None
        self._told, self._said = (), ""

    # What is behind them.

    async def _let_bots_play(self, game: LocalGame) -> None:
        while game.waits_for_bots:
            await asyncio.to_thread(game.let_bot_decide)
        self._scene = game.scene()

    async def _follow(self, table: RemoteTable) -> None:
        try:
            await table.run(self._show, self._say)
        except TableProblem as problem:
            self._say(f"{problem}.")

    def _show(self, scene: Scene) -> None:
        self._scene = scene
        self._news.set()

    def _say(self, text: str) -> None:
        self._said = text
        self._news.set()

    async def _until(self, reached: Callable[[], bool], seconds: float = PATIENCE) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not reached():
                    self._news.clear()
                    await self._news.wait()

    def _to_act(self) -> bool:
        scene = self._scene
        return scene is not None and bool(scene.actions or scene.ended)

    def _narrator(self, scene: Scene) -> Narrator:
        return Narrator(scene.edition, scene.names, None if scene.own is None else scene.own.seat)

    def _report(self) -> str:
        """Return what has happened since the last time, and what is to be seen now."""
        assert self._scene is not None
        log, told = self._scene.log, self._told
        # What is done in a row is one sentence, so the last one may have grown.
        same = sum(
            1 for _ in takewhile(lambda both: both[0] == both[1], zip(log, told, strict=False))
        )
        news, self._told = [f"- {it}" for it in log[same:]], log
        return "\n".join((*news, *([""] if news else []), *self._position()))

    def _position(self) -> list[str]:
        assert self._scene is not None
        return _position(self._scene, self._narrator(self._scene))


_NOTHING = "There is no game yet: call new_game or join_table."


def _legal(scene: Scene) -> list[str]:
    """Return every legal move, one line for those that differ only in how they are paid."""
    first = scene.public is not None and scene.public.phase == "start"
    ways: dict[str, list[str]] = {}
    for action in scene.actions:
        words = action.split()
        named = 2 if words[0] in ("claim", "station") else 1
        ways.setdefault(" ".join(words[:named]), []).append(" ".join(words[named:]))
    lines = []
    for move, rest in ways.items():
        rule = _RULES.get(move.split()[0], "R2.3" if first else "R8.2")
        tails = f" {' | '.join(rest)}" if any(rest) else ""
        lines.append(f"{move}{tails}  ({rule})")
    return lines


def _position(scene: Scene, narrator: Narrator) -> list[str]:
    if scene.ended:
        return ["The game is over.", *scene.ended]
    if scene.public is None:
        return [scene.note]
    return [*_awaited(scene, narrator), *_table(scene, narrator), *_own(scene, narrator)]


def in_words(view: View) -> str:
    """Return what a seat may know and do now, for whoever asks a model by themselves."""
    names = ["You" if seat == view.seat else f"Player {seat + 1}" for seat in range(view.players)]
    scene = Scene(view.edition, names, public_state(view), own_state(view), ())
    narrator = Narrator(view.edition, names)
    return "\n".join((*_position(scene, narrator), "", "Legal moves:", *_legal(scene)))


def _awaited(scene: Scene, narrator: Narrator) -> list[str]:
    """Return what is to be decided, and by whom."""
    public, own = scene.public, scene.own
    assert public is not None
    if own is None or not scene.actions:
        return [f"Awaited: {', '.join(map(narrator.who, public.awaited))}. Call wait."]
    last = " This is your LAST turn." if public.turns_left is not None else ""
    match public.phase:
        case "start" | "tickets":
            rule = "R2.3" if public.phase == "start" else "R8.2"
            keep = f"Keep {own.keep_fewest} to {own.keep_most} of these tickets ({rule}):"
            offer = (f"  {n}. {narrator.ticket(it)}" for n, it in enumerate(own.offer, start=1))
            return [keep, *offer, "  For example: keep 1 2"]
        case "second_card":
            return [f"Take your second card (R4.1).{last}"]
        case "tunnel" if public.tunnel is not None:
            turned = [card for card, n in public.tunnel.revealed.items() for _ in range(n)]
            due = screens.amount(public.tunnel.extra, "more card")
            return [f"The tunnel turned up {laid_out(turned)}: pay {due}, or withdraw (R7.2)."]
    return [f"Your turn: draw or take cards, claim a route, or draw tickets (R3.1).{last}"]


def _table(scene: Scene, narrator: Narrator) -> list[str]:
    """Return what everybody sees."""
    public = scene.public
    assert public is not None
    decks = f"{screens.amount(public.deck, 'card')}, {screens.amount(public.ticket_deck, 'ticket')}"
    lines = [f"Face up: {laid_out(public.display)}. Decks: {decks}."]
    for seat, it in enumerate(public.seats):
        tickets = "" if it.tickets is None else f", {screens.amount(it.tickets, 'ticket')}"
        stations = f", {screens.amount(it.stations_left, 'station')} left" * bool(
            scene.edition.stations
        )
        built = f"; stations in {', '.join(map(narrator.city, it.stations))}" * bool(it.stations)
        lines.append(
            f"{narrator.who(seat)}: {screens.amount(it.points, 'point')} for routes, "
            f"{screens.amount(it.trains, 'train')}, {screens.amount(it.cards, 'card')}{tickets}"
            f"{stations}; routes: {', '.join(it.routes) or 'none'}{built}"
        )
    return lines


def _own(scene: Scene, narrator: Narrator) -> list[str]:
    """Return what only this seat sees."""
    own = scene.own
    if own is None:
        return ["You are watching."]
    hand = [card for card, count in own.hand.items() for _ in range(count)]
    tickets = [
        f"  {narrator.ticket(it.id)}: {'done' if it.done else 'not yet'}" for it in own.tickets
    ]
    return [f"Your hand: {counted(hand)}.", "Your tickets:", *(tickets or ["  none yet"])]


def server(seat: ModelSeat) -> Any:
    """Return the tools of a seat as a server of the protocol."""
    try:
        from mcp.server import MCPServer
    except ImportError as problem:
        raise MissingExtra("mcp", problem) from problem
    made = MCPServer("ferrovia", instructions=_INSTRUCTIONS, version=__version__, log_level="ERROR")
    tools: Sequence[Callable[..., Any]] = (
        seat.new_game,
        seat.join_table,
        seat.look,
        seat.routes,
        seat.legal_moves,
        seat.play,
        seat.why,
        seat.wait,
    )
    for tool in tools:
        made.add_tool(tool, structured_output=False)
    return made
