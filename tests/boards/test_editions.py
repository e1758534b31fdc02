"""The table of editions: rules R1.1 to R1.5, and the numbers of R2.1 and R10.1."""

import pytest

from ferrovia.boards import (
    BoardError,
    Ticket,
    TicketDeal,
    TicketPack,
    board,
    edition_document,
    editions,
    load_edition,
    with_packs,
)

EUROPE = ("europe", "europe-1912", "mega-europe", "big-cities")


def test_there_are_six_editions() -> None:
    assert set(editions()) == {"usa", "usa-classic", *EUROPE}


@pytest.mark.parametrize(
    ("name", "long", "regular"),
    [
        ("usa", 0, 31),
        ("usa-classic", 0, 30),
        ("europe", 6, 40),
        ("europe-1912", 6, 49),
        ("mega-europe", 12, 89),
        ("big-cities", 0, 45),
    ],
)
def test_tickets_used_are_the_long_ones_then_the_regular_ones(
    name: str, long: int, regular: int
) -> None:
    found = load_edition(name)
    assert [ticket.long for ticket in found.tickets] == [True] * long + [False] * regular
    order = {ticket: index for index, ticket in enumerate(found.board.tickets)}
    for kind in (found.tickets[:long], found.tickets[long:]):
        assert [order[ticket] for ticket in kind] == sorted(order[ticket] for ticket in kind)


@pytest.mark.parametrize("name", ["usa", "usa-classic", *EUROPE])
def test_what_all_editions_share(name: str) -> None:
    found = load_edition(name)
    assert found.id == name
    assert found.seats == (2, 5)
    assert found.trains == 45
    assert found.longest_bonus == 10
    assert found.ticket_keep == 1
    assert found.extras == ()


@pytest.mark.parametrize("name", ["usa", "usa-classic", *EUROPE])
def test_r2_1_there_are_110_cards(name: str) -> None:
    cards = load_edition(name).cards
    assert sum(cards.values()) == 110
    assert cards["locomotive"] == 14
    assert cards["purple"] == cards["red"] == 12


@pytest.mark.parametrize("name", ["usa", "usa-classic", *EUROPE])
def test_r10_1_points_by_length(name: str) -> None:
    assert load_edition(name).route_points == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 8: 21}


@pytest.mark.parametrize("name", EUROPE)
def test_europe_has_stations(name: str) -> None:
    found = load_edition(name)
    assert found.board.id == "europe"
    assert (found.stations, found.station_bonus) == (3, 4)
    assert found.tie_break == ("tickets", "stations", "longest")


@pytest.mark.parametrize("name", ["usa", "usa-classic"])
def test_usa_has_no_stations(name: str) -> None:
    found = load_edition(name)
    assert found.board.id == "usa"
    assert found.stations == 0
    assert found.tie_break == ("tickets", "longest")


@pytest.mark.parametrize(
    ("name", "draw"),
    [
        ("usa", 3),
        ("usa-classic", 3),
        ("europe", 3),
        ("europe-1912", 3),
        ("mega-europe", 3),
        ("big-cities", 4),
    ],
)
def test_tickets_drawn_in_a_turn(name: str, draw: int) -> None:
    assert load_edition(name).ticket_draw == draw


@pytest.mark.parametrize(
    ("name", "not_kept"),
    [
        ("usa", "bottom"),
        ("usa-classic", "bottom"),
        ("europe", "out"),
        ("europe-1912", "out"),
        ("mega-europe", "bottom"),
        ("big-cities", "bottom"),
    ],
)
def test_regular_tickets_not_kept_at_the_start(name: str, not_kept: str) -> None:
    assert load_edition(name).regular_not_kept == not_kept


def test_r1_1_usa_classic_differs_from_usa_only_in_tickets_and_deal() -> None:
    usa, classic = load_edition("usa"), load_edition("usa-classic")
    same = ("cards", "trains", "regular_not_kept", "route_points", "tie_break", "player_colors")
    assert all(getattr(usa, key) == getattr(classic, key) for key in same)
    assert usa.deals == (TicketDeal(0, 4, 2, 4, 2),)
    assert classic.deals == (TicketDeal(0, 3, 2, 3, 2),)
    extra = set(usa.tickets) - set(classic.tickets)
    assert [(ticket.a, ticket.b, ticket.points) for ticket in extra] == [
        ("atlanta", "washington", 4)
    ]


@pytest.mark.parametrize("name", ["europe", "europe-1912", "mega-europe"])
def test_r1_2_long_tickets_that_are_not_kept_leave_the_game(name: str) -> None:
    assert load_edition(name).long_not_kept == "out"


@pytest.mark.parametrize("name", ["europe", "europe-1912"])
def test_europe_deals_one_long_and_three_regular_and_two_of_any_kind_are_kept(name: str) -> None:
    deal = TicketDeal(long=1, regular=3, keep_min=2, keep_max=4, keep_min_without_long=2)
    assert load_edition(name).deals == (deal,)


def test_r1_3_mega_europe_deals_long_tickets_first_and_asks_more_of_who_keeps_none() -> None:
    long, regular = load_edition("mega-europe").deals
    assert long == TicketDeal(long=2, regular=0, keep_min=0, keep_max=1, keep_min_without_long=0)
    assert regular == TicketDeal(long=0, regular=5, keep_min=2, keep_max=5, keep_min_without_long=3)


def test_big_cities_deals_five_of_the_marked_tickets() -> None:
    found = load_edition("big-cities")
    assert found.deals == (TicketDeal(0, 5, 2, 5, 2),)
    assert all(ticket.big_city for ticket in found.tickets)


def test_the_nine_big_cities_are_named() -> None:
    nine = ["angora", "athina", "berlin", "london", "madrid", "moskva", "paris", "roma", "wien"]
    assert edition_document(load_edition("big-cities"))["big_cities"] == nine
    assert edition_document(load_edition("europe"))["big_cities"] == []


PACK = TicketPack(
    "sleeper",
    "europe",
    (
        Ticket("sleeper:cadiz-paris", "cadiz", "paris", 9, "sleeper", big_city=True),
        Ticket("sleeper:brest-kyiv", "brest", "kyiv", 17, "sleeper", long=True),
        Ticket("sleeper:brest-essen", "brest", "essen", 7, "sleeper"),
    ),
)


@pytest.mark.parametrize(("name", "long"), [("europe", 6), ("europe-1912", 6), ("mega-europe", 12)])
def test_r1_4_each_ticket_of_a_pack_joins_the_deck_of_its_kind(name: str, long: int) -> None:
    bare = load_edition(name)
    found = with_packs(bare, [PACK])
    marked, far, plain = PACK.tickets
    assert found.tickets == (*bare.tickets[:long], far, *bare.tickets[long:], marked, plain)
    assert found.extras == ("sleeper",)


def test_r1_4_only_marked_tickets_of_a_pack_join_big_cities() -> None:
    bare = load_edition("big-cities")
    assert with_packs(bare, [PACK]).tickets == (*bare.tickets, PACK.tickets[0])


def test_r1_4_two_more_tickets_make_the_33_of_usa() -> None:
    tickets = tuple(
        Ticket(f"usa-2025-extra:{a}-{b}", a, b, 5, "usa-2025-extra")
        for a, b in (("boston", "miami"), ("denver", "dallas"))
    )
    pack = TicketPack("usa-2025-extra", "usa", tickets)
    assert len(with_packs(load_edition("usa"), [pack]).tickets) == 33


def test_r1_4_a_pack_of_another_board_is_refused() -> None:
    with pytest.raises(BoardError, match=r"is for the board 'europe'.*played on 'usa'"):
        with_packs(load_edition("usa"), [PACK])


def test_packs_can_be_switched_off_again() -> None:
    bare = load_edition("europe")
    assert with_packs(with_packs(bare, [PACK]), ()) == bare


@pytest.mark.parametrize(
    ("pack", "problem"),
    [
        (
            TicketPack("p", "europe", (Ticket("p:x", "pariss", "wien", 3, "p"),)),
            "'pariss', which is unknown; did you mean 'paris'",
        ),
        (
            TicketPack("p", "europe", (Ticket("sleeper:brest-kyiv", "paris", "wien", 3, "p"),)),
            "two tickets with the id 'sleeper:brest-kyiv'",
        ),
        (PACK, "'sleeper' is named twice"),
        (
            TicketPack(
                "p", "europe", tuple(Ticket(f"p:{n}", "paris", "wien", 3, "p") for n in range(150))
            ),
            "too many: at most 192",
        ),
    ],
)
def test_packs_that_clash_are_refused(pack: TicketPack, problem: str) -> None:
    with pytest.raises(BoardError, match=problem):
        with_packs(load_edition("europe"), [PACK, pack])


@pytest.mark.parametrize("name", ["usa", "usa-classic", "europe"])
def test_r1_5_base_boxes_have_the_base_colors(name: str) -> None:
    assert load_edition(name).player_colors == ("blue", "red", "green", "yellow", "black")


@pytest.mark.parametrize("name", ["europe-1912", "mega-europe", "big-cities"])
def test_r1_5_the_anniversary_box_has_its_own_colors(name: str) -> None:
    assert load_edition(name).player_colors == ("brown", "red", "purple", "gray", "blue")


def test_an_unknown_edition_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(BoardError, match=r"no edition 'mega-europa'.*did you mean 'mega-europe'"):
        load_edition("mega-europa")
    with pytest.raises(BoardError, match=r"no edition 'x'.*known: usa, usa-classic, europe"):
        board("x")


@pytest.mark.parametrize(("players", "fits"), [(1, False), (2, True), (5, True), (6, False)])
def test_an_edition_is_for_its_number_of_players(players: int, fits: bool) -> None:
    if fits:
        load_edition("europe").check_seats(players)
        return
    with pytest.raises(ValueError, match=f"europe is for 2 to 5 players, not {players}"):
        load_edition("europe").check_seats(players)
