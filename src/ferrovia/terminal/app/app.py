"""The Textual app: one screen for games that are played, tables that are joined, and records."""

import asyncio
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical, VerticalScroll
from textual.widgets import Footer, Input, OptionList, RichLog, Static

from ferrovia.game import IllegalAction, InvalidAction
from ferrovia.game.errors import REASONS
from ferrovia.terminal.app.film import RecordedGame
from ferrovia.terminal.app.local import LocalGame
from ferrovia.terminal.app.panels import (
    brief_text,
    display_and_hand,
    key_text,
    map_text,
    players_text,
    tickets_text,
)
from ferrovia.terminal.app.remote import RemoteTable, TableProblem
from ferrovia.terminal.app.scene import Scene, matching, why_not

_WORDS = {reason: (message, rule) for reason, rule, message in REASONS.values()}
_NARROWEST, _WIDEST = 60, 260
_STEP = 20  # letters that the map grows by
_PLAYING = 0.7  # seconds between two positions of a film
_PAUSE = 0.4  # seconds before a bot's decision is shown

Source = LocalGame | RemoteTable | RecordedGame


class TerminalApp(App[None]):
    """Map, players, hand, tickets and log; actions are typed, or chosen from a list."""

    TITLE = "Ferrovia"
    CSS = """
    #players { height: auto; padding: 0 1; background: $panel; }
    #middle { height: 1fr; }
    #map { width: 1fr; }
    #chart { width: auto; height: auto; }
    #side { width: 38; }
    #tickets { height: auto; max-height: 40%; padding: 0 1; }
    #log { height: 1fr; padding: 0 1; border-top: solid $panel; }
    #cards { height: auto; padding: 0 1; background: $panel; }
    #key { height: auto; padding: 0 1; color: $text-muted; }
    .narrow #key { display: none; }
    #said { height: auto; padding: 0 1; color: $warning; }
    #options { height: auto; max-height: 9; border: none; }
    #typed { height: 3; }
    .narrow #side { display: none; }
    #brief { display: none; height: auto; padding: 0 1; }
    .narrow #brief { display: block; }
    .low #options { max-height: 4; }
    .low #typed { height: 1; border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit"),
        Binding("ctrl+up", "zoom(1)", "Zoom in"),
        Binding("ctrl+down", "zoom(-1)", "Zoom out"),
        Binding("f2", "side", "Tickets and log"),
    ]

    def __init__(self, source: Source, pause: float = _PAUSE) -> None:
        super().__init__()
        self.source = source
        self._pause = pause
        self._zoom = 0
        self.scene: Scene | None = None
        self._written = 0

    def compose(self) -> ComposeResult:
        yield Static(id="players")
        with Horizontal(id="middle"):
            with ScrollableContainer(id="map"):
                yield Static(id="chart")
            with Vertical(id="side"):
                with VerticalScroll(id="tickets"):
                    yield Static(id="own_tickets")
                yield RichLog(id="log", wrap=True, min_width=20)
        yield Static(key_text(), id="key")
        yield Static(id="cards")
        yield Static(id="brief")
        yield Static(id="said")
        yield OptionList(id="options")
        yield Input(placeholder="type: claim paris zurich … or choose", id="typed")
        yield Footer()

    def on_mount(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Show what there is, and follow it."""
        if isinstance(self.source, RemoteTable):
            self.follow_table(self.source)
        elif isinstance(self.source, LocalGame):
            self.show(self.source.scene())
            self.play_bots(self.source)
        self.query_one("#typed", Input).focus()

    # What is shown.

    def show(self, scene: Scene) -> None:
        """Show a moment of the game."""
        self.scene = scene
        self.query_one("#players", Static).update(players_text(scene))
        self._draw_map()
        self.query_one("#own_tickets", Static).update(tickets_text(scene))
        self.query_one("#cards", Static).update(display_and_hand(scene))
        self.query_one("#brief", Static).update(brief_text(scene))
        log = self.query_one("#log", RichLog)
        if self._written > len(scene.log) or isinstance(self.source, RecordedGame):
            log.clear()
            self._written = 0
        for sentence in scene.log[self._written :]:
            log.write(sentence)
        if scene.ended and self._written < len(scene.log) + 1:
            log.write("\n".join(("", *scene.ended)))
        self._written = len(scene.log)
        self._list_options("")

    def _draw_map(self) -> None:
        if self.scene is None:
            return
        room = self.query_one("#map").size.width or self.size.width
        width = min(max(room + self._zoom * _STEP, _NARROWEST), _WIDEST)
        self.query_one("#chart", Static).update(map_text(self.scene, width))

    def say(self, text: str) -> None:
        """Show a line to the person: a refusal, or news of the connection."""
        self.query_one("#said", Static).update(text)

    def _list_options(self, typed: str) -> None:
        scene, options = self.scene, self.query_one("#options", OptionList)
        options.clear_options()
        found = matching(scene.actions, typed) if scene is not None else []
        options.add_options([Text(action) for action in found[:60]])
        options.display = bool(found)
        if found:
            options.highlighted = 0

    def on_resize(self) -> None:
        self.set_class(self.size.width < 90, "narrow")
        self.set_class(self.size.height < 32, "low")
        self.call_after_refresh(self._draw_map)

    def action_zoom(self, by: int) -> None:
        """Make the map larger or smaller."""
        self._zoom = max(-2, min(8, self._zoom + by))
        self._draw_map()

    def action_side(self) -> None:
        """Show or hide tickets and log."""
        side = self.query_one("#side")
        side.styles.display = "none" if side.display else "block"
        self.call_after_refresh(self._draw_map)

    # What is done.

    def on_input_changed(self, event: Input.Changed) -> None:
        self._list_options(event.value)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        options, typed = self.query_one("#options", OptionList), event.value.strip()
        if options.option_count and options.highlighted is not None:
            await self._act(str(options.get_option_at_index(options.highlighted).prompt))
        elif typed and self.scene is not None:
            reason = why_not(self.scene, typed)
            if reason in _WORDS:
                message, rule = _WORDS[reason]
                self.say(f"Not possible: {message} ({rule}).")
            elif reason is not None:
                self.say(f"Not possible: {reason}.")
            else:
                self.say("Nothing that can be done now begins like this.")

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        await self._act(str(event.option.prompt))

    async def _act(self, action: str) -> None:
        self.say("")
        self.query_one("#typed", Input).value = ""
        try:
            if isinstance(self.source, LocalGame):
                self.source.act(action)
                self.show(self.source.scene())
                self.play_bots(self.source)
            elif isinstance(self.source, RemoteTable):
                await self.source.act(action)
        except (IllegalAction, InvalidAction, TableProblem) as problem:
            self.say(f"Not possible: {problem}.")

    @work(exclusive=True)
    async def play_bots(self, game: LocalGame) -> None:
        """Let the bots decide, one after the other, until it is the person's turn."""
        while game.waits_for_bots:
            await asyncio.to_thread(game.let_bot_decide)
            await asyncio.sleep(self._pause)
            self.show(game.scene())

    @work(exclusive=True)
    async def follow_table(self, table: RemoteTable) -> None:
        """Stay at a table of a server."""
        try:
            await table.run(self.show, self.say)
        except TableProblem as problem:
            self.say(str(problem))


class FilmApp(TerminalApp):
    """The same screen for a record, with keys to step through it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "Next", priority=True),
        Binding("left", "step(-1)", "Back", priority=True),
        Binding("down", "turn(1)", "Next turn", priority=True),
        Binding("up", "turn(-1)", "Last turn", priority=True),
        Binding("home", "go(0)", "Start", priority=True),
        Binding("end", "go(1000000)", "End", priority=True),
        Binding("space", "play", "Play", priority=True),
        Binding("e", "eyes", "Eyes", priority=True),
    ]

    def __init__(self, film: RecordedGame) -> None:
        super().__init__(film)
        self.film = film
        self.is_playing = False

    def begin(self) -> None:
        self.query_one("#typed", Input).display = False
        self.playing = self.set_interval(_PLAYING, self._play_on, pause=True)
        self._show()

    def _show(self) -> None:
        scene = self.film.scene()
        self.show(scene)
        self.say(scene.note)

    def action_step(self, by: int) -> None:
        """Go to another position."""
        self.film.go(self.film.at + by)
        self._show()

    def action_turn(self, by: int) -> None:
        """Go to another turn."""
        self.film.go_by_turns(by)
        self._show()

    def action_go(self, to: int) -> None:
        """Go to the start or the end."""
        self.film.go(to)
        self._show()

    def action_play(self) -> None:
        """Play, or stop."""
        self.is_playing = not self.is_playing
        if self.is_playing:
            self.playing.resume()
        else:
            self.playing.pause()

    def action_eyes(self) -> None:
        """Look from the next seat's eyes, then as the public."""
        eyes, players = self.film.eyes, self.film.game.players
        following = 0 if eyes is None else eyes + 1
        self.film.eyes = None if following == players else following
        self._show()

    def _play_on(self) -> None:
        self.action_step(1)
        if self.film.at == len(self.film) - 1 and self.is_playing:
            self.action_play()
