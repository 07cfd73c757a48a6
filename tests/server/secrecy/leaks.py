"""Planted leaks: mistakes that tell somebody what they may not know. The resampling test must find each of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

from fastapi import Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from skerry.engine import events
from skerry.engine.errors import Illegal, NoUndo
from skerry.engine.i18n.translations import Translations
from skerry.engine.match import Match, Step
from skerry.engine.messages import say
from skerry.engine.notation import Action
from skerry.engine.scene import PartFamily
from skerry.server import app, broadcast, catch_up, labels, presenter, topics
from skerry.server.bot_runner import BotRunner
from skerry.server.dependencies import services_of
from skerry.server.labels import ActionLabel
from skerry.server.match_log import LogEntry
from skerry.server.match_session import MatchSession
from skerry.server.presenter import Snapshot
from skerry.server.routes.pages import match as match_pages

Leak = Callable[[], AbstractContextManager[object]]
LEAKS: dict[str, Leak] = {}


def leak(function: Leak) -> Leak:
    """Register a leak under the name of its function."""
    LEAKS[function.__name__] = function
    return function


@leak
@contextlib.contextmanager
def secret_arguments_told_to_all() -> Iterator[None]:
    """Everybody reads the secret arguments of events."""
    read = events._read_event

    def read_all(kind: events.EventKind, row: Any, *more: Any) -> events.Event:
        return read(kind, [row[0], events.EVERYBODY, *row[2:]], *more)

    labels._event_label.cache_clear()
    with mock.patch.object(events, "_read_event", read_all):
        yield
    labels._event_label.cache_clear()


@leak
def reason_names_a_hidden_card() -> AbstractContextManager[object]:
    """The reason why something is not allowed names the card on top of the deck."""
    refusal_of = Match._refusal

    def refusal(self: Match, seat: int, action: Action) -> Illegal:
        refusal = refusal_of(self, seat, action)
        top = self.state.treasure_deck[max(0, self.state.treasure_left - 1)]
        return Illegal(
            say("{reason} ({card})", reason=refusal.message, card=self.names["card"][top].title), refusal.rule
        )

    return mock.patch.object(Match, "_refusal", refusal)


@leak
def undo_refusal_names_the_action() -> AbstractContextManager[object]:
    """Who wants to undo another's step is told which action it was."""
    step_of = Match.undoable_step

    def undoable_step(self: Match, seat: int) -> Step:
        try:
            return step_of(self, seat)
        except NoUndo as refusal:
            last = self.steps[-1].action.text if self.steps else ""
            raise NoUndo(say("{why} {what}", why=refusal.message, what=last)) from None

    return mock.patch.object(Match, "undoable_step", undoable_step)


@leak
def choices_of_others_are_counted() -> AbstractContextManager[object]:
    """The page says how many legal actions each seat has."""
    seats_of = Snapshot.seats

    def seats(self: Snapshot, translations: Translations) -> PartFamily:
        family = seats_of(self, translations)
        return PartFamily(
            {
                number: {**seat, "title": f"{seat['title']} ({len(self.session.match.legal_ids(int(number)))})"}
                for number, seat in family.items()
            }
        )

    return mock.patch.object(Snapshot, "seats", seats)


@leak
def seed_in_a_page() -> AbstractContextManager[object]:
    """The link to pass on contains the seed."""
    link_of = match_pages._match_link

    def link(request: Request, session: MatchSession) -> str:
        return f"{link_of(request, session)}#{session.header.seed}"

    return mock.patch.object(match_pages, "_match_link", link)


@leak
def page_as_long_as_a_secret() -> AbstractContextManager[object]:
    """Nothing in the page is secret, but its length is."""
    render = match_pages._render_match

    def padded(request: Request, session: MatchSession, *more: Any) -> HTMLResponse:
        page = render(request, session, *more)
        return HTMLResponse(bytes(page.body) + b" " * (sum(session.match.content) % 16))

    return mock.patch.object(match_pages, "_render_match", padded)


@leak
def advice_depends_on_the_state() -> AbstractContextManager[object]:
    """The expert sees samples of what the seat knows, but which samples depends on the truth."""

    def seed(self: BotRunner, session: MatchSession, seq: int, seat: int) -> int:
        return sum(session.match.content)

    return mock.patch.object(BotRunner, "_seed", seed)


@leak
def stream_tells_actions_of_others() -> AbstractContextManager[object]:
    """Programs that listen are told the actions of others while they happen, and only then."""
    message_of = presenter.data_message

    def message(session: MatchSession, seat: int | None, language: str, entries: Iterable[LogEntry]) -> bytes:
        entries = list(entries)
        told = ",".join(entry.step.action.text for entry in entries).encode()
        return message_of(session, seat, language, entries).replace(b'"seq"', b'"told":"%b","seq"' % told, 1)

    return mock.patch.object(topics, "data_message", message)


@leak
def history_tells_actions_of_others() -> AbstractContextManager[object]:
    """Who comes back is told the actions of others that they have missed."""
    message_of = catch_up.missed_message

    def message(snapshot: Snapshot, key: topics.TopicKey, missed: catch_up.Missed) -> bytes:
        told = ",".join(str(row.action) for row in missed.rows)
        return f": {told}\n".encode() + message_of(snapshot, key, missed)

    return mock.patch.object(broadcast, "missed_message", message)


@leak
def preview_of_a_draw() -> AbstractContextManager[object]:
    """A button looks different according to what its action would reveal."""
    label_of = presenter.action_label

    def label(session: MatchSession, seat: int, action: int, translations: Translations) -> ActionLabel:
        step = session.match.prepare(seat, action)
        return label_of(session, seat, action, translations)._replace(emphasis="primary" if sum(step.after) % 2 else "")

    return mock.patch.object(presenter, "action_label", label)


@leak
def metrics_count_a_secret() -> AbstractContextManager[object]:
    """A metric says something about the hidden state of the matches in memory."""
    metrics_of = app.metrics

    async def metrics(request: Request) -> Response:
        plain = await metrics_of(request)
        states = [session.match.content for session in services_of(request).sessions.in_memory.values()]
        return PlainTextResponse(bytes(plain.body) + b"skerry_states %d\n" % sum(map(sum, states)))

    return mock.patch.object(app, "metrics", metrics)
