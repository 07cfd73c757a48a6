"""The games for OpenSpiel, as Python games. Importing this registers ``skerry_<game>`` for every game.

All chance is at the root: a few chance nodes choose the seed of the game, one byte each, and everything else is
deterministic. So histories, clones and serialized states replay exactly. A search from a true state would see the
cards to come: use ``resample_from_infostate``.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any, Protocol
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

import skerry
from skerry.engine.bitset import lowest_bit
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game, Variant, as_ints
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.loop import NOBODY, PASS, Interrupting, answer_kernel, not_answered
from skerry.engine.notation import Names
from skerry.engine.protocols import Rules
from skerry.engine.struct import StructBuffer
from skerry.envs import missing
from skerry.envs.config import LIMIT, ME, prepare
from skerry.envs.information_state import History, first_link
from skerry.envs.rewards import compute_rewards, default_reward, reward_scheme_of

try:
    import pyspiel
except ImportError as error:
    raise missing("open_spiel", "open-spiel") from error

SEED_NODES, OUTCOMES = 4, 256
SCORE_LIMIT = 1_000  # bound of the scores in all games
ENDLESS = 1 << 30  # the limit of decisions if there is none
RESULT = "result"
CHANCE_OUTCOMES = [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]
NOT_BEGUN = "not yet begun"
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
QUESTION_SIZE = 4  # numbers that ``Advance`` writes


class SkerryGame(pyspiel.Game):  # type: ignore[misc]
    """A variant of a game, with the buffers that its states pass to kernels."""

    sheet: Game  # of the subclass

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game, given = self.sheet, params or {}
        chosen = {option.name: read_text(given[option.name]) for option in game.options if option.name in given}
        self.variant: Variant = game.configure(chosen)
        limit, reward = int(given.get("limit", LIMIT)), given.get("reward")
        interrupts = bool(given.get("interrupts", True))
        seats = (ME,) * self.variant.players
        self.config = prepare(game.name, seats, reward or None, limit, interrupts=interrupts, **chosen)
        self.limit, self.reward = self.config.limit or ENDLESS, self.config.reward
        highest = 1 if self.reward == RESULT else SCORE_LIMIT
        info = pyspiel.GameInfo(
            num_distinct_actions=self.config.actions,
            max_chance_outcomes=OUTCOMES,
            num_players=self.variant.players,
            min_utility=-highest,
            max_utility=highest,
            utility_sum=None if game.cooperative or self.reward != RESULT else 0.0,
            max_game_length=self.limit,
        )
        super().__init__(
            _type_of(game, self.reward), info, {name: write_text(read_text(value)) for name, value in given.items()}
        )
        self.pass_action = self.config.pass_action
        self.advance = advance_kernel(game.rules, self.config.interrupting)
        self.rewards = reward_scheme_of(self.variant, self.reward)
        self.legal = np.zeros(game.actions.size + 1, np.int16)
        self.question = np.zeros(QUESTION_SIZE, np.int64)
        self.log = new_event_log(game.max_events)
        self.buffers = kernel_array(self.legal), kernel_array(self.log), kernel_array(self.question)
        self._named: tuple[bytes, Names] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return load_game, (str(self),)

    def __deepcopy__(self, memo: dict[int, Any]) -> SkerryGame:
        return load_game(str(self))

    def new_initial_state(self) -> SkerryState:
        return SkerryState(self)

    def max_chance_nodes_in_history(self) -> int:
        return SEED_NODES

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SkerryObserver:
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return InformationStateObserver(self) if recalls else SkerryObserver(self)

    def names(self, state: SkerryState) -> Names:
        """The names in a state; cached by seed, because they are the same in all its states and slow to make."""
        if self._named is None or self._named[0] != state.seed:
            self._named = state.seed, self.variant.game.ui.names(state.struct)
        return self._named[1]


def load_game(text: str) -> SkerryGame:
    """The game of a text, in a process that may not have loaded this module before."""
    return pyspiel.load_game(text)


def write_text(value: Any) -> Any:
    """A parameter as OpenSpiel's texts can have it: these separate parameters by commas. ``a,b`` becomes ``a+b``."""
    return quote(value, safe=" /:;").replace("%2C", "+") if isinstance(value, str) else value


def read_text(value: Any) -> Any:
    """What ``write_text`` has written; ``a,b`` is read too."""
    return unquote(value.replace("+", ",")) if isinstance(value, str) else value


class SkerryState(pyspiel.State):  # type: ignore[misc]
    """OpenSpiel clones a state by copying its attributes and saves it by pickling them."""

    def __init__(self, game: SkerryGame) -> None:
        super().__init__(game)
        self.seed = b""
        self.buffer: StructBuffer[Any] = StructBuffer(game.variant.game.state_struct)
        self.steps = 0
        self.loop_state = 0  # the play loop's memory of which seats have decided
        self.legal: list[int] = []  # actions of the player, with pass where the player may interrupt
        self.player = CHANCE
        self.past: History | None = None
        self.final_rewards = [0.0] * game.variant.players

    @property
    def struct(self) -> Any:
        """The state as kernels take it."""
        return self.buffer.struct

    @property
    def content(self) -> bytes:
        """The state's bytes."""
        return self.buffer.content

    def current_player(self) -> int:
        """The lowest seat that may want to interrupt, otherwise the lowest that the game waits for."""
        return self.player

    def is_terminal(self) -> bool:
        return self.player == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return CHANCE_OUTCOMES

    def returns(self) -> list[float]:
        return self.final_rewards

    def _legal_actions(self, player: int) -> list[int]:
        if player == self.player:
            return self.legal
        game = self.get_game()
        return as_ints(game.legal, _rules(game).legal(self.struct, player, game.buffers[0]))

    def _apply_action(self, action: int) -> None:
        game = self.get_game()
        if self.player >= 0:
            if action not in self.legal:  # OpenSpiel does not check it
                raise ValueError(f"action {action} is not legal for player {self.player}")
            self._play(game, PASS if action == game.pass_action else action)
            return
        self.seed += bytes([action])
        if len(self.seed) == SEED_NODES:
            seed = np.uint64(int.from_bytes(self.seed, "little"))
            _rules(game).setup(self.struct, game.variant.encoded_options.struct, seed)
            self.past = first_link(self.content)
            self._ask(game, NOBODY, PASS)

    def _play(self, game: SkerryGame, answer: int) -> None:
        seat = self.player
        self.steps += 1
        self._ask(game, seat, answer)
        assert self.past is not None
        self.past = self.past.then(seat, answer, game.log, self.content)

    def _ask(self, game: SkerryGame, seat: int, answer: int) -> None:
        """Play an answer, if there is one, and find who decides next; at the end, the rewards."""
        game.log[0] = 0
        is_last = self.steps >= game.limit
        game.advance(self.struct, seat, answer, self.loop_state, is_last, *game.buffers)
        player, count, is_interrupt, self.loop_state = game.question.tolist()
        if player == NOBODY:
            self._end(game)
            return
        self.player = player
        self.legal = game.legal[:count].tolist()
        if is_interrupt:
            self.legal.append(game.pass_action)

    def _end(self, game: SkerryGame) -> None:
        """A truncated game has no rewards."""
        self.player, self.legal = TERMINAL, []
        scores, rewards = np.zeros(len(self.final_rewards)), np.zeros(len(self.final_rewards))
        ending = _rules(game).result(self.struct, kernel_array(scores))
        if ending:
            won = game.variant.game.endings[ending - 1].won
            compute_rewards(game.rewards, int(won), kernel_array(scores), kernel_array(rewards))
        self.final_rewards = rewards.tolist()

    def _action_to_string(self, player: int, action: int) -> str:
        if player < 0:
            return f"seed byte {action}"
        game = self.get_game()
        if action == game.pass_action:
            return "pass"
        return game.variant.game.actions.action(action, game.names(self)).text

    def __str__(self) -> str:
        return f"{self.seed.hex()} {self.steps} {self.loop_state} {self.content.hex()}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SkerryState:
        """This state with what a player cannot know replaced by a sample: for searches written in Python."""
        game, copy = self.get_game(), self.clone()
        _rules(game).determinize(copy.struct, player, np.uint64(int(sampler() * 2**53)))
        if self.past is not None:
            sheet, names = game.variant.game, game.names(self)
            copy.past = self.past.as_known_to(sheet, names, player, game.variant.players)
        return copy


class SkerryObserver:
    """The observation as a tensor, the view as a string."""

    def __init__(self, game: SkerryGame) -> None:
        self.game = game
        self.tensor: NDArray[np.float32] | None = np.zeros(game.variant.game.observation_size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SkerryState, player: int) -> None:
        """All zeros before the seed is dealt."""
        assert self.tensor is not None
        self.tensor.fill(0)
        if state.past is not None:
            _rules(self.game).observe(state.struct, player, kernel_array(self.tensor))

    def string_from(self, state: SkerryState, player: int) -> str:
        if state.past is None:
            return NOT_BEGUN
        return json.dumps(self.game.variant.game.ui.view(state.struct, player))


class InformationStateObserver(SkerryObserver):
    """Everything that a player has seen and done, as a string: a digest of the past, and the view. It is no tensor."""

    def __init__(self, game: SkerryGame) -> None:
        super().__init__(game)
        self.tensor, self.dict = None, {}

    def set_from(self, state: SkerryState, player: int) -> None:
        raise ValueError("information states are texts here: use information_state_string, or observation_tensor")

    def string_from(self, state: SkerryState, player: int) -> str:
        if state.past is None:
            return NOT_BEGUN
        past = state.past.digest(self.game.variant.game, self.game.names(state), player)
        return f"{past.hex()} {super().string_from(state, player)}"


class Advance(Protocol):
    """Play what a seat has answered, unless it is ``NOBODY``, and write who decides next to ``question``: the player or
    ``NOBODY``, the number of its legal actions, whether it may interrupt only, and the loop state."""

    def __call__(
        self, state: Any, seat: int, answer: int, loop_state: int, is_last: bool, legal: Any, log: Any, question: Any, /
    ) -> None: ...


@functools.cache
def advance_kernel(rules: Rules, interrupting: Interrupting) -> Advance:
    """The kernel that plays a step: one call of it is all that a step of a random game needs."""
    waiting, legal_actions, answer = rules.waiting, rules.legal, answer_kernel(rules)

    @kernel
    def advance(
        state: Any, seat: int, answered: int, loop_state: int, is_last: bool, legal: Any, log: Any, question: Any
    ) -> None:
        if seat != NOBODY:
            loop_state = answer(state, seat, answered, loop_state, log)
        waited = waiting(state)
        question[0], question[1], question[2], question[3] = NOBODY, 0, 0, loop_state
        if waited and not is_last:
            interrupters = not_answered(interrupting(state), loop_state)
            player = lowest_bit(interrupters if interrupters else waited)
            question[0], question[1] = player, legal_actions(state, player, legal)
            question[2] = 1 if interrupters else 0

    return advance


def _rules(game: SkerryGame) -> Any:
    return game.variant.game.rules


def _type_of(game: Game, reward: str) -> Any:
    """OpenSpiel's description of a game, with its options, ``limit``, ``reward`` and ``interrupts`` as parameters."""
    if reward != RESULT:
        utility = pyspiel.GameType.Utility.GENERAL_SUM
    else:
        utility = pyspiel.GameType.Utility.IDENTICAL if game.cooperative else pyspiel.GameType.Utility.ZERO_SUM
    return pyspiel.GameType(
        short_name=short_name(game),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={option.name: option.default for option in game.options}
        | {"limit": LIMIT, "reward": "", "interrupts": True},
    )


def short_name(game: Game) -> str:
    return "skerry_" + game.name.replace("-", "_")


def register() -> None:
    """Register one class for each game. OpenSpiel holds on to it until Python has shut down, which no other callable
    survives."""
    for game in skerry.all_games():
        made = type(f"{SkerryGame.__name__}_{game.name}", (SkerryGame,), {"sheet": game})
        pyspiel.register_game(_type_of(game, default_reward(game.configure({}))), made)


register()
