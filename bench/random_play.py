"""Random play compared with OpenSpiel, on one core. ``make peers`` installs the extra ``peers`` and runs this.

    python bench/random_play.py [--seconds S] [--rounds R]

Skerry plays Forbidden Island, 4 players, Novice, uniformly random among all legal actions, compiled. OpenSpiel plays
``hanabi`` with 4 players in a Python loop, and ``crazy_eights`` with 4 players in its own C++: random bots through
whole games, and the rollouts of its tree search. So that like is compared with like, the same Python loop also plays
Skerry's island through its adapter for OpenSpiel. Actions and chance draws count alike. The rounds alternate, so that
noise on the machine affects all.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from skerry.cli.bench import measure
from skerry.games import find_game

try:
    import pyspiel
except ImportError:
    raise SystemExit("OpenSpiel is not installed: pip install 'skerry[peers]'") from None

ROLLOUTS_A_SEARCH = 2_000


def skerry_rate(seconds: float) -> float:
    return measure(find_game("forbidden-island"), 1, seconds)["actions_per_second"]


def random_step(state: pyspiel.State, generator: random.Random) -> None:
    """A random action or chance outcome, as in OpenSpiel's own Python examples."""
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(generator.choices(outcomes, weights)[0])
    else:
        state.apply_action(generator.choice(state.legal_actions()))


def hanabi_python(seconds: float) -> float:
    return python_loop("hanabi(players=4)", seconds)


def adapter_python(seconds: float) -> float:
    import skerry.envs.open_spiel  # noqa: F401 (registers the games)

    return python_loop("skerry_forbidden_island(players=4,difficulty=novice)", seconds)


def python_loop(name: str, seconds: float) -> float:
    """Random games in a loop in Python, as its users write it."""
    game = pyspiel.load_game(name)
    generator, steps, start = random.Random(1), 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            random_step(state, generator)
            steps += 1
    return steps / (time.perf_counter() - start)


def mean_length(start: pyspiel.State, games: int = 300) -> float:
    """The mean number of steps of random games from a state."""
    generator, steps = random.Random(2), 0
    for _ in range(games):
        state = start.clone()
        while not state.is_terminal():
            random_step(state, generator)
            steps += 1
    return steps / games


def crazy_eights_bots(seconds: float) -> float:
    """Uniformly random C++ bots through whole games."""
    game = pyspiel.load_game("crazy_eights(players=4)")
    length = mean_length(game.new_initial_state())
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(4)]
    games, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, games)
        games += 1
    return games * length / (time.perf_counter() - start)


def crazy_eights_rollouts(seconds: float) -> float:
    """The rollouts of the C++ tree search from a dealt game; a search of one simulation is nothing but rollouts."""
    game = pyspiel.load_game("crazy_eights(players=4)")
    state, generator = game.new_initial_state(), random.Random(3)
    while state.is_chance_node():
        random_step(state, generator)
    length = mean_length(state)
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS_A_SEARCH, 7)
    search = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)
    games, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        search.mcts_search(state)
        games += ROLLOUTS_A_SEARCH
    return games * length / (time.perf_counter() - start)


MEASUREMENTS: dict[str, Callable[[float], float]] = {
    "Skerry, forbidden-island, compiled": skerry_rate,
    "OpenSpiel, hanabi, Python loop": hanabi_python,
    "Skerry in OpenSpiel, Python loop": adapter_python,
    "OpenSpiel, crazy_eights, C++ random bots": crazy_eights_bots,
    "OpenSpiel, crazy_eights, C++ search rollouts": crazy_eights_rollouts,
}


def result_table(rates: dict[str, list[float]]) -> Table:
    medians = {name: statistics.median(values) for name, values in rates.items()}
    skerry = next(iter(medians.values()))
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("one core, median of rounds", "actions/s", "lowest", "highest", "Skerry is"):
        table.add_column(column, header_style="dim", justify="left" if column.startswith("one") else "right")
    for name, values in rates.items():
        table.add_row(
            name,
            f"{medians[name]:,.0f}",
            f"{min(values):,.0f}",
            f"{max(values):,.0f}",
            f"{skerry / medians[name]:.1f} x",
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    skerry_rate(0.1)  # compiles
    rates: dict[str, list[float]] = {name: [] for name in MEASUREMENTS}
    for _ in range(arguments.rounds):
        for name, measure_rate in MEASUREMENTS.items():
            rates[name].append(measure_rate(arguments.seconds))
    Console(highlight=False).print(result_table(rates))


if __name__ == "__main__":
    main()
