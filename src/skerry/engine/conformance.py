"""The conformance suite: what every game must guarantee, checked by playing it.

    for check in conformance.CHECKS:
        check(game)

A check raises ``Broken``, an AssertionError that says what is broken, in which position (options, seed and step) and
in which match. The tests run the suite over all registered games; ``skerry check-game`` runs it over one and looks for
the shortest game that shows what is broken.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from skerry.engine.default_ui.names import named_kinds
from skerry.engine.errors import Illegal, NoUndo, Refusal
from skerry.engine.event_log import new_event_log
from skerry.engine.events import MISSED, WRITTEN, Event, EventLogOverflow, logged_rows, read_events
from skerry.engine.game import Game, Variant
from skerry.engine.game_errors import describe_compile_error, describe_error
from skerry.engine.game_record import read_record
from skerry.engine.i18n.grammar import placeholders
from skerry.engine.kernel import INTERPRETED, kernel_array
from skerry.engine.match import Match
from skerry.engine.messages import Message
from skerry.engine.options import Choice, Number
from skerry.engine.rulebook import has_rulebook, read_rulebook
from skerry.engine.struct import StructBuffer

LIMIT = 2_000  # steps, because a random game may never end
SOUGHT = 4  # steps that are tried where a game seeks the one that writes the most events
CHECKED = 10  # games that are played with checked indices, at least
PLAYED = 20  # games that are played to their end in full, at least
STATE_LIMIT = 1024  # bytes
RULE = re.compile(r"[A-Z]{2}-\d\d")


def variants(game: Game) -> Iterator[Variant]:
    """The defaults with every number of players, and every value of every other option once."""
    for players in game.seats:
        yield game.configure({"players": players})
    for option in game.options:
        if isinstance(option, Choice):
            yield from (game.configure({option.name: value}) for value in option.choices)
        elif isinstance(option, Number) and option.name != "players":
            yield from (game.configure({option.name: n}) for n in range(option.low, option.high + 1))


class Broken(AssertionError):
    """A guarantee that a game does not keep."""

    def __init__(self, what: str, match: Match | None = None) -> None:
        self.what = what
        self.match = match  # at the position that shows it
        super().__init__(what if match is None else f"{what} [{_position(match)}]")


def _position(match: Match) -> str:
    options = ", ".join(f"{name}={value}" for name, value in match.variant.options.items())
    return f"{options}; seed {match.seed}; step {len(match.steps)}"


def _require(kept: object, what: str, match: Match | None = None) -> None:
    if not kept:
        raise Broken(what, match)


def _each_variant(game: Game, games: int) -> Iterator[tuple[int, Variant]]:
    """Every variant once, and again until there are so many games. Each has a number, which is its seed."""
    every = list(variants(game))
    return zip(range(max(games, len(every))), itertools.cycle(every), strict=False)


def random_play(match: Match, rng: random.Random, limit: int = LIMIT) -> Iterator[tuple[int, int]]:
    """Play at random, with interruptions now and then. Yields each seat and action before it is played."""
    for _ in range(limit):
        if match.result is not None:
            return
        check_waiting(match)
        seat = rng.choice(match.waiting)
        others = [s for s in range(match.variant.players) if s != seat and match.legal_ids(s)]
        if others and rng.random() < 0.3:
            seat = rng.choice(others)
        action = rng.choice(match.legal_ids(seat))
        yield seat, action
        if match.result is None:
            match.play(seat, action)


def random_positions(game: Game, games: int, every: int) -> Iterator[tuple[Match, random.Random]]:
    """Positions from random games of all variants: one every ``every`` steps, and fewer later in long games."""
    for number, variant in zip(range(games), itertools.cycle(variants(game)), strict=False):
        rng = random.Random(number)
        match = variant.new(seed=number)
        for step, _ in enumerate(random_play(match, rng)):
            spacing = every * (1 + step // 100)
            if step % spacing == number % spacing:
                yield match, rng


def check_facts(game: Game) -> None:
    """The fact sheet is complete and agrees with the rulebook."""
    size, fields = game.state_size, set(game.state_struct.dtype.names)
    _require(size <= STATE_LIMIT, f"the state has {size} bytes, and at most {STATE_LIMIT} are allowed")
    for name in ("players", "turns"):
        _require(name in fields, f"the state has no field {name}: let it inherit from TurnState, or add the field")
    for component in game.layout:
        _require(component.field in fields, f"the layout shows {component.field}, which the state does not have")
    for verb in game.actions.verbs:
        _require(verb.help, f"the verb {verb.name} has no help")
        _check_placeholders(f"the label of the verb {verb.name}", verb.label, verb.placeholders)
    for event in game.events:
        known = [argument.name for argument in event.arguments]
        _check_placeholders(f"the sentence of the event {event.name}", event.text, known)
        public = [argument.name for argument in event.arguments if not argument.secret]
        _check_placeholders(f"the veiled sentence of the event {event.name}", event.veiled or "", public)
    for option in game.options:
        _require(option.help, f"the option {option.name} has no help")
        _require(option.read(option.default) == option.default, f"the option {option.name} refuses its default")
    if has_rulebook(game):
        _check_rulebook(game)


def _check_placeholders(where: str, text: str, known: Sequence[str]) -> None:
    """A sentence has only the placeholders that it gets a value for."""
    for name in placeholders(text):
        said = ", ".join(known) or "it has none"
        _require(name in known, f"{where} has {{{name}}}, which is no placeholder of it: {said}")


def _check_rulebook(game: Game) -> None:
    books = [read_rulebook(game, language) for language in game.languages]
    for book in books:
        for written in book.unread_ids():
            said = "an id is two capital letters, a hyphen and two digits, and text follows: - **GW-01** …"
            _require(False, f"the rulebook {book.language} has {written}, which is not read as a rule; {said}")
    ids = [rule.id for rule in books[0].rules()]
    _require(ids, "the rulebook has no rules; a rule is an item of a list: - **GW-01** …")
    twice = sorted({rule for rule in ids if ids.count(rule) > 1})
    _require(not twice, f"rules stand twice in the rulebook: {', '.join(twice)}")
    for book in books[1:]:
        same = [rule.id for rule in book.rules()] == ids
        _require(
            same, f"the rulebooks {books[0].language} and {book.language} do not have the same ids in the same order"
        )
    named = {f"the ending {ending.name}": ending.rule for ending in game.endings} | {"options_rule": game.options_rule}
    for where, rule in named.items():
        _require(not rule or rule in ids, f"{where} names the rule {rule}, which the rulebook does not have")


def check_ranges(game: Game) -> None:
    """Kernels keep to the lengths of arrays and to the ranges of numbers: compiled code does not check them, and would
    destroy the memory of the process. So the game is played interpreted, in another process, before anything else."""
    game.rules  # noqa: B018 (kernels that are missing are told before)
    done = _run_interpreted(game, f"from {__name__} import report_ranges; report_ranges(game)")
    _require(not done.returncode, _last_line(done))
    report = json.loads(done.stdout)
    if report["what"]:
        raise Broken(report["what"], _replayed(report["record"], game))


def _replayed(record: str, game: Game) -> Match | None:
    """The match of a record, if the compiled kernels can play it."""
    with contextlib.suppress(Exception):
        return read_record(record, lambda name: game)
    return None


def report_ranges(game: Game) -> None:
    """Play interpreted games, and print the first error of the shortest that has one."""
    what, record, limit = "", "", LIMIT
    for number, variant in _each_variant(game, CHECKED):
        match: Match | None = None
        try:
            match = variant.new(seed=number)
            if fault := _fault_of_names(match):
                what = fault
                break
            for _ in random_play(match, random.Random(number), limit):
                _observe_all(match)
        except (Broken, EventLogOverflow):
            continue  # the check of that promise finds and tells it
        except Exception as error:
            what, record = describe_error(error, game), "" if match is None else match.record()
            limit = 0 if match is None else len(match.steps) - 1
        if limit <= 0:
            break
    print(json.dumps({"what": what, "record": record}))


def _fault_of_names(match: Match) -> str:
    """What is wrong with a game's own names, without which no action can be written."""
    try:
        check_names(match)
    except Broken as broken:
        return broken.what
    return ""


def _observe_all(match: Match) -> None:
    out = np.zeros(match.game.observation_size, np.float32)
    for seat in range(match.variant.players):
        match.game.rules.observe(match.state, seat, kernel_array(out))


def check_kernels(game: Game) -> None:
    """The kernels compile: they allocate nothing and use nothing that compiled code lacks."""
    if INTERPRETED:
        code = f"from {__name__} import check_kernels; check_kernels(game)"
        done = _run_in_other_mode(game, code)
        _require(not done.returncode, _last_line(done))
        return
    variant = next(variants(game))
    state, scores = StructBuffer(game.state_struct), np.zeros(variant.players)
    out = np.zeros(max(game.actions.size + 1, 1), np.int16)
    observation, log = np.zeros(game.observation_size, np.float32), new_event_log(game.max_events)
    calls: dict[str, tuple[Any, ...]] = {
        "setup": (variant.encoded_options.struct, np.uint64(0)),
        "waiting": (),
        "legal": (0, kernel_array(out)),
        "observe": (0, kernel_array(observation)),
        "result": (kernel_array(scores),),
        "determinize": (0, np.uint64(0)),
    }
    for name, arguments in calls.items():
        _compile(name, lambda name=name, arguments=arguments: getattr(game.rules, name)(state.struct, *arguments))  # type: ignore[misc]
    seats = [seat for seat in range(variant.players) if _legal(game, state.struct, seat)]
    if seats:
        action = _legal(game, state.struct, seats[0])[0]
        _compile("step", lambda: game.rules.step(state.struct, seats[0], action, kernel_array(log)))


def _compile(name: str, call: Callable[[], object]) -> None:
    """Call a kernel for the first time."""
    try:
        call()
    except Exception as error:
        raise Broken(describe_compile_error(error, name)) from error


def check_play(game: Game) -> None:
    """Random play keeps the contracts of ``legal``, ``waiting``, ``step`` and ``result``, and only verbs that are
    declared to reveal something do so."""
    for number, variant in _each_variant(game, PLAYED):
        match = variant.new(seed=number)
        for seat, action in random_play(match, random.Random(number)):
            check_legal(match)
            check_step(match, seat, action)
        if match.result is not None:
            check_waiting(match)


def check_waiting(match: Match) -> None:
    """A game that runs waits for seats that can act; one that is over waits for nobody."""
    if match.result is None:
        _require(match.waiting, "the game has no result, but waits for nobody", match)
        for seat in match.waiting:
            _require(match.legal_ids(seat), f"the game waits for seat {seat}, which has no legal action", match)
        return
    _require(not match.waiting, f"the game has a result, but waits for seats {match.waiting}", match)
    for seat in range(match.variant.players):
        _require(not match.legal_ids(seat), f"the game has a result, but seat {seat} has legal actions", match)


def check_legal(match: Match) -> None:
    """Legal actions are listed in ascending order, and asking for them changes nothing."""
    before = match.content
    for player in range(match.variant.players):
        ids = match.legal_ids(player)
        _require(
            ids == sorted(set(ids)), f"the legal actions of seat {player} are not in ascending order: {ids}", match
        )
        outside = [action for action in ids if not 0 <= action < match.game.actions.size]
        _require(not outside, f"seat {player} has actions that do not exist: {outside}", match)
    _require(match.content == before, "legal changes the state", match)


def check_step(match: Match, seat: int, action: int) -> None:
    """A step on a copy is deterministic, does not depend on the log, fits into it, and reveals only if declared."""
    before, text, rules = match.content, match.action(action).text, match.game.rules
    outcomes = []
    for _ in range(2):
        copy, log = StructBuffer(match.game.state_struct, before), new_event_log(match.game.max_events)
        sealed = bool(rules.step(copy.struct, seat, action, kernel_array(log)))
        written = int(log[0, WRITTEN]) + int(log[0, MISSED])
        _require(not log[0, MISSED], _too_many(text, written, match.game), match)
        outcomes.append((sealed, copy.content, log.tobytes()))
    _require(match.content == before, f"{text!r} on a copy of the state changes the original", match)
    same = outcomes[0] == outcomes[1]
    _require(same, f"{text!r} does not always do the same: chance must come from the seed of the state", match)
    without_log = StructBuffer(match.game.state_struct, before)
    rules.step(without_log.struct, seat, action, kernel_array(new_event_log(0)))
    _require(without_log.content == outcomes[0][1], f"{text!r} does something else when events are not recorded", match)
    declared = match.game.actions.decode(action)[0].reveals
    undeclared = outcomes[0][0] and not declared
    _require(
        not undeclared, f"{text!r} reveals something hidden or uses chance, but its verb lacks reveals=True", match
    )


def _too_many(text: str, written: int, game: Game) -> str:
    return f"{text!r} writes {written} events, but max_events is {game.max_events}"


def check_event_log(game: Game) -> None:
    """No step writes more events than the fact sheet says, also in games that seek the longest steps."""
    for number, variant in zip(range(10), itertools.cycle(variants(game)), strict=False):
        most = most_events(variant, seed=number, greed=number % 5 / 4, limit=200)
        said = f"a step writes {most} events, and max_events is {game.max_events} ({variant.options}, seed {number})"
        _require(most <= game.max_events, said)


def most_events(variant: Variant, seed: int, greed: float, limit: int = LIMIT) -> int:
    """The most events that a step wrote in a random game.

    ``greed`` is the share of the steps that seek events: several actions are tried, all but the first in another world
    that agrees with what everybody knows, and the game goes on where most was written. Luck is enough to get there.
    """
    game, rng, most = variant.game, random.Random(seed), 0
    state, world, log = StructBuffer(game.state_struct), StructBuffer(game.state_struct), new_event_log(game.max_events)
    game.rules.setup(state.struct, variant.encoded_options.struct, np.uint64(seed))
    for _ in range(limit):
        longest, after = -1, b""
        for trial in range(SOUGHT if rng.random() < greed else 1):
            world.content = state.content
            if trial:
                game.rules.determinize(world.struct, -1, np.uint64(rng.getrandbits(64)))
            choices = [(seat, a) for seat in range(variant.players) for a in _legal(game, world.struct, seat)]
            if not choices:
                return most
            log[0] = 0
            game.rules.step(world.struct, *rng.choice(choices), kernel_array(log))
            written = int(log[0, WRITTEN]) + int(log[0, MISSED])
            if written > longest:
                longest, after = written, world.content
        most, state.content = max(most, longest), after
    return most


def check_notation(game: Game) -> None:
    """Texts of legal actions are unique and parse back, in upper or lower case. Events render as text and JSON, and
    each of their values is always of the same type."""
    types: dict[tuple[str, str], set[type]] = {}
    for match, _ in random_positions(game, games=12, every=3):
        check_texts(match)
        for seat_or_none in (*range(match.variant.players), None):
            for event in itertools.chain(*match.events(seat_or_none, since=len(match.steps) - 1)):
                _check_event(event, match)
                for name, value in event.values.items():
                    if value is not None:  # what the reader may not know
                        types.setdefault((event.name, name), set()).add(type(value))
    mixed = {key: found for key, found in types.items() if len(found) > 1}
    _require(not mixed, f"values of events are of several types: {mixed}")


def check_names(match: Match) -> None:
    """A game's own names are names, and of every kind of entity that actions, events, seats and the layout need."""
    names = match.names
    for kind in sorted(named_kinds(match.game)):
        said = f"ui.names has no names of the kind {kind}: it takes the place of all names of the fact sheet"
        _require(kind in names, said, match)
    for kind, named in names.items():
        for name in named:
            said = f"ui.names has {name!r} among the {kind} names; it has to be tk.Name(slug, tk.say(title))"
            _require(isinstance(getattr(name, "title", None), Message), said, match)


def check_prompts(match: Match) -> None:
    """What each seat and a spectator are told that the game waits for is a message."""
    for seat in (*range(match.variant.players), None):
        said = match.game.ui.prompt(match.state, seat)
        _require(isinstance(said, Message), f"ui.prompt returns {said!r}; it has to be tk.say(…) or None", match)
        _require("{" not in str(said), f"a placeholder of the prompt has no argument: {said}", match)


def check_texts(match: Match) -> None:
    """The text of each legal action stands for that action and for no other, and what the game says is a message."""
    check_prompts(match)
    for seat in range(match.variant.players):
        texts: dict[str, int] = {}
        for action in match.legal(seat):
            other = texts.setdefault(action.text, action.id)
            _require(other == action.id, f"two actions are written {action.text!r}: {other} and {action.id}", match)
            for typed in (action.text, f" {action.text.upper()} "):
                _check_reading(match, typed, action.id)


def _check_reading(match: Match, typed: str, action: int) -> None:
    try:
        read = match.action(typed).id
    except Refusal as refusal:
        raise Broken(f"the action {action} is written {typed!r}, which cannot be read: {refusal}", match) from None
    _require(read == action, f"the action {action} is written {typed!r}, which is read as action {read}", match)


def _check_event(event: Event, match: Match) -> None:
    _require("{" not in str(event), f"a placeholder of the event {event.name} has no argument: {event}", match)
    _require(json.dumps(event.as_dict()), f"the event {event.name} is not JSON", match)


def check_records(game: Game) -> None:
    """A game record replays to the same bytes, and a state is the same after saving and loading."""
    for number, variant in enumerate(variants(game)):
        match = variant.new(seed=number, seats=["Ana", "Rui"][: variant.players])
        for _ in random_play(match, random.Random(number), limit=200):
            pass
        check_replay(match)


def check_replay(match: Match) -> None:
    """A match and its record come to the same state."""
    text = match.record()
    again = match.variant.new(seed=match.seed)
    _require(not match.steps or again.content == match.steps[0].before, "setup does not always do the same", match)
    try:
        again = read_record(text, lambda name: match.game)
    except Refusal as refusal:
        raise Broken(f"the record of a match does not replay: {refusal}", match) from None
    _require(again.content == match.content and again.record() == text, "a record replays to another state", match)
    loaded = StructBuffer(match.game.state_struct, match.content).content
    _require(loaded == match.content, "a state is another after saving and loading", match)


def check_undo(game: Game) -> None:
    """A step can be undone by its seat if it is not sealed, and only then."""
    for match, _ in random_positions(game, games=20, every=1):
        check_last_step(match)


def check_last_step(match: Match) -> None:
    """The last step of a match can be undone by its seat if it is not sealed, and only then."""
    if not match.steps or match.result is not None:
        return
    last, after = match.steps[-1], match.content
    for other in set(range(match.variant.players)) - {last.seat}:
        refusal = _refusal_of(NoUndo, lambda: match.undo(other), f"seat {other} undoes a step of another", match)  # noqa: B023
        secret = last.action.text not in str(refusal)
        _require(secret, f"the refusal of undo tells another's action, which may be secret: {refusal}", match)
    if last.sealed:
        _refusal_of(NoUndo, lambda: match.undo(last.seat), f"{last.action.text!r} is sealed and can be undone", match)
        return
    match.undo(last.seat)
    _require(match.content == last.before, f"{last.action.text!r} is not undone in full", match)
    match.play(last.seat, last.action)
    _require(match.content == after, f"{last.action.text!r} does something else after it was undone", match)


def check_secrecy(game: Game) -> None:
    """When everything that a seat cannot know is resampled, all that the seat sees stays the same: its view, legal
    actions, prompt, reasons and events, and every sample drawn later. So a bot that gets samples cannot see the truth.
    """
    for match, rng in random_positions(game, games=40, every=5):
        check_hidden(match, rng)


def check_hidden(match: Match, rng: random.Random) -> None:
    """What each seat and a spectator see does not depend on what they cannot know."""
    game = match.game
    for seat in (*range(match.variant.players), None):
        reader = "a spectator" if seat is None else f"seat {seat}"
        world = _determinized(game, match.content, seat, rng.getrandbits(64))
        renewed = not hasattr(match.state, "rng") or world.struct.rng != match.state.rng
        said = f"determinize for {reader} keeps the field rng, so that a bot knows what chance will bring"
        _require(renewed, said, match)
        truth, sampled = _knowledge(match, match.state, seat), _knowledge(match, world.struct, seat)
        told = [what for what in truth if truth[what] != sampled.get(what)]
        said = f"{reader} sees what it cannot know, or determinize changes what it can: {', '.join(told)}"
        _require(not told, said, match)
        seed = rng.getrandbits(64)
        samples = [_determinized(game, content, seat, seed).content for content in (match.content, world.content)]
        said = f"what determinize draws for {reader} depends on hidden information: {_fields(game, *samples)}"
        _require(samples[0] == samples[1], said, match)


def check_telling(game: Game) -> None:
    """Events tell a seat nothing that its view hides: what others draw in secret is not told to all."""
    for match, rng in random_positions(game, games=20, every=5):
        check_told(match, rng)


def check_told(match: Match, rng: random.Random) -> None:
    """Steps that look the same to a reader before and afterwards are told to it in the same words."""
    game = match.game
    for reader in (*range(match.variant.players), None):
        world = _determinized(game, match.content, reader, rng.getrandbits(64))
        for seat in range(match.variant.players):
            common = sorted(set(_legal(game, match.state, seat)) & set(_legal(game, world.struct, seat)))
            for action in [] if seat == reader else rng.sample(common, min(len(common), 3)):
                _check_same_story(match, world, reader, seat, action)


def _check_same_story(match: Match, world: StructBuffer[Any], reader: int | None, seat: int, action: int) -> None:
    game = match.game
    stories = [_told_to(match, content, reader, seat, action) for content in (match.content, world.content)]
    (told, after), (told_there, after_there) = stories
    if told == told_there or _known_after(game, after, reader) != _known_after(game, after_there, reader):
        return
    who = "a spectator" if reader is None else f"seat {reader}"
    text = match.action(action).text
    raise Broken(
        f"{text!r} of seat {seat} tells {who} what its view hides and determinize takes for unknown: {told}; "
        "tell it with emit_secret, or show it in the view",
        match,
    )


def _told_to(match: Match, content: bytes, reader: int | None, seat: int, action: int) -> tuple[str, bytes]:
    """What a step tells a reader, and the state after it."""
    game = match.game
    state, log = StructBuffer(game.state_struct, content), new_event_log(game.max_events)
    game.rules.step(state.struct, seat, action, kernel_array(log))
    events = read_events(game.events, logged_rows(log, game.name), match.names, reader)
    return " ".join(map(str, events)), state.content


def _known_after(game: Game, content: bytes, reader: int | None) -> tuple[str, bytes]:
    """What a reader sees of a state, and what a bot at its place is given to think with."""
    state = StructBuffer(game.state_struct, content).struct
    return json.dumps(game.ui.view(state, reader)), _determinized(game, content, reader, 1).content


def _fields(game: Game, *contents: bytes) -> str:
    """The fields in which two states differ."""
    first, second = (StructBuffer(game.state_struct, content).array[0] for content in contents)
    return ", ".join(name for name in first.dtype.names if not np.array_equal(first[name], second[name]))


def _determinized(game: Game, content: bytes, seat: int | None, seed: int) -> StructBuffer[Any]:
    world = StructBuffer(game.state_struct, content)
    game.rules.determinize(world.struct, -1 if seat is None else seat, np.uint64(seed))
    return world


def _knowledge(match: Match, state: Any, seat: int | None) -> dict[str, Any]:
    """All that a seat can learn from a state without a sealed step, by what tells it."""
    game, ui, rules = match.game, match.game.ui, match.game.rules
    view = json.loads(json.dumps(ui.view(state, seat)))
    known = {f"{name} in the view": value for name, value in view.items()}
    known |= {"the prompt": str(ui.prompt(state, seat)), "waiting": str(rules.waiting(state))}
    if seat is None:
        return known
    ids = _legal(game, state, seat)
    known["its legal actions"] = ids
    same_choice = random.Random(len(match.steps))
    for action in same_choice.sample(range(game.actions.size), min(40, game.actions.size)):
        if action not in ids:
            known[f"why {match.action(action).text!r} is refused"] = str(ui.explain(state, seat, action))
    for action in ids if len(ids) < 12 else same_choice.sample(ids, 12):
        known[f"what {match.action(action).text!r} does"] = _visible_step(match, state, seat, action)
    return known


def _visible_step(match: Match, state: Any, seat: int, action: int) -> str:
    """What a seat sees after a step, or "sealed" if the step reveals something hidden."""
    game = match.game
    world, log = StructBuffer(game.state_struct, bytes(state.data)), new_event_log(game.max_events)
    if game.rules.step(world.struct, seat, action, kernel_array(log)):
        return "sealed"
    text = match.action(action).text
    honest = not hasattr(state, "rng") or world.struct.rng == state.rng
    _require(honest, f"{text!r} uses chance, but step does not return True", match)
    rows = logged_rows(log, game.name)
    events = [event.as_dict() for event in read_events(game.events, rows, match.names, seat)]
    return json.dumps([events, game.ui.view(world.struct, seat)])


def _legal(game: Game, state: Any, seat: int) -> list[int]:
    """The ids of a seat's legal actions in a state."""
    out = np.zeros(game.actions.size + 1, np.int16)
    return [int(i) for i in out[: game.rules.legal(state, seat, kernel_array(out))]]


def check_timing(game: Game) -> None:
    """Everybody knows whether an automatic step comes next, and who could act before it. Where people play, they get
    time for that, and a game that goes on at once tells that nobody could."""
    for match, rng in random_positions(game, games=40, every=3):
        check_due_step(match, rng)


def check_due_step(match: Match, rng: random.Random) -> None:
    """An automatic step that is due is due in all positions that a reader cannot tell apart, for the same seats."""
    game, due = match.game, match.due_step()
    if due is None or not game.actions.is_automatic(due.action.id):
        return
    for reader in (*range(match.variant.players), None):
        there = match.copy()
        there.replace_content(_determinized(game, match.content, reader, rng.getrandbits(64)).content)
        other = there.due_step()
        known = other is not None and (other.seat, other.free) == (due.seat, due.free)
        who = "a spectator" if reader is None else f"seat {reader}"
        said = (
            f"{due.action.text!r} goes by itself where {who} cannot know who could do something else: "
            "its verb must not be automatic"
        )
        _require(known, said, match)


def check_worlds(game: Game) -> None:
    """A determinized state can be played to its end."""
    for match, rng in random_positions(game, games=12, every=7):
        check_world(match, rng)


def check_world(match: Match, rng: random.Random) -> None:
    """A determinization of a position can be played to its end."""
    seat = rng.randrange(match.variant.players)
    world = match.variant.new(seed=0)
    world._state.content = match.content
    match.game.rules.determinize(world.state, seat, np.uint64(rng.getrandbits(64)))
    world.__dict__.pop("names", None)
    try:
        for _ in random_play(world, random.Random(1)):
            pass
    except Broken as broken:
        raise Broken(f"a determinization for seat {seat} cannot be played: {broken.what}", match) from None


def check_refusals(game: Game) -> None:
    """Every action that is not legal is refused with a sentence and a rule of the rulebook, and changes nothing."""
    for match, rng in random_positions(game, games=20, every=6):
        check_illegal(match, rng)


def check_illegal(match: Match, rng: random.Random) -> None:
    """What is not legal in a position is refused."""
    game, before = match.game, match.content
    ids: set[str | None] = {rule.id for rule in read_rulebook(game, "en").rules()}
    ids = ids or {None, ""}  # without a rulebook no rule is named
    for seat in range(match.variant.players):
        legal = set(match.legal_ids(seat))
        for action in rng.sample(range(game.actions.size), min(60, game.actions.size)):
            if action not in legal:
                what = f"the illegal action {match.action(action).text!r} of seat {seat}"
                refusal = _refusal_of(Illegal, lambda: match.play(seat, action), f"{what} is played", match)  # noqa: B023
                _require(refusal.rule in ids, f"{what} is refused by a rule that does not exist: {refusal}", match)
                _require("{" not in str(refusal), f"the refusal of {what} lacks an argument: {refusal}", match)
    _require(match.content == before, "a refused action changes the state", match)


def check_observation(game: Game) -> None:
    """``observe`` writes exactly ``observation_size`` numbers, all of them finite."""
    for match, _ in random_positions(game, games=12, every=4):
        check_observed(match)


def check_observed(match: Match) -> None:
    """The observations of a position have the declared size, and all their numbers are finite."""
    size = match.game.observation_size
    for seat in range(match.variant.players):
        out = np.full(size + 8, np.nan, np.float32)
        match.game.rules.observe(match.state, seat, kernel_array(out[:size]))
        wrong = [index for index in range(size) if not np.isfinite(out[index])]
        places = ", ".join(f"{index} ({_block_of(match.game, index)})" for index in wrong[:5])
        _require(not wrong, f"observe of seat {seat} writes no finite number at {places}", match)
        beyond = np.isnan(out[size:]).all()
        _require(beyond, f"observe of seat {seat} writes more than the {size} numbers of the observation", match)


def _block_of(game: Game, index: int) -> str:
    """The block of the observation that a number belongs to."""
    return next(
        block.name for block in reversed(list(game.observation)) if game.observation.offset(block.name) <= index
    )


def digest_random_games(game: Game, games: int) -> str:
    """One hash of the states and events of whole random games, in every variant."""
    total = hashlib.sha256()
    for number, variant in zip(range(games), itertools.cycle(variants(game)), strict=False):
        state, log = StructBuffer(game.state_struct), new_event_log(game.max_events)
        game.rules.setup(state.struct, variant.encoded_options.struct, np.uint64(number))
        rng = random.Random(number)
        for _ in range(LIMIT):
            choices = [(s, a) for s in range(variant.players) for a in _legal(game, state.struct, s)]
            if not choices:
                break
            log[0] = 0
            game.rules.step(state.struct, *rng.choice(choices), kernel_array(log))
            total.update(state.content + log[: log[0, WRITTEN] + 1].tobytes())
    return total.hexdigest()


def count_sequences(variant: Variant, seed: int, depth: int) -> int:
    """The number of sequences of ``depth`` steps from the start, by any seats (perft, in chess)."""
    game, start = variant.game, StructBuffer(variant.game.state_struct)
    game.rules.setup(start.struct, variant.encoded_options.struct, np.uint64(seed))
    no_log = kernel_array(new_event_log(0))

    def count(content: bytes, depth: int) -> int:
        state = StructBuffer(game.state_struct, content)
        choices = [(seat, action) for seat in range(variant.players) for action in _legal(game, state.struct, seat)]
        if depth == 1:
            return len(choices)
        total = 0
        for seat, action in choices:
            state.content = content
            game.rules.step(state.struct, seat, action, no_log)
            total += count(state.content, depth - 1)
        return total

    return count(start.content, depth)


def check_interpreted(game: Game) -> None:
    """Interpreted and compiled kernels play 200 whole games to the same bytes."""
    here = digest_random_games(game, 200)
    code = f"from {__name__} import digest_random_games as digest; print(digest(game, 200))"
    other = _run_in_other_mode(game, code)
    said = _last_line(other)
    there = "compiled" if INTERPRETED else "interpreted"
    _require(not other.returncode, f"the {there} kernels cannot play: {said}")
    _require(other.stdout.strip() == here, "compiled and interpreted kernels play different games")


def _run_in_other_mode(game: Game, code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process with interpreted kernels if they are compiled here, and the other way round."""
    return _run_with_game(game, code, interpreted=not INTERPRETED)


def _run_interpreted(game: Game, code: str) -> subprocess.CompletedProcess[str]:
    return _run_with_game(game, code, interpreted=True)


def _run_with_game(game: Game, code: str, *, interpreted: bool) -> subprocess.CompletedProcess[str]:
    found = f"from {game.package} import GAME as game"
    environment = {**os.environ, "SKERRY_INTERPRET": "1" if interpreted else "0"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-c", f"{found}; {code}"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def _last_line(process: subprocess.CompletedProcess[str]) -> str:
    return (process.stderr.strip().splitlines() or ["the process ended"])[-1]


def _refusal_of(kind: type[Refusal], call: Callable[[], object], otherwise: str, match: Match) -> Refusal:
    """The refusal that a call raises. Without one the match is broken."""
    try:
        call()
    except kind as refusal:
        return refusal
    raise Broken(otherwise, match)


CHECKS: tuple[Callable[[Game], None], ...] = (
    check_facts,
    check_ranges,
    check_kernels,
    check_play,
    check_event_log,
    check_notation,
    check_records,
    check_undo,
    check_secrecy,
    check_telling,
    check_timing,
    check_worlds,
    check_refusals,
    check_observation,
    check_interpreted,
)


def _try_steps(match: Match, rng: random.Random) -> None:
    check_waiting(match)
    if match.result is None:
        check_legal(match)
        for seat in range(match.variant.players):
            for action in match.legal_ids(seat):
                check_step(match, seat, action)


# What each check that plays does in one position, to search for the shortest game that is broken.
IN_A_POSITION: dict[str, Callable[[Match, random.Random], None]] = {
    "check_play": _try_steps,
    "check_event_log": _try_steps,
    "check_notation": lambda match, rng: check_texts(match),
    "check_records": lambda match, rng: check_replay(match),
    "check_undo": lambda match, rng: check_last_step(match),
    "check_secrecy": check_hidden,
    "check_telling": check_told,
    "check_timing": check_due_step,
    "check_worlds": check_world,
    "check_refusals": check_illegal,
    "check_observation": lambda match, rng: check_observed(match),
}
