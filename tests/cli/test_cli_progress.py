"""Progress: nothing for what is quick, lines in a pipe, a bar on a terminal."""

import io
import sys

import pytest

from ferrovia.cli import progress as module
from ferrovia.cli.progress import progress, progress_of_steps


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_is_quick_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("games", 3) as shown:
        for _ in range(3):
            shown.advance()
    assert capsys.readouterr().err == ""


def test_in_a_pipe_there_are_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "_SOON", 0.0)
    with progress("games", 3) as shown:
        shown.advance()
        shown.advance(2)
    assert capsys.readouterr().err == "games: 1 of 3\n"


def test_on_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SOON", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress("games", 3) as shown:
        shown.advance()
        shown.advance()
    assert "2/3" in terminal.getvalue()


@pytest.mark.parametrize("place", [Terminal, io.StringIO])
def test_steps_are_shown_by_their_names(
    monkeypatch: pytest.MonkeyPatch, place: type[io.StringIO]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    shown = place()
    monkeypatch.setattr(sys, "stderr", shown)
    with progress_of_steps(2) as advance:
        advance("start")
        advance("legal")
    assert "legal" in shown.getvalue()
    assert "2 of 2" in shown.getvalue()
