"""What a planning bot finds expensive: numbers only, in eighths of a point unless noted."""

from typing import NamedTuple

POINT = 8


class Style(NamedTuple):
    """The weights of a planner. They were found by playing matches (docs/bots.md)."""

    turn: int  # a turn
    card: int  # a card that is still to be drawn
    hue: int  # what a card of one colour costs more than any card, at a usual supply
    held: int  # what a card in the hand saves of that
    tunnel: int  # what a tunnel may turn up
    ferry: int  # a locomotive that a ferry asks for
    risk: int  # one more route that others may take
    claim: int  # to claim a route of the tree now rather than later
    theft: int  # a card that another route of the plan needs
    locomotive: int  # a locomotive spent
    danger: int  # sixteenths: of a detour that an opponent threatens to force
    block: int  # a route for points at each end that an opponent has reached
    link: int  # a route for points that touches its own
    fill: int  # least gain of a route for points, while tickets are open
    useful: int  # a card for a ticket
    points: int  # a card for a side route
    idle: int  # any other card
    wild: int  # a locomotive drawn
    pace: int  # sixteenths: of the turns that opponents need at their quickest
    ticket_turns: int  # with fewer turns likely left it draws no tickets
    ticket_trains: int  # with fewer trains it draws no tickets
    keep: int  # sixteenths: of the points of a ticket when it is chosen
    hoard: int  # cards: while the tree lacks more, only what is in danger is claimed
    alarm: int  # the least danger that counts as such
    least: int  # the least gain of a route for points while cards for a better one are lacking
    slack: int  # trains that tickets kept must leave


PLANNER = Style(
    turn=40,
    card=14,
    hue=2,
    held=5,
    tunnel=1,
    ferry=6,
    risk=8,
    claim=10,
    theft=5,
    locomotive=6,
    danger=9,
    block=1,
    link=8,
    fill=40,
    useful=5,
    points=14,
    idle=1,
    wild=6,
    pace=26,
    ticket_turns=11,
    ticket_trains=27,
    keep=34,
    hoard=0,
    alarm=40,
    least=8,
    slack=8,
)

COLLECTOR = PLANNER._replace(keep=44, slack=0, ticket_turns=7, ticket_trains=16, alarm=1000)
