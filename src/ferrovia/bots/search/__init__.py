"""Search: information-set Monte Carlo tree search inside compiled code.

An iteration takes one of the options of the decision (an arm), plays it in a world that agrees with
the view, goes down the tree, lets a script play to the end (a rollout) and evaluates the score. The
root halves the arms again and again until one is left; below it the seats choose by PUCT, each for
itself.

With a net there is no tree and no script: options are tried for a few turns and the net says what
the position is worth (lookahead.py).
"""

from ferrovia.bots.search.net_search import NetSearchBot, make_net
from ferrovia.bots.search.search_bot import SearchBot, make_search

__all__ = ["NetSearchBot", "SearchBot", "make_net", "make_search"]
