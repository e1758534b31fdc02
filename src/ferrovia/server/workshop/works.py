"""What is done with a board that somebody sends, here or in a process of its own."""

from base64 import b64encode
from contextlib import suppress
from functools import cache

import msgspec

from ferrovia.boards import BoardError, Edition, FileProblem, edition_from_document, load_edition
from ferrovia.boards.check import check_document
from ferrovia.boards.model import Board
from ferrovia.boards.reading.json_file import parse_document
from ferrovia.drawing.picture import picture_json
from ferrovia.errors import MissingExtra
from ferrovia.server.protocol.workshop import (
    AnyBoardWork,
    BoardChecked,
    BoardExport,
    BoardFile,
    BoardPrint,
    BoardProblem,
    CheckBoard,
    DrawBoard,
    ExportBoard,
    FoundTicket,
    FoundTickets,
    MakeBoard,
    PlaytestBoard,
    PrintBoard,
    PrintedSheet,
    ReadFiles,
    SearchTickets,
)
from ferrovia.server.refusals import Refusal
from ferrovia.workshop.board_file import board_text
from ferrovia.workshop.network import Network, network_of
from ferrovia.workshop.playtest import Playtest, playtest

NAME = "board"


def done(work: AnyBoardWork) -> bytes:
    """Return the answer to a work as JSON; raises `Refusal`."""
    try:
        return _done(work)
    except BoardError as problem:
        raise Refusal("invalid_board", str(problem)[:2000]) from None


def edition_of(text: str) -> Edition:
    """Return the edition of a board file; raises `BoardError`."""
    return edition_from_document(parse_document(text, NAME).value, name=NAME)


def _done(work: AnyBoardWork) -> bytes:
    match work:
        case MakeBoard():
            from ferrovia.workshop.generator import make_board

            made = make_board(work.region, work.size, work.seed, work.name)
            return _json(BoardFile(board=board_text(made.document())))
        case ReadFiles():
            from ferrovia.workshop.exchange.read import read_foreign

            files = {name: text.encode() for name, text in work.files.items()}
            found = read_foreign(files)
            return _json(BoardFile(board=board_text(found.document), notes=found.notes))
        case CheckBoard():
            return _json(_checked(work.board))
        case DrawBoard():
            return picture_json(edition_of(work.board).board).encode()
        case SearchTickets():
            return _json(_tickets(work))
        case PlaytestBoard():
            return _json(_played(work))
        case ExportBoard():
            return _json(BoardExport(files=_exported(work)))
        case PrintBoard():
            return _json(_printed_on_paper(work))


def _json(value: object) -> bytes:
    return msgspec.json.encode(value)


def _checked(text: str) -> BoardChecked:
    try:
        report, edition = check_document(parse_document(text, NAME))
    except BoardError as error:
        problems = tuple(map(_problem, error.problems))
        return BoardChecked(problems=problems, warnings=(), network=None, printed={})
    return BoardChecked(
        problems=tuple(map(_problem, report.problems)),
        warnings=tuple(map(_problem, report.warnings)),
        network=None if edition is None else network_of(edition),
        printed={} if edition is None else _printed(),
    )


@cache
def _printed() -> dict[str, Network]:
    return {id: network_of(load_edition(id)) for id in ("usa", "europe")}


def _problem(problem: FileProblem) -> BoardProblem:
    return BoardProblem(
        line=problem.line, path=problem.path, message=problem.message, hint=problem.hint
    )


def _tickets(work: SearchTickets) -> FoundTickets:
    from ferrovia.workshop.exchange.read import without_tickets
    from ferrovia.workshop.ticket_search import search_tickets

    value = parse_document(work.board, NAME).value
    edition = without_tickets(value)
    keep = []
    if work.keep:
        known = {ticket.id: ticket for ticket in edition_of(work.board).board.tickets}
        keep = [known[id] for id in work.keep if id in known]
    board = Board(edition.board.id, edition.board.cities, edition.board.routes, ())
    deck = search_tickets(
        board, edition.trains, work.seed, keep=keep, count=work.count, style=work.style
    )
    return FoundTickets(
        tickets=tuple(
            FoundTicket(id=it.id, a=it.a, b=it.b, points=it.points, set=it.set, long=it.long)
            for it in deck
        )
    )


def _played(work: PlaytestBoard) -> Playtest:
    edition = edition_of(work.board)
    against = None if work.against is None else edition_of(work.against)
    for one in (edition, against):
        if one is not None and not one.seats[0] <= work.players <= one.seats[1]:
            raise Refusal("invalid_setup", f"{one.name} is for {one.seats[0]} to {one.seats[1]}")
    return playtest(
        edition,
        work.players,
        games=work.games,
        seed=work.seed,
        level=work.level,
        against=against,
    )


def _printed_on_paper(work: PrintBoard) -> BoardPrint:
    from ferrovia.workshop.print.paper import symbols
    from ferrovia.workshop.print.pdf import pdf_of
    from ferrovia.workshop.print.prints import print_of

    edition = edition_of(work.board)
    try:
        made = print_of(edition, work.what, work.layout, work.paper, work.long_side)
    except ValueError as problem:
        raise Refusal("bad_message", str(problem)) from None
    with suppress(MissingExtra):
        if work.form == "pdf":
            return BoardPrint(title=made.title, pdf=b64encode(pdf_of(made)).decode())
    sheets = tuple(
        PrintedSheet(wide=it.size.wide, high=it.size.high, svg=it.body) for it in made.sheets
    )
    return BoardPrint(title=made.title, symbols=symbols(made), sheets=sheets)


def _exported(work: ExportBoard) -> dict[str, str]:
    from ferrovia.workshop.exchange.geojson import geojson_of
    from ferrovia.workshop.exchange.tables import tables_of

    edition = edition_of(work.board)
    if work.form == "tables":
        return tables_of(edition)
    return {f"{edition.board.id}.geojson": msgspec.json.encode(geojson_of(edition)).decode()}
