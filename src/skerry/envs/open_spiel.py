"""The games as OpenSpiel's, by Python. Importing this registers ``skerry_<game>`` for every game.

Chance comes first: a few chance nodes at the root deal the seed of the game, a byte each, and the rest follows from it.
So histories, clones and serialized states replay exactly, and the distribution of games is that of the rules. A search
that looks ahead from a true state would see the cards to come: let it resample (``resample_from_infostate``).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import skerry
from skerry.engine.bitset import lowest_bit
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game, Variant, as_ints
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import taking
from skerry.engine.notation import Names
from skerry.engine.struct import StructBuffer
from skerry.envs import missing
from skerry.envs.config import LIMIT, ME, prepare
from skerry.envs.rewards import default_reward, kind_of, pay

try:
    import pyspiel
except ImportError as error:
    raise missing("open_spiel", "open-spiel") from error

SEED_NODES, OUTCOMES = 4, 256
SCORE_LIMIT = 1_000  # no score of any game is beyond
ENDLESS = 1 << 30  # decisions, where there is no limit
RESULT = "result"


class SkerryGame(pyspiel.Game):  # type: ignore[misc]
    """A variant, and the arrays through which its states reach the kernels."""

    sheet: Game  # of the subclass

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game, given = self.sheet, params or {}
        chosen = {option.name: given[option.name] for option in game.options if option.name in given}
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
        super().__init__(_type_of(game, self.reward), info, given)
        self.loaded = StructBuffer(game.state_struct)
        self.legal = np.zeros(game.actions.size + 1, np.int16)
        self.quiet = kernel_array(new_event_log(0))
        self._named: tuple[bytes, Names] | None = None

    def new_initial_state(self) -> SkerryState:
        return SkerryState(self)

    def max_chance_nodes_in_history(self) -> int:
        return SEED_NODES

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SkerryObserver:
        return SkerryObserver(self)

    def load(self, content: bytes) -> Any:
        """A state's bytes as the record that kernels take; the next call takes it back."""
        self.loaded.content = content
        return self.loaded.struct

    def names(self, state: SkerryState) -> Names:
        """They are the same in all states of a seed, and dear to make."""
        if self._named is None or self._named[0] != state.seed:
            self._named = state.seed, self.variant.game.ui.names(self.load(state.content))
        return self._named[1]


class SkerryState(pyspiel.State):  # type: ignore[misc]
    """All that changes is plain: OpenSpiel clones a state by copying its attributes and saves it by pickling them."""

    def __init__(self, game: SkerryGame) -> None:
        super().__init__(game)
        self.seed = b""
        self.content = bytes(game.variant.game.state_size)
        self.steps = 0
        self.polled = 0  # the play loop's memory of who was asked
        self.interrupts = False  # the game does not wait for the player that is asked: it may pass
        self.player = int(pyspiel.PlayerId.CHANCE)
        self.paid = [0.0] * game.variant.players

    def current_player(self) -> int:
        """The first seat that may want to interrupt, else the first that the game waits for."""
        return self.player

    def is_terminal(self) -> bool:
        return self.player == pyspiel.PlayerId.TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]

    def returns(self) -> list[float]:
        return self.paid

    def _legal_actions(self, player: int) -> list[int]:
        game = self.get_game()
        count = _rules(game).legal(game.load(self.content), player, kernel_array(game.legal))
        passing = [game.config.pass_action] if self.interrupts and player == self.player else []
        return as_ints(game.legal, count) + passing

    def _apply_action(self, action: int) -> None:
        game = self.get_game()
        state = game.load(self.content)
        if self.player >= 0:
            if action not in self._legal_actions(self.player):  # OpenSpiel itself does not look
                raise ValueError(f"action {action} is not legal for player {self.player}")
            self.polled |= 1 << self.player
            if action != game.config.pass_action:
                self.polled = int(taking(_rules(game))(state, self.player, action, self.polled, game.quiet))
            self.steps += 1
        else:
            self.seed += bytes([action])
            if len(self.seed) < SEED_NODES:
                return
            seed = np.uint64(int.from_bytes(self.seed, "little"))
            _rules(game).setup(state, game.variant.encoded_options.struct, seed)
        self.content = game.loaded.content
        self._look(game, state)

    def _look(self, game: SkerryGame, state: Any) -> None:
        """Who is next, and what is paid at the end. A game that is cut off pays nothing."""
        seats = _rules(game).waiting(state)
        if seats and self.steps < game.limit:
            free = int(game.config.interrupting(state)) & ~self.polled
            self.player, self.interrupts = int(lowest_bit(free or seats)), free != 0
            return
        self.player, self.interrupts = int(pyspiel.PlayerId.TERMINAL), False
        scores, rewards = np.zeros(len(self.paid)), np.zeros(len(self.paid))
        ending = _rules(game).result(state, kernel_array(scores))
        if ending:
            won = game.variant.game.endings[ending - 1].won
            pay(kind_of(game.variant, game.reward), int(won), kernel_array(scores), kernel_array(rewards))
        self.paid = rewards.tolist()

    def _action_to_string(self, player: int, action: int) -> str:
        if player < 0:
            return f"seed byte {action}"
        game = self.get_game()
        if action == game.config.pass_action:
            return "pass"
        return game.variant.game.actions.action(action, game.names(self)).text

    def __str__(self) -> str:
        return f"{self.seed.hex()} {self.steps} {self.polled} {self.content.hex()}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SkerryState:
        """This state with what a player cannot know replaced by a sample: for searches written in Python."""
        game, copy = self.get_game(), self.clone()
        _rules(game).determinize(game.load(self.content), player, np.uint64(int(sampler() * 2**53)))
        copy.content = game.loaded.content
        return copy


class SkerryObserver:
    """The numbers of ``observe`` as tensor, the view as string."""

    def __init__(self, game: SkerryGame) -> None:
        self.game = game
        self.tensor: NDArray[np.float32] = np.zeros(game.variant.game.observation_size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SkerryState, player: int) -> None:
        """All zeros before the seed is dealt."""
        self.tensor.fill(0)
        if len(state.seed) == SEED_NODES:
            _rules(self.game).observe(self.game.load(state.content), player, kernel_array(self.tensor))

    def string_from(self, state: SkerryState, player: int) -> str:
        if len(state.seed) < SEED_NODES:
            return "not yet begun"
        return json.dumps(self.game.variant.game.ui.view(self.game.load(state.content), player))


def _rules(game: SkerryGame) -> Any:
    return game.variant.game.rules


def _type_of(game: Game, reward: str) -> Any:
    """How OpenSpiel classes a game, with its options, ``limit``, ``reward`` and ``interrupts`` as parameters."""
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
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={option.name: option.default for option in game.options}
        | {"limit": LIMIT, "reward": "", "interrupts": True},
    )


def short_name(game: Game) -> str:
    return "skerry_" + game.name.replace("-", "_")


def register() -> None:
    """A class a game: OpenSpiel lets go of what it is given after Python's own end, which only a class survives."""
    for game in skerry.all_games():
        made = type(f"{SkerryGame.__name__}_{game.name}", (SkerryGame,), {"sheet": game})
        pyspiel.register_game(_type_of(game, default_reward(game.configure({}))), made)


register()
