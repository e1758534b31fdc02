"""What all interfaces share: how the end of a game is rewarded, and opponents by name."""


def rewards_of(winners: int, players: int) -> list[float]:
    """What a finished game is worth to each seat, from its winners as bits; it adds up to nothing.

    Winning alone is worth 1, a shared win less, everything else what the others lose together:
    -1 with two seats, -1/(n - 1) with n.
    """
    shares = [((winners >> seat) & 1) / winners.bit_count() for seat in range(players)]
    return [(players * share - 1) / (players - 1) for share in shares]
