"""A hint in words: what the best level would do in the player's place, and why."""

from collections.abc import Iterator

from ferrovia.bots import LEVELS, make
from ferrovia.bots.why import TicketGoal, Why, why
from ferrovia.game import Action, BuildStation, ClaimRoute, DrawTickets, KeepTickets, View
from ferrovia.terminal.screens import amount, paragraph
from ferrovia.terminal.sentences import Narrator, counted, listing

ADVISER = list(LEVELS)[-1]


def as_typed(action: Action) -> str:
    """Return an action as it is typed in a game, where `tickets` lists the player's tickets."""
    if isinstance(action, DrawTickets):
        return "draw tickets"
    if isinstance(action, ClaimRoute):
        return f"claim {action.route} with {counted(action.cards)}"
    if isinstance(action, BuildStation):
        return f"station {action.city} with {counted(action.cards)}"
    return str(action)


def hint_lines(view: View, narrator: Narrator, bot: str = "") -> list[str]:
    """Return what a bot would do in the place of the view's seat, and what speaks for it.

    It knows what the seat knows. Without a name it is the best level.
    """
    bot = bot or ADVISER
    action = make(bot, 0).decide(view)
    said = f"{bot.capitalize()} would say: {as_typed(action)}"
    return [
        *paragraph(said),
        *paragraph(" ".join(_reasons(why(view, action, bot), action, narrator, bot))),
    ]


def _reasons(why: Why, action: Action, narrator: Narrator, bot: str) -> Iterator[str]:
    """Yield sentences: which tickets, which cards, what the bot expects."""

    def names(goals: list[TicketGoal]) -> str:
        return listing(narrator.ticket(goal.ticket) for goal in goals)

    def needs(goals: list[TicketGoal]) -> str:
        return listing(
            f"{narrator.ticket(goal.ticket)}, which needs {amount(goal.trains, 'train')}"
            for goal in goals
        )

    done = [goal for goal in why.goals if goal.trains == 0]
    left = [goal for goal in why.goals if goal.trains > 0]
    if isinstance(action, KeepTickets):
        if why.goals:
            yield f"By the shortest open way: {needs(list(why.goals))}."
    elif isinstance(action, ClaimRoute):
        if done:
            yield f"That completes {names(done)}."
        if left:
            yield f"It is on the way for {needs(left)} more."
        if why.points is not None:
            yield f"It helps no ticket, but is worth {amount(why.points, 'point')}."
    else:
        if why.route is not None:
            more = f"{amount(why.missing or 0, 'card')} more of that colour"
            after = f"{more} needed" if why.missing else "after it, no more of that colour needed"
            yield f"It is meant for {narrator.route(why.route)}; {after}."
        elif why.missing is not None:
            yield f"The planned routes lack {amount(why.missing, 'card')}."
        if why.goals:
            yield f"That is for {needs(list(why.goals))}."
    if why.spare is not None and why.spare >= 0:
        yield f"The tickets leave {amount(why.spare, 'train')} free."
    if why.chance is not None:
        expected = f"{round(100 * why.chance)}% of its games"
        yield f"From here {bot.capitalize()} expects to win {expected}."
