"""A seat for a language model: a scripted client plays, here and at a server's table."""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from ferrovia.bots import make
from ferrovia.game import read_position
from ferrovia.terminal.app.local import LocalGame
from ferrovia.terminal.model_seat import ModelSeat, server
from tests.server.support.people import create
from tests.server.support.processes import Server

pytest.importorskip("mcp")
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

Ask = Callable[..., Awaitable[str]]


def asking(client: Client) -> Ask:
    async def ask(tool: str, **arguments: Any) -> str:
        answer = await client.call_tool(tool, arguments)
        [part] = answer.content
        return str(part.text)  # type: ignore[union-attr]

    return ask


def with_client(check: Callable[[Ask, ModelSeat], Awaitable[None]]) -> None:
    async def run() -> None:
        seat = ModelSeat("Ada", 7)
        async with Client(server(seat)) as client:
            await check(asking(client), seat)
        await seat.leave()

    asyncio.run(run())


async def play_on(ask: Ask, decisions: int = 10_000) -> str:
    """Make the first claim there is, else the first move, as written; return the last answer."""
    said = ""
    for _ in range(decisions):
        moves = (await ask("legal_moves")).splitlines()
        if moves[0].startswith(("There is no game", "Nothing is awaited")):
            return await ask("wait", seconds=5)
        claims = [line for line in moves if line.startswith("claim")]
        line = re.sub(r"  \(R[\d.]+\)$", "", (claims or moves)[0])
        words = line.split(" | ")[0]
        said = await ask("play", move=words)
        assert not said.startswith("Not "), said
        if "The game is over." in said:
            return said
    return said


def test_a_client_plays_a_whole_game_against_bots() -> None:
    async def check(ask: Ask, seat: ModelSeat) -> None:
        assert "There is no game yet" in await ask("look")
        begun = await ask("new_game", edition="usa", bots="greedy")
        assert "Keep 2 to 4 of these tickets (R2.3)" in begun
        await ask("play", move="keep 1 2")
        await ask("play", move="draw")
        assert re.search(r"- You drew a.* from the deck\.", await ask("play", move="draw"))
        over = await play_on(ask)
        assert "Final score" in over
        assert re.search(r"(You win|Greedy wins|share the victory) with -?\d+ points", over)

    with_client(check)


def test_what_is_refused_names_the_rule_and_changes_nothing() -> None:
    async def check(ask: Ask, seat: ModelSeat) -> None:
        await ask("new_game", edition="europe", bots="greedy")
        before = await ask("look")
        assert "(R2.3)" in await ask("play", move="keep 1")
        assert "R2.3" in await ask("why", move="draw")
        assert "Not understood" in await ask("play", move="dance")
        assert "allowed now" in await ask("why", move="keep 1 2")
        assert await ask("look") == before
        await ask("play", move="keep 1 2")
        assert "(R5.1)" in await ask("why", move="claim moskva-petrograd")
        assert "4 white" in (await ask("routes", city="Petrograd"))
        assert "no bot" in await ask("new_game", bots="program:rm")

    with_client(check)


POSITION = """
edition: europe
turn: 0
display: red blue green yellow black
next: {next}
seat 0: hand blue*4 | routes venezia-zurich | tickets {mine}
seat 1: hand {hand} | stations roma | tickets {theirs}
"""


def test_nothing_that_is_said_depends_on_what_the_seat_may_not_know() -> None:
    """Two games that differ in the opponent's hand and tickets and in the deck are told alike."""
    mine = "europe:london-berlin"
    games = (
        POSITION.format(mine=mine, next="blue red", hand="white*3", theirs="europe:london-wien"),
        POSITION.format(mine=mine, next="green white", hand="red*3", theirs="europe:paris-wien"),
    )
    told: list[list[str]] = []

    async def check(ask: Ask, seat: ModelSeat) -> None:
        for text in games:
            seat._source = LocalGame(read_position(text), 0, {1: make("greedy", 1)}, ["Ada", "Bo"])
            seat._scene, seat._told = seat._source.scene(), ()
            asked = [await ask(tool) for tool in ("look", "routes", "legal_moves", "wait")]
            told.append([*asked, await ask("why", move="claim paris-zurich")])

    with_client(check)
    assert told[0] == told[1]
    assert "London – Berlin" in told[0][0]


def test_a_client_joins_a_table_by_its_link_and_plays_to_the_end(tmp_path: Path) -> None:
    with Server(str(tmp_path / "games.sqlite")) as house:
        table = create(house.address, {"kind": "open"}, {"kind": "bot", "bot": "greedy"})["table"]

        async def check(ask: Ask, seat: ModelSeat) -> None:
            assert "is not the link of a table" in await ask("join_table", link="table")
            link = f"{house.address}table/{table}"
            assert "Keep 2 to 4" in await ask("join_table", link=link)
            assert "(R2.3)" in await ask("play", move="keep 1")
            assert "Final score" in await play_on(ask)

        with_client(check)


def test_the_command_speaks_the_protocol() -> None:
    async def run() -> None:
        command = StdioServerParameters(command=sys.executable, args=["-m", "ferrovia", "mcp"])
        async with Client(stdio_client(command)) as client:
            tools = {tool.name: tool.description for tool in (await client.list_tools()).tools}
            assert {"new_game", "join_table", "play", "why"} <= tools.keys()
            assert all(tools.values())
            ask = asking(client)
            assert "Keep" in await ask("new_game", bots="random")

    asyncio.run(run())
