"""What views share is computed once for each state, as long as it is recent."""

from __future__ import annotations

from dataclasses import dataclass

from skerry.engine.memo import RECENT, memoize_recent


@dataclass
class State:
    data: bytes


class Counted:
    """A function of a state that counts its calls."""

    def __init__(self) -> None:
        self.calls: list[bytes] = []

    def __call__(self, state: State) -> list[int]:
        self.calls.append(state.data)
        return list(state.data)


def memoized() -> tuple[Counted, list[State]]:
    return Counted(), [State(number.to_bytes(2, "big")) for number in range(10 * RECENT)]


def test_states_that_alternate_are_each_computed_once() -> None:
    function, states = memoized()
    cached = memoize_recent(lambda state: function(state))
    for _ in range(3):
        assert [cached(state) for state in states[:RECENT]] == [list(state.data) for state in states[:RECENT]]
    assert function.calls == [state.data for state in states[:RECENT]]


def test_what_counts_is_the_content_of_a_state() -> None:
    function, _ = memoized()
    cached = memoize_recent(lambda state: function(state))
    state = State(b"before")
    assert cached(state) is cached(State(b"before"))
    state.data = b"after"
    assert cached(state) == list(b"after")


def test_old_states_are_dropped_and_frequent_ones_are_not() -> None:
    function, states = memoized()
    cached = memoize_recent(lambda state: function(state))
    for state in states:
        cached(states[0])
        cached(state)
    assert function.calls.count(states[0].data) == 1
    cached(states[1])
    assert function.calls.count(states[1].data) == 2
