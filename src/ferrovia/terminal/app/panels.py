"""The parts of the screen as styled text: map, players, tickets, cards."""

from rich.text import Text

from ferrovia.boards import COLORS
from ferrovia.game.views import SeatState
from ferrovia.terminal.app.scene import Scene, ticket_marks
from ferrovia.terminal.sentences import Narrator, laid_out
from ferrovia.terminal.text_map import LETTERS, Cell, draw_map

_STYLES = {
    "purple": "magenta",
    "blue": "bright_blue",
    "orange": "dark_orange",
    "white": "white",
    "green": "green",
    "yellow": "yellow",
    "black": "grey62",
    "red": "red",
    "gray": "grey50",
    "locomotive": "bold bright_white",
    "brown": "orange4",
    "pink": "hot_pink",
}


def _cell_style(cell: Cell, seats: list[str]) -> str:
    match cell.kind:
        case "line":
            return "grey23"
        case "free":
            return _STYLES.get(cell.color, "")
        case "train" | "station":
            return f"bold reverse {seats[cell.seat or 0]}"
        case "mark":
            return "bold reverse bright_white"
        case "name" | "city":
            return "bold"
    return ""


def seat_styles(scene: Scene) -> list[str]:
    """Return the colours of the seats."""
    colors = scene.edition.player_colors
    return [_STYLES.get(colors[seat % len(colors)], "white") for seat in range(6)]


def map_text(scene: Scene, width: int) -> Text:
    """Return the map, `width` letters wide."""
    seats, text = seat_styles(scene), Text(no_wrap=True)
    for row in draw_map(scene.edition.board, scene.map_state(), width):
        for cell in row:
            text.append(cell.letter, _cell_style(cell, seats))
        text.append("\n")
    return text


def key_text() -> str:
    """Return what the letters of the map mean."""
    colors = " ".join(f"{letter} {color}" for color, letter in LETTERS.items() if letter.isalpha())
    return f"{colors}  = any  * locomotive  capital: tunnel  1-5 trains  ⌂ station"


def players_text(scene: Scene) -> Text:
    """Return one line for the players: points, trains, cards, tickets, and whose turn it is."""
    text, styles = Text(), seat_styles(scene)
    if scene.public is None:
        return Text(scene.note)
    for seat, state in enumerate(scene.public.seats):
        turn = "▶" if seat in scene.public.awaited else " "
        text.append(f"{turn}{seat + 1} ", f"bold {styles[seat]}")
        text.append(f"{scene.names[seat]} ", "bold")
        text.append(f"{_figures(state, scene.edition.stations)}   ")
    left = scene.public.turns_left
    if left is not None:
        text.append(f"LAST ROUND: {left} turns left", "bold reverse")
    return text


def _figures(state: SeatState, stations: int) -> str:
    tickets = "?" if state.tickets is None else str(state.tickets)
    built = f" {state.stations_left}⌂" if stations else ""
    return f"{state.points}p {state.trains}t {state.cards}c {tickets}k{built}"


def tickets_text(scene: Scene) -> Text:
    """Return the viewer's tickets with the letters they have on the map."""
    text, narrator, marks = Text(), Narrator(scene.edition, scene.names), ticket_marks(scene)
    if scene.own is None:
        return Text("You are watching.", "grey62")
    text.append_text(_offer_text(scene))
    text.append("Tickets\n", "bold")
    for ticket in scene.own.tickets:
        mark = "✓" if ticket.done else marks.get(scene.edition.ticket(ticket.id).a, " ")
        text.append(f" {mark} {narrator.ticket(ticket.id)}\n", "grey62" if ticket.done else "")
    if not scene.own.tickets:
        text.append(" none yet\n", "grey62")
    return text


def _offer_text(scene: Scene) -> Text:
    text, narrator, marks = Text(), Narrator(scene.edition, scene.names), ticket_marks(scene)
    if scene.own is None or not scene.own.offer:
        return text
    bounds = f"keep {scene.own.keep_fewest} to {scene.own.keep_most}"
    text.append(f"On offer ({bounds})\n", "bold")
    for number, id in enumerate(scene.own.offer, start=1):
        mark = marks.get(scene.edition.ticket(id).a, " ")
        text.append(f" {number}. {mark} {narrator.ticket(id)}\n")
    return text


def brief_text(scene: Scene) -> Text:
    """Return what a screen without room for tickets and log must not lack: the tickets on offer,
    what has just happened, or the final score.
    """
    text = _offer_text(scene)
    if scene.ended:
        text.append("\n".join(scene.ended))
    elif not text and scene.log:
        text.append(scene.log[-1], "grey62")
    text.rstrip()
    return text


def display_and_hand(scene: Scene) -> Text:
    """Return the face-up cards, the decks, and the viewer's hand."""
    text = Text()
    if scene.public is None:
        return text
    text.append("Face up: ", "bold")
    for card in scene.public.display:
        text.append(f"{card or '-'} ", _STYLES.get(card or "", ""))
    text.append(f"  deck {scene.public.deck}, tickets {scene.public.ticket_deck}\n")
    if scene.public.tunnel is not None:
        turned = [
            card for card, count in scene.public.tunnel.revealed.items() for _ in range(count)
        ]
        text.append(f"Tunnel: turned up {laid_out(turned)}, ", "bold")
        text.append(f"{scene.public.tunnel.extra} more to pay\n", "bold")
    if scene.own is not None:
        text.append("Hand: ", "bold")
        for card in COLORS:
            if count := scene.own.hand.get(card, 0):
                text.append(f"{count} {card} ", _STYLES.get(card, ""))
    return text
