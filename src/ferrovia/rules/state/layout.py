"""The shape of everything the kernel works on: one record for a game, one for its rulebook.

All sizes are fixed, so a batch of games is an array, a copy is one memory copy and a saved game is
its bytes. The limits leave room for custom boards.
"""

from typing import Any

from ferrovia.kernel import RecordLayout

# For annotations: the compiler infers the types by itself, these are for the reader.
State = Any
Book = Any
Score = Any
Work = Any
Word = Any  # a set of up to 64 members
Words = Any  # an array of words

COLORS = 8
LOCOMOTIVE = 8
KINDS = 9  # eight colours and the locomotive
GRAY = 8  # as the colour of a route
PLACES = 5

SEATS = 6
CITIES = 64
ROUTES = 192
ROUTE_WORDS = ROUTES // 64
TICKETS = 192
TICKET_WORDS = TICKETS // 64
OFFER = 6  # tickets in one offer: every subset is a bit of one word
LENGTH = 8  # spaces of a route: every payment is a bit of one word
STATIONS = 3
TRAINS = 64  # a seat's routes are at most as many, so they fit one word
DEALS = 2

NONE = -1
GONE = 255  # in the ticket deck at the start: a ticket that was kept or left the game
SPECTATOR = SEATS  # the viewer who holds no seat
EVERYTHING = SEATS + 1  # the viewer from whom nothing is hidden: the state itself

# Phases: what the next decision is about.
START, TURN, SECOND, PAY, TUNNEL, KEEP, OVER = range(7)

# The words of the generator in a state (see chance.py).
RNG_WORDS = 29

# What becomes of tickets that are not kept at the start.
OUT, BOTTOM = 0, 1

# Tie-breaks, in the order an edition lists them.
BY_TICKETS, BY_STATIONS, BY_LONGEST = 1, 2, 3


STATE = RecordLayout(
    "STATE",
    ("routes", "u8", (SEATS, ROUTE_WORDS)),  # claimed, by seat
    ("open", "u8", (SEATS, ROUTE_WORDS)),  # what each seat may still claim: R5.5 to R5.7
    ("tickets", "u8", (SEATS, TICKET_WORDS)),  # kept
    ("stationed", "u8"),  # cities with a station
    ("rng", "u4", (RNG_WORDS,)),
    ("points", "i2", (SEATS,)),  # for routes
    ("hand_size", "i2", (SEATS,)),
    ("deck_size", "i2"),
    ("discards_size", "i2"),
    ("ticket_head", "i2"),  # place of the top ticket
    ("ticket_left", "i2"),  # tickets in the deck
    ("pending", "i2"),  # route, or ROUTES + city, that waits for its payment
    ("turns", "i2"),  # begun so far
    ("ticket_deck", "u1", (TICKETS,)),
    ("hand", "i1", (SEATS, KINDS)),
    ("known", "i1", (SEATS, KINDS)),  # cards everybody knows to be in a hand
    ("deck", "i1", (KINDS,)),  # a multiset: a draw picks one at random
    ("discards", "i1", (KINDS,)),
    ("revealed", "i1", (KINDS,)),  # turned up for a tunnel
    ("display", "i1", (PLACES,)),
    ("ticket_count", "u1", (SEATS,)),
    ("offer", "u1", (SEATS, OFFER)),
    ("offered", "i1", (SEATS,)),  # tickets in the open offer
    ("stage", "i1", (SEATS,)),  # the deal of the start that the offer belongs to
    ("trains", "i1", (SEATS,)),
    ("stations", "i1", (SEATS, STATIONS)),  # their cities, in the order they were built
    ("laid_color", "i1"),  # cards laid for a tunnel
    ("laid", "i1"),
    ("laid_locomotives", "i1"),
    ("extra", "i1"),  # cards the tunnel still asks for
    ("players", "i1"),
    ("first", "i1"),
    ("seat", "i1"),  # whose turn it is
    ("phase", "i1"),
    ("passes", "i1"),  # in a row
    ("turns_left", "i1"),  # in the last round; NONE before it
    ("viewer", "i1"),
)

BOOK = RecordLayout(
    "BOOK",
    ("by_color", "u8", (KINDS, LENGTH + 1, ROUTE_WORDS)),  # routes of a colour up to a length
    ("ferries", "u8", (LENGTH + 1, LENGTH + 1, ROUTE_WORDS)),  # up to locomotives, length
    ("all_cities", "u8"),
    ("all_routes", "u8", (ROUTE_WORDS,)),
    ("at_city", "u8", (CITIES, ROUTE_WORDS)),  # routes that begin or end there
    ("cities", "i2"),
    ("routes", "i2"),
    ("tickets", "i2"),
    ("long_tickets", "i2"),  # they come first
    ("end_a", "i2", (ROUTES,)),
    ("end_b", "i2", (ROUTES,)),
    ("length", "i2", (ROUTES,)),
    ("color", "i2", (ROUTES,)),
    ("ferry", "i2", (ROUTES,)),
    ("tunnel", "i2", (ROUTES,)),
    ("twin", "i2", (ROUTES,)),
    ("ticket_a", "i2", (TICKETS,)),
    ("ticket_b", "i2", (TICKETS,)),
    ("ticket_points", "i2", (TICKETS,)),
    ("cards", "i2", (KINDS,)),
    ("route_points", "i2", (LENGTH + 1,)),
    ("trains", "i2"),
    ("stations", "i2"),
    ("deals", "i2"),
    ("deal_long", "i2", (DEALS,)),
    ("deal_regular", "i2", (DEALS,)),
    ("deal_min", "i2", (DEALS,)),
    ("deal_max", "i2", (DEALS,)),
    ("deal_min_without_long", "i2", (DEALS,)),
    ("long_not_kept", "i2"),
    ("regular_not_kept", "i2"),
    ("ticket_draw", "i2"),
    ("ticket_keep", "i2"),
    ("longest_bonus", "i2"),
    ("station_bonus", "i2"),
    ("tie_break", "i2", (3,)),
    ("max_offer", "i2"),
    ("first_city", "i2"),  # where each kind of action begins (see actions.py)
    ("first_keep", "i2"),
    ("actions", "i2"),
)

SCORE = RecordLayout(
    "SCORE",
    ("completed", "u8", (SEATS, TICKET_WORDS)),
    ("trail", "u8", (SEATS, ROUTE_WORDS)),  # a longest route, as a set of routes
    ("routes", "i2", (SEATS,)),
    ("tickets", "i2", (SEATS,)),
    ("stations", "i2", (SEATS,)),
    ("longest", "i2", (SEATS,)),
    ("bonus", "i2", (SEATS,)),
    ("total", "i2", (SEATS,)),
    ("completed_count", "i2", (SEATS,)),
    ("borrowed", "i2", (SEATS, STATIONS)),  # route used through each station, or NONE
    ("winners", "i2"),  # a bit for each seat
)

# Memory for scoring one seat: the kernel allocates nothing.
WORK = RecordLayout(
    "WORK",
    ("incident", "u8", (CITIES,)),  # of the seat's own routes, numbered 0 to TRAINS - 1
    ("kept", "u8", (TRAINS + 2,)),  # the stack of the longest-route search
    ("fixed", "u8", (TRAINS + 2,)),
    ("untried", "u8", (TRAINS + 2,)),
    ("promising", "u8", (TRAINS + 2,)),
    ("other_part", "u8", (TRAINS + 2,)),
    ("route", "i2", (TRAINS,)),
    ("end_a", "i1", (TRAINS,)),
    ("end_b", "i1", (TRAINS,)),
    ("weight", "i1", (TRAINS,)),
    ("price", "i1", (CITIES,)),
    ("ends", "i1", (TRAINS + 2, 2)),
    ("branch", "i1", (TRAINS + 2,)),
    ("label", "i1", (CITIES,)),
    ("join_from", "i1", (STATIONS,)),
    ("join_to", "i1", (STATIONS,)),
    ("choice", "i1", (STATIONS,)),
    ("choices", "i1", (STATIONS,)),
    ("choice_route", "i2", (STATIONS, CITIES + 1)),
    ("choice_label", "i1", (STATIONS, CITIES + 1)),
)
