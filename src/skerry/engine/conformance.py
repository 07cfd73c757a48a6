"""The conformance suite: what every game must guarantee, checked by playing it.

    for check in conformance.CHECKS:
        check(game)

A check raises AssertionError with the options, seed and step at which a guarantee was broken. The tests run the suite
over all registered games.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from skerry.engine.errors import Illegal, NoUndo, Refusal
from skerry.engine.event_log import LOG_ROWS, new_event_log
from skerry.engine.events import read_events
from skerry.engine.game import Game, Variant
from skerry.engine.game_record import read_record
from skerry.engine.i18n.translations import LANGUAGES
from skerry.engine.kernel import INTERPRETED, kernel_array
from skerry.engine.match import Match
from skerry.engine.options import Choice, Number
from skerry.engine.rulebook import read_rulebook
from skerry.engine.struct import StructBuffer

LIMIT = 2_000  # steps, because a random game may never end
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


def random_play(match: Match, chance: random.Random, limit: int = LIMIT) -> Iterator[tuple[int, int]]:
    """Play at random, with interruptions now and then. Yields each seat and action before it is played."""
    for _ in range(limit):
        if match.result is not None:
            return
        seat = chance.choice(match.waiting)
        others = [s for s in range(match.variant.players) if s != seat and match.legal_ids(s)]
        if others and chance.random() < 0.3:
            seat = chance.choice(others)
        action = chance.choice(match.legal_ids(seat))
        yield seat, action
        if match.result is None:
            match.play(seat, action)


def random_positions(game: Game, games: int, every: int) -> Iterator[tuple[Match, random.Random]]:
    """Positions from random games of all variants: one every so many steps, and fewer later in long games."""
    for number, variant in zip(range(games), itertools.cycle(variants(game)), strict=False):
        chance = random.Random(number)
        match = variant.new(seed=number)
        for step, _ in enumerate(random_play(match, chance)):
            spacing = every * (1 + step // 100)
            if step % spacing == number % spacing:
                yield match, chance


def check_facts(game: Game) -> None:
    """The fact sheet is complete and agrees with the rulebook."""
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", game.name)
    assert game.state_size <= STATE_LIMIT
    assert {"rng", "turns"} <= set(game.state_struct.dtype.names)
    assert all(verb.help for verb in game.actions.verbs)
    assert all(option.help and option.read(option.default) == option.default for option in game.options)
    books = [read_rulebook(game.package, language) for language in LANGUAGES]
    ids = [rule.id for rule in books[0].rules()]
    assert len(ids) == len(set(ids)) > 0
    for book in books[1:]:
        assert [rule.id for rule in book.rules()] == ids
    assert {ending.rule for ending in game.endings} | {game.options_rule} <= set(ids)


def check_play(game: Game) -> None:
    """Random play keeps the contracts of ``legal``, ``waiting``, ``step`` and ``result``, and only verbs that are
    declared to reveal something do so."""
    revealing_verbs: set[str] = set()
    for number, variant in enumerate(variants(game)):
        match = variant.new(seed=number)
        for seat, action in random_play(match, random.Random(number)):
            where = f"{variant.options} seed {number} step {len(match.steps)}"
            assert match.waiting, where
            for player in range(variant.players):
                ids = match.legal_ids(player)
                assert ids == sorted(set(ids)) and all(0 <= i < game.actions.size for i in ids), where
                assert ids or player not in match.waiting, where
            if _check_copy(match, seat, action, where):
                revealing_verbs.add(match.action(action).verb)
        if match.result is not None:
            assert match.waiting == ()
            assert not any(match.legal_ids(player) for player in range(variant.players))
            assert set(match.result.winners) <= set(range(variant.players))
    declared = {verb.name for verb in game.actions.verbs if verb.reveals}
    assert revealing_verbs <= declared, f"not declared: {revealing_verbs - declared}"


def _check_copy(match: Match, seat: int, action: int, where: str) -> bool:
    """A step on a copy does not change the original, is deterministic, and fits into the log. True if it is sealed."""
    before = match.content
    outcomes = []
    for _ in range(2):
        copy, log = StructBuffer(match.game.state_struct, before), new_event_log()
        sealed = bool(match.game.rules.step(copy.struct, seat, action, kernel_array(log)))
        assert log[0, 0] < LOG_ROWS, where
        outcomes.append((sealed, copy.content, log.tobytes()))
    assert match.content == before and outcomes[0] == outcomes[1], where
    without_log = StructBuffer(match.game.state_struct, before)
    match.game.rules.step(without_log.struct, seat, action, kernel_array(new_event_log(0)))
    assert without_log.content == outcomes[0][1], where
    return outcomes[0][0]


def check_notation(game: Game) -> None:
    """Texts of legal actions are unique and parse back, in upper or lower case; events render as text and JSON."""
    for match, _ in random_positions(game, games=12, every=3):
        for seat in range(match.variant.players):
            actions = match.legal(seat)
            assert len({action.text for action in actions}) == len(actions)
            for action in actions:
                assert match.action(action.text) == match.action(f" {action.text.upper()} ") == action
        for seat_or_none in (*range(match.variant.players), None):
            for event in itertools.chain(*match.events(seat_or_none, since=len(match.steps) - 1)):
                assert "{" not in str(event) and json.dumps(event.as_dict())


def check_records(game: Game) -> None:
    """A game record replays to the same bytes, and a state is the same after saving and loading."""
    for number, variant in enumerate(variants(game)):
        match = variant.new(seed=number, seats=["Ana", "Rui"][: variant.players])
        for _ in random_play(match, random.Random(number), limit=200):
            pass
        again = read_record(match.record(), lambda name: game)
        assert again.content == match.content and again.record() == match.record()
        assert StructBuffer(game.state_struct, match.content).content == match.content


def check_undo(game: Game) -> None:
    """A step can be undone by its seat if it is not sealed, and only then."""
    for match, _ in random_positions(game, games=20, every=1):
        if not match.steps:
            continue
        last, after = match.steps[-1], match.content
        for other in set(range(match.variant.players)) - {last.seat}:
            refusal = _refusal_of(NoUndo, lambda m=match, s=other: m.undo(s))  # type: ignore[misc]
            assert last.action.text not in str(refusal), "the action may be secret"
        if last.sealed:
            _refusal_of(NoUndo, lambda m=match, s=last.seat: m.undo(s))  # type: ignore[misc]
        else:
            match.undo(last.seat)
            assert match.content == last.before
            match.play(last.seat, last.action)
        assert match.content == after


def check_secrecy(game: Game) -> None:
    """When everything that a seat cannot know is resampled, all that the seat sees stays the same: its view, legal
    actions, prompt, reasons and events, and every sample drawn later. So a bot that gets samples cannot see the truth.
    """
    for match, chance in random_positions(game, games=40, every=5):
        for seat in (*range(match.variant.players), None):
            world = _determinized(game, match.content, seat, chance.getrandbits(64))
            where = f"{match.variant.options} seed {match.seed} step {len(match.steps)} seat {seat}"
            assert _knowledge(match, world.struct, seat, chance) == _knowledge(match, match.state, seat, chance), where
            seed = chance.getrandbits(64)
            samples = [_determinized(game, content, seat, seed).content for content in (match.content, world.content)]
            assert samples[0] == samples[1], f"a sample depends on hidden information: {where}"


def _determinized(game: Game, content: bytes, seat: int | None, seed: int) -> StructBuffer[Any]:
    world = StructBuffer(game.state_struct, content)
    game.rules.determinize(world.struct, -1 if seat is None else seat, np.uint64(seed))
    return world


def _knowledge(match: Match, state: Any, seat: int | None, chance: random.Random) -> Any:
    """All that a seat can learn from a state without a sealed step."""
    game, ui, rules = match.game, match.game.ui, match.game.rules
    known = [json.dumps(ui.view(state, seat)), str(ui.prompt(state, seat)), str(rules.waiting(state))]
    if seat is None:
        return known
    ids = _legal(game, state, seat)
    same_choice = random.Random(len(match.steps))
    refused = [action for action in same_choice.sample(range(game.actions.size), 40) if action not in ids]
    known += [str(ui.explain(state, seat, action)) for action in refused]
    tried = ids if len(ids) < 12 else same_choice.sample(ids, 12)
    known += [_visible_step(match, state, seat, action) for action in tried]
    return [*known, ids]


def _visible_step(match: Match, state: Any, seat: int, action: int) -> str:
    """What a seat sees after a step, or "sealed" if the step reveals something hidden."""
    game = match.game
    world, log = StructBuffer(game.state_struct, bytes(state.data)), new_event_log()
    if game.rules.step(world.struct, seat, action, kernel_array(log)):
        return "sealed"
    assert world.struct.rng == state.rng, f"{match.action(action)} uses chance but does not say so"
    rows = log[1 : log[0, 0] + 1].tolist()
    events = [event.as_dict() for event in read_events(game.events, rows, match.names, seat)]
    return json.dumps([events, game.ui.view(world.struct, seat)])


def _legal(game: Game, state: Any, seat: int) -> list[int]:
    """The ids of a seat's legal actions in a state."""
    out = np.zeros(game.actions.size + 1, np.int16)
    return [int(i) for i in out[: game.rules.legal(state, seat, kernel_array(out))]]


def check_worlds(game: Game) -> None:
    """A determinized state can be played to its end."""
    for match, chance in random_positions(game, games=12, every=7):
        seat = chance.randrange(match.variant.players)
        world = match.variant.new(seed=0)
        world._state.content = match.content
        game.rules.determinize(world.state, seat, np.uint64(chance.getrandbits(64)))
        world.__dict__.pop("names", None)
        for _ in random_play(world, random.Random(1)):
            pass


def check_refusals(game: Game) -> None:
    """Every action that is not legal is refused with a sentence and a rule of the rulebook, and changes nothing."""
    ids = {rule.id for rule in read_rulebook(game.package, "en").rules()}
    for match, chance in random_positions(game, games=20, every=6):
        before = match.content
        for seat in range(match.variant.players):
            legal = set(match.legal_ids(seat))
            for action in chance.sample(range(game.actions.size), min(60, game.actions.size)):
                if action not in legal:
                    refusal = _refusal_of(Illegal, lambda m=match, s=seat, a=action: m.play(s, a))  # type: ignore[misc]
                    assert refusal.rule in ids and "{" not in str(refusal), str(refusal)
        assert match.content == before


def check_observation(game: Game) -> None:
    """``observe`` writes exactly ``observation_size`` numbers, all of them finite."""
    size = game.observation_size
    for match, _ in random_positions(game, games=12, every=4):
        for seat in range(match.variant.players):
            out = np.full(size + 8, np.nan, np.float32)
            game.rules.observe(match.state, seat, kernel_array(out[:size]))
            assert np.isfinite(out[:size]).all() and np.isnan(out[size:]).all()


def digest_random_games(game: Game, games: int) -> str:
    """One hash of the states and events of whole random games, in every variant."""
    total = hashlib.sha256()
    for number, variant in zip(range(games), itertools.cycle(variants(game)), strict=False):
        state, log = StructBuffer(game.state_struct), new_event_log()
        game.rules.setup(state.struct, variant.encoded_options.struct, np.uint64(number))
        chance = random.Random(number)
        for _ in range(LIMIT):
            choices = [(s, a) for s in range(variant.players) for a in _legal(game, state.struct, s)]
            if not choices:
                break
            log[0, 0] = 0
            game.rules.step(state.struct, *chance.choice(choices), kernel_array(log))
            total.update(state.content + log[: log[0, 0] + 1].tobytes())
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
    code = (
        f"from {game.package} import GAME; "
        f"from {__name__} import digest_random_games as digest; print(digest(GAME, 200))"
    )
    environment = {**os.environ, "SKERRY_INTERPRET": "0" if INTERPRETED else "1"}
    other = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == here


def _refusal_of(kind: type[Refusal], call: Callable[[], object]) -> Refusal:
    """The refusal that a call raises."""
    try:
        call()
    except kind as refusal:
        return refusal
    raise AssertionError(f"{kind.__name__} was not raised")


CHECKS: tuple[Callable[[Game], None], ...] = (
    check_facts,
    check_play,
    check_notation,
    check_records,
    check_undo,
    check_secrecy,
    check_worlds,
    check_refusals,
    check_observation,
    check_interpreted,
)
