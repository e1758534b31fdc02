"""Find the best claim in a position: points, and what it does for one's tickets.

python best_claim.py
"""

from ferrovia import read_position
from ferrovia.boards.ways import shortest_way
from ferrovia.game import ClaimRoute, View

POSITION = """
edition: usa-classic
turn: 0
display: red blue green yellow black
seat 0: hand blue*3 red*4 yellow | tickets classic:denver-el_paso | routes denver-santa_fe
seat 1: hand white*3
"""


def distance(view: View, a: str, b: str) -> float:
    """Return how many spaces are still to be claimed between two cities."""
    board, own = view.edition.board, view.of(view.seat).routes
    usable = [board.route(id) for id in (*own, *view.open_routes)]
    way = shortest_way(usable, a, b, free=own)
    if way is None:
        return float("inf")
    return sum(board.route(id).length for id in way if id not in own)


def worth(view: View, claim: ClaimRoute) -> float:
    """Return the points of a claim and its share of the tickets it helps; locomotives are dear."""
    route = view.edition.board.route(claim.route)
    points = float(view.edition.route_points[route.length])
    for ticket in map(view.edition.ticket, view.tickets):
        left = distance(view, ticket.a, ticket.b)
        through = min(
            distance(view, ticket.a, one) + distance(view, other, ticket.b)
            for one, other in ((route.a, route.b), (route.b, route.a))
        )
        if through + route.length == left:  # the route lies on a shortest way
            points += 2 * ticket.points * route.length / left  # a ticket that fails costs as much
    return points - claim.cards.count("locomotive")


view = read_position(POSITION).view(0)
claims = [action for action in view.legal_actions() if isinstance(action, ClaimRoute)]
for claim in sorted(claims, key=lambda claim: worth(view, claim), reverse=True)[:5]:
    print(f"{worth(view, claim):5.1f}  {claim}")
