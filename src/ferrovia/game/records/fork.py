"""A game that goes on from a moment of a record, with the same cards to come or with new ones."""

import hashlib

import msgspec

from ferrovia.game import events
from ferrovia.game.game import Game
from ferrovia.game.records.record import Header, Record
from ferrovia.game.records.replay import replay
from ferrovia.game.views import Phase
from ferrovia.rules import calls
from ferrovia.rules.state.layout import STATE, TICKETS


def forked(header: Header, happened: tuple[events.Event, ...], seed: bytes | None) -> Game:
    """Return the game that stands after these events of a record.

    Without a `seed` the cards to come are those of the record. With one they are new: nobody has
    seen the deck, and the tickets that were never offered; hands, display and the rest stay. The
    record of such a game has no seed, and is proved by its outcomes.
    """
    if seed is None:
        return replay(Record(header, happened, None))
    unproved = msgspec.structs.replace(header, seed=None, commitment="", shuffle=msgspec.UNSET)
    game = replay(Record(unproved, happened, None))
    game.seed = seed
    _shuffle_unseen(game, seed)
    return game


def _shuffle_unseen(game: Game, seed: bytes) -> None:
    state = STATE.of(game.state)
    calls.seed_generator(state.rng, seed, 0)
    if game.phase is Phase.START:
        return  # the tickets of the start are dealt already
    offered = {
        game.lexicon.ticket_number[ticket]
        for event in game.events
        if isinstance(event, events.Offer)
        for ticket in event.tickets
        if ticket is not None
    }
    places = [(state.ticket_head + i) % TICKETS for i in range(state.ticket_left)]
    unseen = [place for place in places if state.ticket_deck[place] not in offered]
    tickets = [state.ticket_deck[place] for place in unseen]
    tickets.sort(key=lambda ticket: hashlib.sha256(seed + bytes([ticket])).digest())
    for place, ticket in zip(unseen, tickets, strict=True):
        state.ticket_deck[place] = ticket
