"""The public side of a game as plain text: what `print(game)` shows, and `repr(game)` in short."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from textwrap import wrap

from ferrovia.game.scores import Result
from ferrovia.game.views import Phase, PublicView

_WIDTH = 78


def summary_line(view: PublicView, names: Sequence[str], result: Result | None) -> str:
    """Return edition, turn and score in one line; `result` is that of a game that is over."""
    if result is not None:
        points = [score.total for score in result.scores]
    else:
        points = [view.of(seat).points for seat in range(view.players)]
    return f"{view.edition.id}: {_turn(view, names)}; points {', '.join(map(str, points))}"


def summary_text(view: PublicView, names: Sequence[str], result: Result | None) -> str:
    """Return the table as everybody may see it, over several lines."""
    lines = [f"{view.edition.name}: {_turn(view, names)}", *_players(view, names, result), ""]
    if result is None:
        cards = (card or "–" for card in view.display)
        lines += [
            *_paragraph(f"face up: {_counted(cards)}"),
            f"decks:   {view.deck_size} cards, {view.ticket_deck_size} tickets",
        ]
    for seat, name in enumerate(names):
        routes = ", ".join(view.of(seat).routes)
        if routes:
            lines += _paragraph(f"{name}: {routes}")
    return "\n".join(lines).rstrip()


def _turn(view: PublicView, names: Sequence[str]) -> str:
    if view.phase is Phase.OVER:
        return f"over after {view.turns} turns"
    waiting = ", ".join(names[seat] for seat in view.awaited)
    if view.phase is Phase.START:
        return f"start, tickets to be chosen by {waiting}"
    last = "" if view.turns_left is None else ", last round"
    return f"turn {view.turns}{last}, {waiting} to decide"


def _players(view: PublicView, names: Sequence[str], result: Result | None) -> list[str]:
    """Return a table of what is known of every seat, with the final points once it is over."""
    width = max(map(len, names))
    stations = "  stations" if view.edition.stations else ""
    lines = [f"  seat  {'':<{width}}  points  trains  cards  tickets{stations}"]
    for seat, name in enumerate(names):
        it = view.of(seat)
        points = it.points if result is None else result.scores[seat].total
        tickets = "?" if it.tickets is None else it.tickets
        line = f"  {seat:>4}  {name:<{width}}{points:>8}{it.trains:>8}{it.cards:>7}{tickets:>9}"
        lines.append(line + (f"{it.stations_left:>10}" if stations else ""))
    if result is not None:
        lines.append(f"  won by {' and '.join(names[seat] for seat in result.winners)}")
    return lines


def _counted(cards: Iterable[str]) -> str:
    counts = ((card, len(list(same))) for card, same in groupby(sorted(cards)))
    return ", ".join(card if count == 1 else f"{count} {card}" for card, count in counts)


def _paragraph(text: str) -> list[str]:
    return wrap(
        text,
        _WIDTH,
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
