"""An analysis in words: the sheet of each seat, the remarks with their reasons, the facts."""

from collections.abc import Mapping, Sequence
from typing import Any

from ferrovia.analysis.findings import Analysis, Remark
from ferrovia.analysis.reasons import Reason
from ferrovia.analysis.sheet import Sheet
from ferrovia.game import Game
from ferrovia.game.records.decisions import decisions_of
from ferrovia.game.views import view_of
from ferrovia.terminal.screens import amount, paragraph
from ferrovia.terminal.sentences import Narrator, card_text, counted, listing

_PARTS = {
    "start": "what anybody could expect",
    "cards": "your cards",
    "tickets": "your tickets",
    "others": "what the others did",
    "choices": "your choices",
}

# The sentences of reasons; what stands in braces is put into words first, numbers with their noun.
_REASONS = {
    "completes": "{route} would have completed {ticket}",
    "only_way": "there was no way for {ticket} without {route}",
    "on_way": "without {route}, {ticket} takes {detour:train} more",
    "taken_later": "{seat} claimed {route} later",
    "serves_no_ticket": "{route} is not on the cheapest way of any open ticket",
    "locomotives_spent": "it was paid with {count:locomotive} more",
    "few_left": "{count:{card} card} could still turn up",
    "locomotive_is_the_turn": "a face-up locomotive is the only card of its turn (R4.3)",
    "could_be_paid": "{route} could have been paid for at once",
    "tunnel_odds": "the tunnel could not have been paid for in {percent} of 100 cases",
    "ticket_too_far": "{ticket} took {trains:train} more",
    "ticket_near": "{ticket} took only {trains:train} more",
    "tickets_in_last_round": "only {turns:turn} remained",
    "station_before_the_end": "a station in {city} would still have counted",
    "withdrawn": "the cards went back to the hand, and the turn was over (R7.4)",
    "ticket_cut_off": "no way was left for {ticket}",
    "trains_ran_out": "{ticket} failed for want of {missing:train}",
    "stations_left": "{count:station} remained, with a ticket unfinished",
    "tunnel_surcharge": "tunnels cost {cards:card} more than their length",
    "drawn_and_failed": "{ticket} was drawn during the game and failed",
}


def reason_text(reason: Reason, narrator: Narrator) -> str:
    """Return a reason as a sentence, without its full stop."""
    return _REASONS[reason.key].format_map(_in_words(reason.about, narrator))


class _Number:
    """A number of things that the sentence names: `{count:train}`; None: too many to be had."""

    def __init__(self, count: int | None) -> None:
        self.count = count

    def __format__(self, thing: str) -> str:
        if not thing:
            return str(self.count)
        if not self.count:
            return f"{'no' if self.count == 0 else 'too many'} {thing}s"
        return amount(self.count, thing)


def _in_words(about: Mapping[str, Any], narrator: Narrator) -> dict[str, Any]:
    words = dict(about)
    for name, say in (
        ("route", narrator.route),
        ("ticket", narrator.ticket),
        ("city", narrator.city),
        ("seat", narrator.who),
    ):
        if name in words:
            words[name] = say(words[name])
    for name, value in words.items():
        if value is None or isinstance(value, int):
            words[name] = _Number(value)
    return words


def summary_text(sheet: Sheet) -> str:
    """Return the sheet in one sentence, as far as it is sure: your choices cost 6 points, ..."""
    said = []
    for part in ("choices", "cards", "tickets", "others"):
        value, error = getattr(sheet, part), sheet.errors[part]
        if abs(value) > 2 * error and sheet.whole[part]:
            points = amount(abs(sheet.whole[part]), "point")
            said.append(f"{_PARTS[part]} {'brought' if value > 0 else 'cost'} {points}")
    return (", ".join(said) or "nothing stood out beyond chance") + "."


def sheet_lines(sheet: Sheet) -> list[str]:
    """Return the sheet of a seat as a sum."""
    lines = []
    for part, name in _PARTS.items():
        error = sheet.errors[part]
        lines.append(f"  {sheet.whole[part]:>+5}  {name:<28} ± {error:.0f}")
    return [*lines, f"  {sheet.result:>+5}  result"]


def deed_text(action: str, narrator: Narrator, offer: Sequence[str]) -> str:
    """Return an action in words, `offer` being the tickets that numbers stand for.

    How to pay is a choice of its own, so a route or a station may come without cards.
    """
    verb, *words = action.split()
    match verb:
        case "claim":
            return f"claim {narrator.route(words[0])}{_half(words[0], narrator)}{_paid(words[1:])}"
        case "station":
            return f"build a station in {narrator.city(words[0])}{_paid(words[1:])}"
        case "keep":
            numbers = words[: words.index("back")] if "back" in words else words
            kept = [narrator.ticket(offer[int(n) - 1]) for n in numbers if n.isdecimal()]
            return f"keep {listing(kept)}" if kept else "keep no ticket"
        case "take":
            return f"take {card_text(words[0])} from the display"
        case "pay":
            return f"pay {counted(words)} for the tunnel"
    return {
        "draw": "draw a card from the deck",
        "tickets": "draw tickets",
        "withdraw": "take the cards back",
    }.get(verb, verb)


def _half(route: str, narrator: Narrator) -> str:
    """Return which half of a double a route is; nothing for one that is alone."""
    board = narrator.board
    return "" if board.twin(route) is None else f" ({board.route(route).color})"


def _paid(cards: Sequence[str]) -> str:
    return f" with {counted(cards)}" if cards else ""


def remark_lines(remark: Remark, narrator: Narrator, offer: Sequence[str]) -> list[str]:
    """Return a remark as lines, `offer` being the tickets that the seat then chose from."""
    place = f"turn {remark.turn}" if remark.turn else "the start"
    low, high = remark.points.low, remark.points.high
    worth = f"{remark.points.mean:.1f} points ({low:.1f} to {high:.1f})"
    if wins := round(100 * remark.wins.mean):
        worth += f", {abs(wins)} {'more' if wins > 0 else 'fewer'} of 100 games won"
    played, better = (deed_text(it, narrator, offer) for it in (remark.played, remark.better))
    if remark.kind == "found":
        head = f"  {place}: “{played}” was better than “{better}” by {worth}"
    else:
        head = f"  {place}: “{played}”; “{better}” was better by {worth}"
    lines = paragraph(head, " " * 6)
    for reason in remark.reasons:
        lines += paragraph(f"      because {reason_text(reason, narrator)}.", " " * 8)
    before, after = remark.opened
    if remark.kind == "missed":
        lines.append(
            f"      With open cards: {before:.0f} points before the turn, {after:.0f} after."
        )
    return lines


def analysis_lines(game: Game, analysis: Analysis, seats: Sequence[int] | None = None) -> list[str]:
    """Return what an analysis found for some seats, all by default."""
    narrator = Narrator(game.edition, game.names)
    offers = {it.step: view_of(game.lexicon, it.before, it.seat).offer for it in decisions_of(game)}
    how = f"{analysis.choices} choices, {analysis.plays} games played on by {analysis.judge}"
    lines = [f"{how}, in {analysis.seconds:.0f} s (Ferrovia {analysis.version})"]
    if not analysis.complete:
        lines.append("The time was up before all of it was looked into.")
    for sheet in analysis.sheets:
        if seats is not None and sheet.seat not in seats:
            continue
        lines += ["", narrator.who(sheet.seat), *sheet_lines(sheet)]
        lines += paragraph(f"  {summary_text(sheet).capitalize()}", "  ")
        for remark in analysis.remarks:
            if remark.seat == sheet.seat:
                lines += remark_lines(remark, narrator, offers[remark.step])
        for fact in analysis.facts:
            if fact.seat == sheet.seat:
                text = reason_text(fact.reason, narrator)
                lines += paragraph(f"  {text[0].upper()}{text[1:]}.", "    ")
    return lines
