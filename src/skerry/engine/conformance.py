"""What every game must keep, checked by playing it. Run over the whole registry by the tests.

    for check in conformance.CHECKS:
        check(game)

A check raises AssertionError with the options, seed and step at which the promise was broken.
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

LIMIT = 2_000  # steps; a random game may go on for ever
STATE_LIMIT = 1024
RULE = re.compile(r"[A-Z]{2}-\d\d")


def variants(game: Game) -> Iterator[Variant]:
    """The defaults at every player count, and every choice of every option once."""
    for players in game.seats:
        yield game.configure({"players": players})
    for option in game.options:
        if isinstance(option, Choice):
            yield from (game.configure({option.name: value}) for value in option.choices)
        elif isinstance(option, Number) and option.name != "players":
            yield from (game.configure({option.name: n}) for n in range(option.low, option.high + 1))


def random_play(match: Match, chance: random.Random, limit: int = LIMIT) -> Iterator[tuple[int, int]]:
    """Random play in which any seat that may, interrupts: yields each choice before it is played."""
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
    """Positions from random games over all variants: every so many steps, and more rarely the longer a game gets."""
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
    """Random play ends, or reaches the limit, and keeps the promises of ``legal``, ``waiting`` and ``result``; and of
    the verbs: only those show something hidden that say they do."""
    revealing: set[str] = set()
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
                revealing.add(match.action(action).verb)
        if match.result is not None:
            assert match.waiting == ()
            assert not any(match.legal_ids(player) for player in range(variant.players))
            assert set(match.result.winners) <= set(range(variant.players))
    assert revealing <= {verb.name for verb in game.actions.verbs if verb.reveals}, f"not declared: {revealing}"


def _check_copy(match: Match, seat: int, action: int, where: str) -> bool:
    """A step on a copy leaves the original, does the same twice, and writes no more than the log holds. Whether it
    brings something hidden to light."""
    before = match.content
    outcomes = []
    for _ in range(2):
        copy, log = StructBuffer(match.game.state_struct, before), new_event_log()
        sealed = bool(match.game.rules.step(copy.struct, seat, action, kernel_array(log)))
        assert log[0, 0] < LOG_ROWS, where
        outcomes.append((sealed, copy.content, log.tobytes()))
    assert match.content == before and outcomes[0] == outcomes[1], where
    quiet = StructBuffer(match.game.state_struct, before)
    match.game.rules.step(quiet.struct, seat, action, kernel_array(new_event_log(0)))
    assert quiet.content == outcomes[0][1], where
    return outcomes[0][0]


def check_notation(game: Game) -> None:
    """Texts of legal actions are unique and read back, in any case; events tell themselves in words and JSON."""
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
    """A record replays to the same bytes, and so does a state saved and loaded."""
    for number, variant in enumerate(variants(game)):
        match = variant.new(seed=number, seats=["Ana", "Rui"][: variant.players])
        for _ in random_play(match, random.Random(number), limit=200):
            pass
        again = read_record(match.record(), lambda name: game)
        assert again.content == match.content and again.record() == match.record()
        assert StructBuffer(game.state_struct, match.content).content == match.content


def check_undo(game: Game) -> None:
    """A step that showed nothing can be taken back by its seat, and only such a step."""
    for match, _ in random_positions(game, games=20, every=1):
        if not match.steps:
            continue
        last, after = match.steps[-1], match.content
        for other in set(range(match.variant.players)) - {last.seat}:
            refusal = _refused(NoUndo, lambda m=match, s=other: m.undo(s))  # type: ignore[misc]
            assert last.action.text not in str(refusal), "it may be a secret"
        if last.sealed:
            _refused(NoUndo, lambda m=match, s=last.seat: m.undo(s))  # type: ignore[misc]
        else:
            match.undo(last.seat)
            assert match.content == last.before
            match.play(last.seat, last.action)
        assert match.content == after


def check_secrecy(game: Game) -> None:
    """Resample what a seat cannot know: its view, legal actions, prompt, reasons and events stay the same, and so does
    every later sample: it is made of the seat's knowledge alone. A bot that is given samples cannot see the truth."""
    for match, chance in random_positions(game, games=40, every=5):
        for seat in (*range(match.variant.players), None):
            world = _sample(game, match.content, seat, chance.getrandbits(64))
            where = f"{match.variant.options} seed {match.seed} step {len(match.steps)} seat {seat}"
            assert _known(match, world.struct, seat, chance) == _known(match, match.state, seat, chance), where
            seed = chance.getrandbits(64)
            samples = [_sample(game, content, seat, seed).content for content in (match.content, world.content)]
            assert samples[0] == samples[1], f"a sample depends on what is true: {where}"


def _sample(game: Game, content: bytes, seat: int | None, seed: int) -> StructBuffer[Any]:
    world = StructBuffer(game.state_struct, content)
    game.rules.determinize(world.struct, -1 if seat is None else seat, np.uint64(seed))
    return world


def _known(match: Match, state: Any, seat: int | None, chance: random.Random) -> Any:
    """All that a seat can learn of a state without a step that shows something."""
    game, ui, rules = match.game, match.game.ui, match.game.rules
    shown = [json.dumps(ui.view(state, seat)), str(ui.prompt(state, seat)), str(rules.waiting(state))]
    if seat is None:
        return shown
    ids = _legal(game, state, seat)
    probe = random.Random(len(match.steps))
    refused = [action for action in probe.sample(range(game.actions.size), 40) if action not in ids]
    shown += [str(ui.explain(state, seat, action)) for action in refused]
    tried = ids if len(ids) < 12 else probe.sample(ids, 12)
    shown += [_open_step(match, state, seat, action) for action in tried]
    return [*shown, ids]


def _open_step(match: Match, state: Any, seat: int, action: int) -> str:
    """What a seat sees of a step that shows nothing hidden; "sealed" for the others."""
    game = match.game
    world, log = StructBuffer(game.state_struct, bytes(state.data)), new_event_log()
    if game.rules.step(world.struct, seat, action, kernel_array(log)):
        return "sealed"
    assert world.struct.rng == state.rng, f"{match.action(action)} drew by chance and does not say so"
    rows = log[1 : log[0, 0] + 1].tolist()
    events = [event.as_dict() for event in read_events(game.events, rows, match.names, seat)]
    return json.dumps([events, game.ui.view(world.struct, seat)])


def _legal(game: Game, state: Any, seat: int) -> list[int]:
    out = np.zeros(game.actions.size + 1, np.int16)
    return [int(i) for i in out[: game.rules.legal(state, seat, kernel_array(out))]]


def check_worlds(game: Game) -> None:
    """A resampled world is one that can be played to its end."""
    for match, chance in random_positions(game, games=12, every=7):
        seat = chance.randrange(match.variant.players)
        world = match.variant.new(seed=0)
        world._state.content = match.content
        game.rules.determinize(world.state, seat, np.uint64(chance.getrandbits(64)))
        world.__dict__.pop("names", None)
        for _ in random_play(world, random.Random(1)):
            pass


def check_refusals(game: Game) -> None:
    """Whatever is not legal is refused with a sentence and a rule of the rulebook, and changes nothing."""
    ids = {rule.id for rule in read_rulebook(game.package, "en").rules()}
    for match, chance in random_positions(game, games=20, every=6):
        before = match.content
        for seat in range(match.variant.players):
            legal = set(match.legal_ids(seat))
            for action in chance.sample(range(game.actions.size), min(60, game.actions.size)):
                if action not in legal:
                    refusal = _refused(Illegal, lambda m=match, s=seat, a=action: m.play(s, a))  # type: ignore[misc]
                    assert refusal.rule in ids and "{" not in str(refusal), str(refusal)
        assert match.content == before


def check_observation(game: Game) -> None:
    """``observe`` fills exactly its numbers, and all are finite."""
    size = game.observation_size
    for match, _ in random_positions(game, games=12, every=4):
        for seat in range(match.variant.players):
            out = np.full(size + 8, np.nan, np.float32)
            game.rules.observe(match.state, seat, kernel_array(out[:size]))
            assert np.isfinite(out[:size]).all() and np.isnan(out[size:]).all()


def digest_random_games(game: Game, games: int) -> str:
    """The states of whole random games, in every variant, as one hash."""
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
    """How many sequences of so many steps there are from the start, whoever acts (chess players say perft)."""
    game, start = variant.game, StructBuffer(variant.game.state_struct)
    game.rules.setup(start.struct, variant.encoded_options.struct, np.uint64(seed))
    quiet = kernel_array(new_event_log(0))

    def count(content: bytes, depth: int) -> int:
        state = StructBuffer(game.state_struct, content)
        choices = [(seat, action) for seat in range(variant.players) for action in _legal(game, state.struct, seat)]
        if depth == 1:
            return len(choices)
        total = 0
        for seat, action in choices:
            state.content = content
            game.rules.step(state.struct, seat, action, quiet)
            total += count(state.content, depth - 1)
        return total

    return count(start.content, depth)


def check_interpreted(game: Game) -> None:
    """Interpreted and compiled kernels agree byte for byte on 200 whole games."""
    here = digest_random_games(game, 200)
    code = (
        f"from {game.package} import GAME; "
        f"from {__name__} import digest_random_games as digest; print(digest(GAME, 200))"
    )
    environment = {**os.environ, "SKERRY_INTERPRET": "0" if INTERPRETED else "1"}
    other = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == here


def _refused(kind: type[Refusal], call: Callable[[], Any]) -> Refusal:
    try:
        call()
    except kind as refusal:
        return refusal
    raise AssertionError(f"not refused: {kind.__name__} expected")


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
