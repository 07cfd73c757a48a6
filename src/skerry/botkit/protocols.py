"""What a game provides to bots: the contents of its package ``bot``, as protocols.

All of it is optional. A game without a package ``bot`` is played by the random policy, and by an expert whose rollouts
use that.

- ``bot/policies.py``: a kernel of type ``Policy`` for each name in ``Game.bots``, and optionally ``interrupting``,
  a kernel of type ``skerry.engine.loop.Interrupting``.
- ``bot/state_features.py``: a ``StateFeaturesModule``, the inputs of both networks.
- ``bot/value.npy``: the weights of the value network, where ``Game.value_net`` is set.
- ``bot/action_features.py``: an ``ActionFeaturesModule``, further inputs of the policy network.
- ``bot/policy.npy``: the weights of the policy network, where ``Game.policy_net`` is set.

Weights for one number of players only have it in their file name, as in ``bot/value-2.npy``.

All functions here are kernels and are called with positional arguments only. States have the type ``Any`` because each
game has a struct type of its own, and the state of a random-number generator is ``Any`` because interpreted kernels
use NumPy scalars where compiled ones use machine integers.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

if TYPE_CHECKING:
    from skerry.botkit.deep_sets import EntityGroups, Floats


class Policy(Hashable, Protocol):
    """Choose an action for a seat.

    ``world`` is a determinization: a state that agrees with everything the seat knows and in which the rest has been
    resampled, so a policy may read all of it. It may be modified and must be restored. The game's own policies should
    nevertheless choose the same in every determinization, because training programs hand them the true state.
    ``legal[:count]`` are the legal action ids in ascending order. The result is an index into them and the next state
    of the policy's own random numbers (``skerry.engine.rng.next_below``). A seat that may only interrupt can return
    ``PASS`` as the index. Any other answer is a mistake, which everything that plays games reports
    (``skerry.bots.illegal_choice``).
    """

    def __call__(self, world: Any, seat: int, legal: NDArray[Any], count: int, rng: Any, /) -> tuple[int, Any]: ...


class WriteStateFeatures(Hashable, Protocol):
    """Write the features of a state to ``out``, entity group by entity group, in the order of ``ENTITY_GROUPS``.

    They must depend on public information only. The first feature of an entity is 1, or 0 for an entity that is absent
    and contributes nothing. The result is the part of the value that is already certain, such as the points scored.
    Beyond the features, ``out`` may be used for notes of the game's own.
    """

    def __call__(self, state: Any, out: Floats, /) -> float: ...


class HasValue(Protocol):
    """Whether the value network applies to this variant. If not, rollouts are played to the end."""

    def __call__(self, state: Any, /) -> bool: ...


class GreedyByValue(Protocol):
    """A policy that follows the value network: the index of the legal action with the best value."""

    def __call__(
        self, world: Any, seat: int, legal: NDArray[Any], count: int, weights: Floats, scratch: Floats, /
    ) -> int: ...


class PrepareActionFeatures(Protocol):
    """Write to ``scratch``, behind the state features, whatever is the same for all actions of a state."""

    def __call__(self, state: Any, scratch: Floats, /) -> None: ...


class WriteActionFeatures(Protocol):
    """Write the features of one action of a seat to ``out``. ``scratch`` has the state features and the notes of
    ``prepare_action_features``."""

    def __call__(self, state: Any, seat: int, action: int, scratch: Floats, out: Floats, /) -> None: ...


class StateFeaturesModule(Protocol):
    """A game's module ``bot.state_features``.

    It may have three more attributes: ``has_value: HasValue`` (default: the network applies to every variant),
    ``greedy_by_value: GreedyByValue``, which then is the rollout policy where there is no policy network, and
    ``LOOKAHEAD_STEPS: int``, the search depth of rollout policies that have both networks (default: 0, no search).
    """

    # The groups of entities that the features describe, in order. The features of a group are best declared as
    # ``skerry.engine.blocks.Blocks``, whose ``size`` is their number. If there is a policy network, the first group are
    # the places, the second the treasures, parts or the like, the third the seats, and the last one the whole state.
    ENTITY_GROUPS: EntityGroups
    # After how many turns a rollout is cut off and evaluated by the value network.
    ROLLOUT_TURNS: int
    # The most that can be added to the certain part of the value: 1 for a chance of winning, the highest possible
    # number of points for a score.
    VALUE_SPAN: float

    @property
    def write_state_features(self) -> WriteStateFeatures: ...


class ActionFeaturesModule(Protocol):
    """A game's module ``bot.action_features``."""

    # How many features describe an action.
    N_ACTION_FEATURES: int
    # Size of the state features and all notes behind them.
    SCRATCH_SIZE: int

    @property
    def prepare_action_features(self) -> PrepareActionFeatures: ...

    @property
    def write_action_features(self) -> WriteActionFeatures: ...
