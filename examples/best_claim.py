"""Find the best claim in a position: points, and what it does for one's tickets.

python best_claim.py
"""

from heapq import heappop, heappush

from ferrovia import read_position
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
    steps: dict[str, list[tuple[str, int]]] = {}
    own = view.of(view.seat or 0).routes
    for route in view.edition.board.routes:
        if route.id in own or route.id in view.open_routes:
            spaces = 0 if route.id in own else route.length
            steps.setdefault(route.a, []).append((route.b, spaces))
            steps.setdefault(route.b, []).append((route.a, spaces))
    queue, seen = [(0, a)], set()
    while queue:
        spaces, city = heappop(queue)
        if city == b:
            return spaces
        if city not in seen:
            seen.add(city)
            for neighbour, more in steps.get(city, []):
                heappush(queue, (spaces + more, neighbour))
    return float("inf")


def worth(view: View, claim: ClaimRoute) -> float:
    """Return the points of a claim and its share of the tickets it helps; locomotives are dear."""
    route = view.edition.board.route(claim.route)
    points = float(view.edition.route_points[route.length])
    for ticket in (ticket for ticket in view.edition.tickets if ticket.id in view.tickets):
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
