"""Rulebooks: one Markdown file for each language, in the folder ``rulebook`` of a game.

A rule is a list item that begins with its id; where the printed rules are silent, it is marked as a ruling. A figure
stands below what it explains and is drawn by the game's page. Everything else is text:

    # Forbidden Island
    ## A turn
    - **FI-10** A turn is …
    ![A pawn and the tiles it can reach](figure:moves)
    - **FI-14** (ruling) …
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from skerry.engine.errors import BadOption
from skerry.engine.game import Game
from skerry.engine.game_package import find_file
from skerry.engine.i18n.languages import ENGLISH, LANGUAGES
from skerry.engine.messages import say

_RULE = re.compile(r"- \*\*([A-Z]{2}-\d\d)\*\* (.+)")
_ID = re.compile(r"- \*\*([A-Za-z]+-?\d+)\*\*")
_FIGURE = re.compile(r"!\[(.+)\]\(figure:([a-z]+)\)")


@dataclass(frozen=True)
class Rule:
    """One rule, with the id by which refusals and tests cite it."""

    id: str
    text: str


@dataclass(frozen=True)
class Figure:
    """A figure: the name of the macro that draws it, and its caption."""

    name: str
    caption: str


SectionItem = Rule | Figure | str  # a string is a paragraph or a table


@dataclass(frozen=True)
class Section:
    """A heading with the rules, figures, paragraphs and tables below it, in their order."""

    title: str
    level: int
    items: tuple[SectionItem, ...]

    def passages(self) -> list[list[SectionItem]]:
        """Each rule, paragraph or table together with the figures below it."""
        passages: list[list[SectionItem]] = []
        for item in self.items:
            if isinstance(item, Figure) and passages:
                passages[-1].append(item)
            else:
                passages.append([item])
        return passages


@dataclass(frozen=True)
class Rulebook:
    """The rules of a game in one language."""

    language: str
    sections: tuple[Section, ...]

    @property
    def title(self) -> str:
        return self.sections[0].title

    def rules(self) -> Iterator[Rule]:
        for section in self.sections:
            yield from (item for item in section.items if isinstance(item, Rule))

    def unread_ids(self) -> Iterator[str]:
        """What looks like the id of a rule, but is not written like one."""
        for section in self.sections:
            for item in section.items:
                if isinstance(item, str) and (written := _ID.match(item)):
                    yield written[1]

    def figures(self) -> Iterator[Figure]:
        for section in self.sections:
            yield from (item for item in section.items if isinstance(item, Figure))


def read_rulebook(game: Game, language: str) -> Rulebook:
    """The rulebook of a game; in English if the game does not speak the language."""
    if language not in LANGUAGES:
        raise BadOption(say("the rulebook is in {known}, not in {given!r}", known=", ".join(LANGUAGES), given=language))
    spoken = language if language in game.languages else ENGLISH
    file = find_file(game.packages, f"rulebook/{spoken}.md")
    text = _described_rules(game) if file is None else file.read_text(encoding="utf-8")
    return Rulebook(spoken, tuple(_sections(text)))


def has_rulebook(game: Game) -> bool:
    """Whether a game brings its rulebook; otherwise its fact sheet is read as one."""
    return find_file(game.packages, f"rulebook/{ENGLISH}.md") is not None


def _described_rules(game: Game) -> str:
    """What the fact sheet of a game tells of its rules, for a game without a rulebook."""
    verbs = "\n".join(f"| {verb.usage()} | {verb.help} |" for verb in game.actions.verbs)
    endings = "\n\n".join(ending.text for ending in game.endings)
    return (
        f"# {game.title}\n\n{game.summary}\n\n"
        f"## What you can do\n\n| action | what it does |\n|---|---|\n{verbs}\n\n## How it ends\n\n{endings}\n"
    )


def _sections(text: str) -> Iterator[Section]:
    for part in re.split(r"^(?=#+ )", text, flags=re.MULTILINE):
        if part.strip():
            heading, _, body = part.partition("\n")
            marks, _, title = heading.partition(" ")
            yield Section(title.strip(), len(marks), tuple(_items(body)))


def _items(body: str) -> Iterator[SectionItem]:
    """Rules and figures take one line each; the lines of a paragraph or table belong together."""
    for part in filter(None, map(str.strip, re.split(r"\n\s*\n|\n(?=- |!\[)", body.strip("\n")))):
        if rule := _RULE.fullmatch(part):
            yield Rule(rule[1], rule[2])
        elif figure := _FIGURE.fullmatch(part):
            yield Figure(figure[2], figure[1])
        else:
            yield part
