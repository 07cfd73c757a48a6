"""What a match in the terminal prints: the board, events, legal actions and help."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

import skerry
from skerry.cli import output
from skerry.engine.errors import Refusal
from skerry.engine.i18n.languages import ENGLISH
from skerry.engine.i18n.translations import Translations
from skerry.engine.match import Match, Result
from skerry.engine.messages import Message, say
from skerry.engine.notation import Action
from skerry.engine.rulebook import read_rulebook

TALL = 45  # lines; a taller terminal has room for the large board, and for it again after each own step
MAX_LISTED = 12  # a verb with more legal actions is listed by its usage only
COMMANDS = {
    "?": "this help; ? VERB lists all its actions; ? ACTION says why it is not allowed",
    "Enter": "the only possible action or the next draw, or let a bot play",
    "go": "let the bots play on until you have to decide",
    "undo": "undo the last step",
    "board": "draw the board again, with all that there is to see",
    "log": "show all events so far",
    "rules ID": "show the rule of this id, which refusals cite",
    "quit": "stop; the game is saved",
}
COMMANDS_FOR_SEVERAL = {"0: ACTION": "act for seat 0, also in another seat's turn (the board shows the numbers)"}
TEXTS = (*COMMANDS.values(), *COMMANDS_FOR_SEVERAL.values())


class TerminalScreen:
    def __init__(self, match: Match, human_seats: list[int], console: Console, translate: Translations) -> None:
        self.match = match
        self.human_seats = human_seats
        self.console = console
        self.translate = translate
        self.printed_steps = len(match.steps)  # whose events have been printed
        self.drawn_steps = -1  # how many there were when the board was last drawn

    @property
    def height(self) -> int:
        return self.console.height

    def print_line(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style))

    def tell(self, message: Message, style: str = "", before: str = "") -> None:
        """Print a sentence in the player's language."""
        self.print_line(before + message.render(self.translate), style)

    def seat_name(self, seat: int) -> str:
        return output.seat_name(self.match, seat, self.translate)

    def draw_board(self, whole: bool = False) -> None:
        """Draw the board as the only human sees it; of several, as the one whose turn it is.

        On a low terminal it is drawn small, so that it stays on the screen above the actions, unless the ``whole``
        of it is wanted.
        """
        viewer = self.human_seats[0] if len(self.human_seats) == 1 else None
        if len(self.human_seats) > 1 and self.match.waiting:
            viewer = next((seat for seat in self.match.waiting if seat in self.human_seats), self.human_seats[0])
        self.drawn_steps = len(self.match.steps)
        self.console.print()
        view, low = self.match.view(viewer), self.height < TALL and not whole
        self.console.print(self.match.game.ui.board(view, self.console.width, self.translate, low))

    def print_introduction(self) -> None:
        names = ", ".join(self.seat_name(seat) for seat in self.human_seats)
        self.print_line(f"\n{self.match.game.title}: {self.translate(self.match.game.summary)}", "bold")
        if self.human_seats:
            self.tell(say("You are {names}. Type one of the listed actions, or ? for help.", names=names), "dim")

    def print_result(self, result: Result) -> None:
        reader = self.human_seats[0] if len(self.human_seats) == 1 else None
        rule = f" ({result.ending.rule})" if result.ending.rule else ""
        self.print_line(f"\n{self.match.outcome(reader).render(self.translate)}{rule}", "bold")

    def print_refusal(self, refusal: Refusal) -> None:
        self.print_line(refusal.render(self.translate), "yellow" if isinstance(refusal, skerry.Unreadable) else "red")

    # Events

    def print_new_events(self) -> None:
        """Print the events of new steps: what the only human may know; of several at one screen, what the one who
        acted may know, and after a bot's step what everybody may know."""
        only_human = self.human_seats[0] if len(self.human_seats) == 1 else None
        for step in self.match.steps[self.printed_steps :]:
            viewer = step.seat if len(self.human_seats) > 1 and step.seat in self.human_seats else only_human
            for event in self.match.step_events(step, viewer):
                self.print_line(f"  · {event.message.render(self.translate)}", "italic")
        self.printed_steps = len(self.match.steps)

    def forget_undone_events(self) -> None:
        self.printed_steps = len(self.match.steps)

    def print_log(self, seat: int) -> None:
        for events in self.match.events(seat):
            for event in events:
                self.print_line(f"  {event.message.render(self.translate)}")

    # Actions

    def print_actions(self, seat: int, default: Action | None) -> None:
        """List the legal actions of a seat, by verb; what ends the turn comes last."""
        self.print_line(f"\n{self.match.prompt(seat).render(self.translate)}", "bold")
        by_verb: dict[str, list[Action]] = {}
        for action in self.match.legal(seat):
            by_verb.setdefault(action.verb, []).append(action)
        endings = {verb.name for verb in self.match.game.actions.verbs if verb.ends_turn}
        for verb, actions in sorted(by_verb.items(), key=lambda item: item[0] in endings):
            listed = ", ".join(action.text for action in actions)
            if len(actions) > MAX_LISTED:
                usage = next(form.usage() for form in self.match.game.actions.verbs if form.name == verb)
                ways = say("{count} ways; ? {verb} lists them", count=len(actions), verb=verb)
                listed = f"{usage}   ({ways.phrase(self.translate)})"
            self.console.print(Text.assemble("  ", (listed, "cyan"), self._translation(seat, actions)))
        if default is not None:
            self.print_line(f"  Enter: {default}", "dim")
        others = [other for other in self.human_seats if other != seat and self.match.legal_ids(other)]
        if others:
            names = ", ".join(f"{other}: {self.seat_name(other)}" for other in others)
            self.tell(say("Could interrupt: {names}", names=names), "dim", before="  ")

    def _translation(self, seat: int, actions: list[Action]) -> str:
        """In other languages than English: the label of a single action, or the help text of the verb of several."""
        if self.translate.language == ENGLISH:
            return ""
        if len(actions) == 1:
            return f"   {self.match.label_now(seat, actions[0].id).render(self.translate)}"
        verb, _ = self.match.game.actions.decode(actions[0].id)
        return f"   {self.translate(verb.help)}"

    # Help

    def print_help(self, seat: int, topic: str) -> None:
        """Help about everything, about a verb, or about why an action is not allowed."""
        if not topic:
            self._print_all_help()
        elif any(topic.lower() in (verb.name, *verb.aliases) for verb in self.match.game.actions.verbs):
            self._print_verb_help(seat, topic.lower())
        else:
            refusal = self.match.explain(seat, topic)
            allowed = say("{action} is allowed now", action=str(self.match.action(topic)))
            self.print_line("  " + (refusal or allowed).render(self.translate))

    def _print_verb_help(self, seat: int, name: str) -> None:
        verbs = [verb for verb in self.match.game.actions.verbs if name in (verb.name, *verb.aliases)]
        for verb in verbs:
            self.print_line(f"  {verb.usage()}: {self.translate(verb.help)}", "cyan")
        legal = [action.text for action in self.match.legal(seat) if action.verb == verbs[0].name]
        # No-break spaces keep an action on one line; zero-width spaces allow a break before each separator.
        listed = " · ".join(legal).replace(" ", "\u00a0").replace("·", "\u200b·")
        now = say("now: {actions}", actions=listed) if listed else say("now: nothing")
        self.print_line("  " + now.phrase(self.translate))

    def _print_all_help(self) -> None:
        commands = COMMANDS | (COMMANDS_FOR_SEVERAL if len(self.human_seats) > 1 else {})
        for command, meaning in commands.items():
            self.console.print(Text.assemble("  ", (f"{command:<10}", "green"), f" {self.translate(meaning)}"))
        self.tell(say("Actions of this game:"), before="\n  ")
        for verb in self.match.game.actions.verbs:
            self.console.print(Text.assemble("  ", (f"{verb.usage():<28}", "cyan"), self.translate(verb.help)))
        self.tell(say("Names of things:"), before="\n  ")
        kinds = {slot.kind for verb in self.match.game.actions.verbs for slot in verb.slots}
        for kind in sorted(kinds & set(self.match.names)):
            known = ", ".join(name.slug for name in self.match.names[kind])
            self.console.print(Text.assemble("  ", (f"{kind.upper():<10}", "cyan"), f" {known}"))

    def print_rule(self, wanted: str) -> None:
        rules = list(read_rulebook(self.match.game, self.translate.language).rules())
        found = [rule for rule in rules if rule.id == wanted.upper()]
        for rule in found:
            self.console.print(Text.assemble("  ", (rule.id, "cyan"), f" {rule.text}"))
        if not found:
            self.tell(say("Which rule? {ids}", ids=", ".join(rule.id for rule in rules)), before="  ")
