"""One game in words: actions, events, views, records and positions."""

from ferrovia.game.actions import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Pass,
    PayTunnel,
    TakeCard,
    WithdrawTunnel,
    read_action,
)
from ferrovia.game.errors import IllegalAction, InvalidAction, RecordError
from ferrovia.game.game import Game
from ferrovia.game.position import PositionError, read_position, why_composed, write_position
from ferrovia.game.records.record import Record, read_record
from ferrovia.game.scores import Result, SeatScore
from ferrovia.game.views import OwnTicket, Phase, PublicView, SeatState, TunnelState, View

__all__ = [
    "Action",
    "BuildStation",
    "ClaimRoute",
    "DrawCard",
    "DrawTickets",
    "Game",
    "IllegalAction",
    "InvalidAction",
    "KeepTickets",
    "OwnTicket",
    "Pass",
    "PayTunnel",
    "Phase",
    "PositionError",
    "PublicView",
    "Record",
    "RecordError",
    "Result",
    "SeatScore",
    "SeatState",
    "TakeCard",
    "TunnelState",
    "View",
    "WithdrawTunnel",
    "read_action",
    "read_position",
    "read_record",
    "why_composed",
    "write_position",
]
