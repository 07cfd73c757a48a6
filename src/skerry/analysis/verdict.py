"""What an analysis says, in words that can be translated."""

from __future__ import annotations

from skerry.analysis.evaluation import Evaluator
from skerry.analysis.grading import GRADES, NOT_TO_INTERRUPT, Unit
from skerry.analysis.match_analysis import AnalysedStep, Analysis, swing
from skerry.bots import EXPERT, default_bot
from skerry.engine.bot_titles import bot_title
from skerry.engine.game import Game
from skerry.engine.messages import Message, say

TEXTS = GRADES
SMALL: dict[Unit, float] = {"chance": 0.005, "points": 0.5}  # what counts as nothing


def summary(analysis: Analysis, seat: int) -> Message:
    """What luck and decisions brought a seat: "From 83 % at the start: luck cost 41 %, choices cost 18 %"."""
    luck, choices = analysis.luck[seat], analysis.decided[seat]
    least = SMALL[analysis.unit]
    sizes = {"luck": amount(abs(luck), analysis.unit), "choices": amount(abs(choices), analysis.unit)}
    values = {"start": amount(analysis.initial[seat], analysis.unit), **sizes}
    if abs(luck) < least and abs(choices) < least:
        return say("{start} at the start; neither luck nor choices changed that", start=values["start"])
    if luck < 0 and choices < 0:
        return say("{start} at the start; luck cost {luck}, choices cost {choices}", **values)
    if luck < 0:
        return say("{start} at the start; luck cost {luck}, choices brought {choices}", **values)
    if choices < 0:
        return say("{start} at the start; luck brought {luck}, choices cost {choices}", **values)
    return say("{start} at the start; luck brought {luck}, choices brought {choices}", **values)


def verdict(analysis: Analysis, seat: int) -> Message:
    """What luck and decisions brought a seat, said to its player: "You lost 41 % to luck and 18 % to choices"."""
    luck, choices = analysis.luck[seat], analysis.decided[seat]
    least, unit = SMALL[analysis.unit], analysis.unit
    values = {"luck": amount(abs(luck), unit), "choices": amount(abs(choices), unit)}
    if abs(luck) < least and abs(choices) < least:
        return say("Neither luck nor choices changed what you had at the start")
    if luck < 0 and choices < 0:
        return say("You lost {luck} to luck and {choices} to choices", **values)
    if luck < 0:
        return say("You lost {luck} to luck and gained {choices} by choices", **values)
    if choices < 0:
        return say("You gained {luck} by luck and lost {choices} to choices", **values)
    return say("You gained {luck} by luck and {choices} by choices", **values)


def amount(value: float, unit: Unit) -> Message:
    """A value, or a difference of values."""
    if unit == "points":
        return say("{points} points", points=f"{value:.1f}")
    return say("{share} %", share=f"{100 * value:.0f}")


def signed(value: float, unit: Unit) -> str:
    """A difference with its sign, for tables; nothing if it is too small to be shown."""
    if unit == "points":
        return "" if abs(value) < 0.05 else f"{value:+.1f}"
    return "" if abs(value) < 0.0005 else f"{100 * value:+.1f}"


def plain(value: float, unit: Unit) -> str:
    """A value for tables."""
    return f"{value:.1f}" if unit == "points" else f"{100 * value:.0f}"


def turning_point(analysis: Analysis) -> AnalysedStep | None:
    """The moment of the match: the step with the greatest loss or luck."""
    return max(analysis.moments(), key=lambda step: max(step.loss, swing(step)), default=None)


def moment(step: AnalysedStep) -> Message:
    return say("the moment: step {step}, turn {turn}", step=step.number, turn=step.turn)


def reason(analysis: Analysis, step: AnalysedStep) -> Message | None:
    """Why another action would have been better, if one was found."""
    graded = step.graded
    if graded is None or graded.grade == "best":
        return None
    better = say("to wait")
    if graded.best_action != NOT_TO_INTERRUPT:
        better = analysis.match.label(graded.best_action)
    values = {"best": amount(graded.best, analysis.unit), "played": amount(graded.played, analysis.unit)}
    compared = say("better: {action}, {best} instead of {played}", action=better, **values)
    if step.decider != step.seat:
        who = analysis.match.names[analysis.match.game.seat_kind][step.decider].title
        compared = say("{who} lets it pass; {compared}", who=who, compared=compared)
    if not graded.avoided:
        return compared
    how = say(analysis.match.game.endings[graded.avoided - 1].text)
    return say("{compared}. Less often it ends so: {how}", compared=compared, how=how)


def told(analysis: Analysis, step: AnalysedStep, name: str) -> list[Message]:
    """What happened in a step, as far as the viewer saw it. ``name`` is the seat's."""
    viewpoint, recorded = analysis.viewpoint, analysis.match.steps[step.number - 1]
    viewer = {"seat": viewpoint.seat, "open": step.seat}.get(viewpoint.mode)
    seen = [event.message for event in analysis.match.step_events(recorded, viewer)]
    if seen:
        return seen
    if step.action is None:
        return [say("{who}: a step that cannot be seen", who=name)]
    return [say("{who}: {action}", who=name, action=analysis.match.label(recorded.action.id))]


def assumption(analysis: Analysis) -> Message:
    """For which players the values hold."""
    match = analysis.match
    return assumption_of(match.game, Evaluator(match.game).uses_network(match.state))


def assumption_of(game: Game, by_network: bool) -> Message:
    """For which players the values of a game hold, if its value network gives them or its rollouts."""
    if by_network:
        bot = bot_title(EXPERT)
        return say("The values hold if all play on about as well as the bot {bot} does without searching.", bot=bot)
    bot = bot_title(default_bot(game))
    return say("The values hold if all play on about as well as the bot {bot}.", bot=bot)
