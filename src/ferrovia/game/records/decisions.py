"""The decisions of a recorded game, each with the state of the kernel before and after it."""

from collections.abc import Iterator
from typing import NamedTuple

from ferrovia.game import actions, events
from ferrovia.game.codec.lexicon import Buffer
from ferrovia.game.game import Game
from ferrovia.game.records.steps import replay_steps_of_table
from ferrovia.rules.state.layout import START, STATE, TUNNEL


class Decision(NamedTuple):
    """What a seat decided: the step of the film that it is, from 1 on; the numbers of its events,
    from `begin` to before `end`; the turn, from 1 on, 0 in the set-up. The states are those of the
    kernel, with all secrets.
    """

    step: int
    begin: int
    end: int
    seat: int
    turn: int
    action: actions.Action
    before: Buffer
    after: Buffer


_DECISIVE = (
    events.Keep,
    events.Take,
    events.Draw,
    events.Offer,
    events.Claim,
    events.Tunnel,
    events.Withdraw,
    events.Station,
    events.PassTurn,
)


def decisions_of(game: Game) -> Iterator[Decision]:
    """Yield the decisions of a game that was replayed or played, in order."""
    _, steps = replay_steps_of_table(game.record())
    before = steps[0].state
    for number, step in enumerate(steps[1:], start=1):
        happened = game.events[step.first : step.end]
        decisive = next(event for event in happened if isinstance(event, _DECISIVE))
        seat: int = decisive.player
        action = _action(game, before, decisive)
        yield Decision(number, step.first, step.end, seat, step.turn, action, before, step.state)
        before = step.state


def start_state(game: Game) -> Buffer:
    """Return the state right after the deal of a game that was replayed or played."""
    return replay_steps_of_table(game.record())[1][0].state


def _action(game: Game, before: Buffer, event: events.Event) -> actions.Action:
    """Return the action that led to an event."""
    s = before.view(STATE)[0]
    match event:
        case events.Keep(player=player, kept=kept, returned=returned):
            offered = [game.words.tickets[n] for n in s.offer[player][: s.offered[player]]]
            numbers = tuple(sorted(offered.index(id) + 1 for id in kept or () if id is not None))
            back = tuple(offered.index(id) + 1 for id in returned or () if id is not None)
            in_order = s.phase == START or list(back) == sorted(back)
            return actions.KeepTickets(numbers, () if in_order else back)
        case events.Take(card=card):
            return actions.TakeCard(card)
        case events.Draw():
            return actions.DrawCard()
        case events.Offer():
            return actions.DrawTickets()
        case events.Claim(cards=cards) if s.phase == TUNNEL:
            colored, locomotives = int(s.laid), int(s.laid_locomotives)
            extra = [card for card in cards if card != "locomotive"][colored:]
            more = [card for card in cards if card == "locomotive"][locomotives:]
            return actions.PayTunnel((*extra, *more))
        case events.Claim(route=route, cards=cards) | events.Tunnel(route=route, cards=cards):
            return actions.ClaimRoute(route, cards)
        case events.Withdraw():
            return actions.WithdrawTunnel()
        case events.Station(city=city, cards=cards):
            return actions.BuildStation(city, cards)
    return actions.Pass()
