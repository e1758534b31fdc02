"""The screen in the terminal, driven by its pilot: games here, tables of a server, records."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

pytest.importorskip("textual")

from textual.widgets import Input, OptionList, RichLog, Static

from ferrovia.boards import load_edition
from ferrovia.bots import make
from ferrovia.game import Game
from ferrovia.terminal.app.app import FilmApp, TerminalApp
from ferrovia.terminal.app.film import RecordedGame
from ferrovia.terminal.app.local import LocalGame
from ferrovia.terminal.app.panels import display_and_hand, players_text, tickets_text
from ferrovia.terminal.app.remote import RemoteTable, TableLink, TableProblem
from ferrovia.terminal.app.scene import matching
from ferrovia.terminal.sentences import Narrator
from ferrovia.terminal.text_map import LETTERS, MapState, draw_map
from tests.server.support.people import create
from tests.server.support.processes import Server

SIZE = (130, 45)


def local(edition: str = "usa", seed: int = 4) -> LocalGame:
    game = Game(edition, ["Ada", "bot:greedy"], seed=seed, first=0)
    return LocalGame(game, 0, {1: make("greedy", seed)}, ["Ada", "Greedy"])


def shown(app: TerminalApp, part: str) -> str:
    return str(app.query_one(part, Static).render())


def run(check: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(check(), 120))


class TestTheMap:
    @pytest.mark.parametrize("edition", ["usa", "europe"])
    def test_has_every_city_and_every_train(self, edition: str) -> None:
        board = load_edition(edition).board
        route = board.routes[0]
        rows = draw_map(board, MapState({route.id: 2}, {board.cities[3].id: 1}, {}), 150)
        cells = [cell for row in rows for cell in row]
        assert sum(cell.kind == "city" for cell in cells) == len(board.cities) - 1
        assert sum(cell.kind == "station" for cell in cells) == 1
        assert {cell.letter for cell in cells if cell.kind == "train"} == {"3"}
        text = "\n".join("".join(cell.letter for cell in row) for row in rows)
        named = sum(city.name[:3] in text for city in board.cities)
        assert named == len(board.cities)

    def test_colours_have_letters_of_their_own(self) -> None:
        assert len(set(LETTERS.values())) == len(LETTERS)

    @pytest.mark.parametrize("width", [60, 90, 260])
    def test_fits_its_width(self, width: int) -> None:
        rows = draw_map(load_edition("europe").board, MapState({}, {}, {}), width)
        assert {len(row) for row in rows} == {width}


def test_what_is_typed_finds_actions_by_the_beginnings_of_their_words() -> None:
    actions = ["draw", "take blue", "claim paris-zurich blue blue blue", "claim paris-dieppe red"]
    assert matching(actions, "") == actions
    assert matching(actions, "cl par zur") == [actions[2]]
    assert matching(actions, "claim red") == [actions[3]]
    assert matching(actions, "paris-zur") == [actions[2]]
    assert matching(actions, "fly") == []


class TestAGameHere:
    def test_is_played_by_typing(self) -> None:
        async def check() -> None:
            source = local()
            app = TerminalApp(source, pause=0.0)
            async with app.run_test(size=SIZE) as pilot:
                await pilot.pause()
                assert "On offer" in shown(app, "#own_tickets")
                await pilot.press(*"keep", "space", "1", "space", "2", "enter")
                await pilot.pause()
                assert len(source.game.view(0).tickets) == 2
                await pilot.press(*"dr", "enter")
                await pilot.press(*"dr", "enter")
                while source.game.turns < 3 or app.scene is None or not app.scene.actions:
                    await pilot.pause(0.02)
                assert "▶1" in shown(app, "#players")
                log = app.query_one("#log", RichLog)
                assert len(log.lines) > 3

        run(check)

    def test_says_why_something_is_not_possible(self) -> None:
        async def check() -> None:
            source = local()
            source.game.play(0, "keep 1 2")
            source.let_bot_decide()
            app = TerminalApp(source, pause=0.0)
            async with app.run_test(size=SIZE) as pilot:
                await pilot.pause()
                typed = app.query_one("#typed", Input)
                for text, told in (("claim nowhere", "Nothing"), ("claim atl mia", "(R5.1)")):
                    typed.value = text
                    await pilot.pause()
                    await pilot.press("enter")
                    await pilot.pause()
                    assert told in shown(app, "#said")
                typed.value = "fly home"
                await pilot.pause()
                await pilot.press("enter")
                await pilot.pause()
                assert "Nothing that can be done" in shown(app, "#said")

        run(check)

    def test_can_be_zoomed_and_fits_a_narrow_window(self) -> None:
        async def check() -> None:
            app = TerminalApp(local("europe"), pause=0.0)
            async with app.run_test(size=(70, 30)) as pilot:
                await pilot.pause()
                assert app.has_class("narrow")
                before = app.query_one("#chart").size.width
                await pilot.press("ctrl+up")
                await pilot.pause()
                assert app.query_one("#chart").size.width > before
                await pilot.press("f2")
                await pilot.pause()

        run(check)

    def test_has_room_for_map_and_offer_in_a_terminal_of_80_by_24(self) -> None:
        async def check() -> None:
            source = local("europe")
            app = TerminalApp(source, pause=0.0)
            async with app.run_test(size=(80, 24)) as pilot:
                await pilot.pause()
                tickets = source.game.view(0).offer
                assert len(tickets) == 4
                narrator = Narrator(source.game.edition, ["Ada", "Greedy"])
                for ticket in tickets:
                    assert narrator.ticket(ticket) in shown(app, "#brief")
                assert app.query_one("#brief").region.height == 5
                await pilot.press(*"keep", "space", "1", "space", "2", "enter")
                await pilot.pause()
                assert app.scene is not None
                assert shown(app, "#brief") == app.scene.log[-1]
                assert app.query_one("#map").region.height >= 11

        run(check)

    def test_tells_the_final_score_on_a_narrow_screen_too(self) -> None:
        async def check() -> None:
            film = RecordedGame(recorded())
            app = FilmApp(film)
            async with app.run_test(size=(80, 24)) as pilot:
                await pilot.press("end")
                await pilot.pause()
                assert "Final score" in shown(app, "#brief")

        run(check)

    def test_goes_to_its_end(self) -> None:
        source = finished()

        async def check() -> None:
            app = TerminalApp(source, pause=0.0)
            async with app.run_test(size=SIZE) as pilot:
                await pilot.pause()
                assert app.scene is not None
                assert "Final score" in app.scene.ended
                assert not app.query_one("#options", OptionList).display

        run(check)


def finished() -> LocalGame:
    """Return a game that was played to its end."""
    source = local()
    person = make("greedy", 1)
    while not source.game.over:
        if source.waits_for_bots:
            source.let_bot_decide()
        else:
            source.act(str(person.decide(source.game.view(0))))
    return source


def recorded() -> Game:
    return Game.from_record(finished().game.record().text())


class TestARecord:
    def test_is_watched_step_by_step_and_turn_by_turn(self) -> None:
        async def check() -> None:
            film = RecordedGame(recorded())
            app = FilmApp(film)
            async with app.run_test(size=SIZE) as pilot:
                await pilot.pause()
                assert "turn 0" in shown(app, "#said")
                await pilot.press("right", "right", "right")
                assert film.at == 3
                await pilot.press("down")
                assert "turn 2" in shown(app, "#said")
                await pilot.press("up", "left")
                await pilot.press("end")
                await pilot.pause()
                assert app.scene is not None
                assert "Final score" in app.scene.ended
                await pilot.press("home", "e")
                await pilot.pause()
                assert film.eyes == 0
                await pilot.press("space")
                await pilot.pause()
                assert app.is_playing
                await pilot.press("space")
                await pilot.pause()
                assert not app.is_playing

        run(check)

    def test_plays_on_to_its_end_and_stops_there(self) -> None:
        async def check() -> None:
            film = RecordedGame(recorded())
            film.go(len(film) - 2)
            app = FilmApp(film)
            async with app.run_test(size=SIZE) as pilot:
                await pilot.press("space")
                while app.is_playing:
                    await pilot.pause(0.05)
                assert film.at == len(film) - 1

        run(check)

    def test_shows_tunnels_and_the_last_round(self) -> None:
        game = Game("europe", 2, seed=5)
        bots = [make("planner", seat) for seat in range(2)]
        while not game.over:
            seat = game.awaited[0]
            game.play(seat, str(bots[seat].decide(game.view(seat))))
        film, told = RecordedGame(Game.from_record(game.record().text()), eyes=0), []
        for at in range(len(film)):
            film.go(at)
            scene = film.scene()
            told.append(f"{players_text(scene)}\n{display_and_hand(scene)}{tickets_text(scene)}")
        assert any("LAST ROUND: 1 turns left" in text for text in told)
        tunnels = [text for text in told if "Tunnel: turned up" in text]
        assert tunnels
        assert all("more to pay" in text for text in tunnels)

    def test_from_a_seats_eyes_holds_nothing_that_the_seat_did_not_know(self) -> None:
        film = RecordedGame(recorded(), eyes=0)
        film.go(12)
        scene = film.scene()
        assert scene.own is not None
        assert scene.own.seat == 0
        assert scene.own.moves is None
        public = RecordedGame(film.game)
        public.go(12)
        assert public.scene().own is None
        assert not any("got" in sentence for sentence in public.scene().log)


class TestATableOfAServer:
    def test_is_joined_by_its_link_and_played(self, tmp_path: Path) -> None:
        async def check() -> None:
            seats = {"kind": "person", "name": "Bo"}, {"kind": "open"}
            table = create(server.address, *seats)["table"]
            app = TerminalApp(RemoteTable(TableLink(f"{server.address}table/{table}"), "Ada"))
            async with app.run_test(size=SIZE) as pilot:
                while app.scene is None or not app.scene.actions:
                    await pilot.pause(0.05)
                assert app.scene.names[1] == "Ada"
                await pilot.press(*"keep", "enter")
                while app.scene.actions:
                    await pilot.pause(0.05)
                assert app.scene.own is not None
                assert app.scene.own.tickets

        with Server(str(tmp_path / "games.sqlite")) as server:
            run(check)

    @pytest.mark.parametrize("link", ["ftp://x/table/a", "https://x/", "https://x/table/a/b"])
    def test_has_a_link_of_its_form(self, link: str) -> None:
        with pytest.raises(TableProblem, match="not the link of a table"):
            TableLink(link)

    def test_keeps_the_secret_of_a_seat_out_of_the_address(self) -> None:
        link = TableLink("https://club.example/trains/table/kKx2#token=abc")
        assert (link.root, link.table, link.token) == (
            "https://club.example/trains/",
            "kKx2",
            "abc",
        )
        assert link.socket == "wss://club.example/trains/socket"

    def test_that_cannot_be_reached_is_told(self) -> None:
        async def check() -> None:
            app = TerminalApp(RemoteTable(TableLink("http://127.0.0.1:9/table/x"), "Ada"))
            async with app.run_test(size=SIZE) as pilot:
                while "does not answer" not in shown(app, "#said"):
                    await pilot.pause(0.05)

        run(check)

    def test_is_looked_on_at_also_when_the_server_was_away(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("ferrovia.terminal.app.remote._AGAIN_AFTER", 0.05)

        async def check() -> None:
            seats = {"kind": "person", "name": "Bo"}, {"kind": "bot", "bot": "greedy"}
            table = create(server.address, *seats)["table"]
            source = RemoteTable(TableLink(f"{server.address}table/{table}"), "Ada")
            with pytest.raises(TableProblem, match="no connection"):
                await source.act("draw")
            app = TerminalApp(source)
            async with app.run_test(size=SIZE) as pilot:
                while app.scene is None:
                    await pilot.pause(0.05)
                assert "You are watching" in shown(app, "#own_tickets")
                await source.act("draw")
                while "Not allowed" not in shown(app, "#said"):
                    await pilot.pause(0.05)
                server.kill()
                while "connection is lost" not in shown(app, "#said"):
                    await pilot.pause(0.05)
                server.start()
                seen, app.scene = app.scene, None
                while app.scene is None:
                    await pilot.pause(0.05)
                assert app.scene.public == seen.public

        with Server(str(tmp_path / "games.sqlite")) as server:
            run(check)

    def test_that_does_not_exist_is_told(self, tmp_path: Path) -> None:
        async def check() -> None:
            link = TableLink(f"{server.address}table/nowhere")
            with pytest.raises(TableProblem, match="refused: no_such_table"):
                await RemoteTable(link, "Ada").run(lambda _scene: None, lambda _words: None)

        with Server(str(tmp_path / "games.sqlite")) as server:
            run(check)
