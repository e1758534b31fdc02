"""Chapter 11: what a viewer may know.

A view has the shape of a state. It is made from the list below: a field that is not declared in it
stays zero in every view. So the same functions read views and states, and a bot that is given a
view cannot see anything else.
"""

from itertools import product

from ferrovia.kernel import constant, kernel
from ferrovia.rules.state.layout import (
    EVERYTHING,
    NONE,
    OVER,
    PAY,
    SEATS,
    SPECTATOR,
    START,
    STATE,
    TURN,
    State,
    Words,
)

ALL, OWN, OWN_AT_START, NOBODY = "all", "own", "own until all have chosen", "nobody"

VISIBLE_TO = {
    "routes": ALL,
    "open": ALL,
    "tickets": OWN,  # R8.3
    "stationed": ALL,
    "rng": NOBODY,
    "points": ALL,
    "hand_size": ALL,
    "deck_size": ALL,
    "discards_size": ALL,
    "ticket_head": ALL,
    "ticket_left": ALL,
    "pending": ALL,
    "turns": ALL,
    "ticket_deck": NOBODY,
    "hand": OWN,
    "known": ALL,
    "deck": NOBODY,
    "discards": ALL,  # R4.11
    "revealed": ALL,
    "display": ALL,
    "ticket_count": OWN_AT_START,  # R2.3
    "offer": OWN,
    "offered": ALL,
    "stage": OWN,
    "trains": ALL,
    "stations": ALL,
    "laid_color": ALL,
    "laid": ALL,
    "laid_locomotives": ALL,
    "extra": ALL,
    "players": ALL,
    "first": ALL,
    "seat": ALL,
    "phase": ALL,
    "passes": ALL,
    "turns_left": ALL,
    "viewer": NOBODY,
}


def _visible_bytes() -> bytes:
    """Return 255 for every byte of a state that may be seen, by (start or later, viewer, byte)."""
    masks = bytearray()
    for later, viewer in product(range(2), range(SPECTATOR + 1)):
        mask = bytearray(STATE.size)
        for name, visible_to in VISIBLE_TO.items():
            field = STATE.fields[name]
            begin, size = field.begin, field.size
            if visible_to in (OWN, OWN_AT_START) and not (visible_to == OWN_AT_START and later):
                size //= SEATS
                begin += viewer * size
                visible = viewer != SPECTATOR
            else:
                visible = visible_to != NOBODY
            if visible:
                mask[begin : begin + size] = b"\xff" * size
        masks += mask
    return bytes(masks)


_MASKS = constant("u1", (2, SPECTATOR + 1, STATE.size), _visible_bytes)


@kernel
def copy_whole(state: Words, out: Words) -> None:
    """Write all bytes of a state or a view to `out`.

    An assignment of one array to another would be compiled with an error message for arrays of
    different sizes, which takes longer than everything around it.
    """
    for place in range(out.size):
        out[place] = state[place]


@kernel
def copy_visible(state: Words, phase: int, viewer: int, out: Words) -> None:
    """Copy the bytes of a state that a viewer may see to `out`; all others are zero."""
    if phase == OVER or viewer == EVERYTHING:  # R11.3
        copy_whole(state, out)
    else:
        later = 0 if phase == START else 1
        for i in range(state.shape[0]):
            out[i] = state[i] & _MASKS[later, viewer, i]


@kernel
def finish_view(view: State, viewer: int) -> None:
    """Make a masked state into a view: hide how far others are within a decision."""
    view.viewer = viewer
    if view.phase == START and viewer != EVERYTHING:
        for seat in range(view.players):
            if seat != viewer and view.offered[seat] > 0:
                view.offered[seat] = 1  # the number would show how many long tickets were kept
    if view.phase == PAY and view.seat != viewer and viewer != EVERYTHING:
        view.phase = TURN
        view.pending = NONE
