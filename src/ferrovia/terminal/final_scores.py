"""The end of a game: every seat ticket by ticket, and who has won."""

from collections.abc import Sequence

from ferrovia.game import Game, SeatScore
from ferrovia.game.finale import Finale
from ferrovia.terminal.screens import paragraph
from ferrovia.terminal.sentences import Narrator, listing

_TIE_BREAKS = {
    "tickets": "tickets completed",
    "stations": "fewest stations built",
    "longest": "the longest route",
}


def score_lines(
    game: Game, names: Sequence[str] | None = None, viewer: int | None = None
) -> list[str]:
    """Return the final score; `names` are used instead of those in the record."""
    narrator = Narrator(game.edition, names or game.names, viewer)
    result = game.result()
    lines = ["Final score"]
    for seat, score in enumerate(result.scores):
        lines += [
            "",
            f"{narrator.who(seat)}: {score.total} points",
            *_seat_lines(game, narrator, score),
        ]
    return [*lines, "", *_winner_lines(game, narrator)]


def longest_route_lines(
    game: Game, finale: Finale, names: Sequence[str] | None = None
) -> list[str]:
    """Return the cities on the longest route of every seat that has the bonus for it."""
    narrator = Narrator(game.edition, names or game.names, None)
    lines = []
    for seat, score in enumerate(game.result().scores):
        if score.bonus:
            run = " – ".join(map(narrator.city, finale.stops[seat]))
            lines += ["", *paragraph(f"The longest route of {narrator.who(seat)}: {run}.")]
    return lines


def _seat_lines(game: Game, narrator: Narrator, score: SeatScore) -> list[str]:
    worth = {ticket.id: ticket.points for ticket in game.edition.tickets}
    lines = [f"  {score.routes:>+5}  routes"]
    for mark, tickets, sign in (("done", score.completed, 1), ("failed", score.failed, -1)):
        for id in tickets:
            name = narrator.ticket(id).rpartition(" ")[0]
            lines.append(f"  {sign * worth[id]:>+5}  ticket {mark}: {name}")
    for city, route in score.borrowed.items():
        lines.append(
            f"         (the station in {narrator.city(city)} used {narrator.route(route)})"
        )
    if game.edition.stations:
        lines.append(f"  {score.stations:>+5}  stations not built")
    bonus = f"  {score.bonus:>+5}  longest route" if score.bonus else "         longest route"
    lines.append(f"{bonus}: {score.longest} trains")
    return lines


def _winner_lines(game: Game, narrator: Narrator) -> list[str]:
    result = game.result()
    best = max(score.total for score in result.scores)
    level = [seat for seat, score in enumerate(result.scores) if score.total == best]
    winners = listing(narrator.who(seat) for seat in result.winners)
    if len(result.winners) > 1:
        return paragraph(f"{winners} share the victory with {best} points.")
    verb = "win" if result.winners[0] == narrator.viewer else "wins"
    lines = [f"{winners} {verb} with {best} points."]
    if len(level) > 1:
        order = ", then ".join(_TIE_BREAKS.get(name, name) for name in game.edition.tie_break)
        tied = listing(narrator.who(seat) for seat in level)
        lines += paragraph(f"{tied} had the same points: it was decided by {order}.")
    return lines
