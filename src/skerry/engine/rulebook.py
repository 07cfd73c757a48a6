"""A game's rulebook: one Markdown file a language in the folder ``rulebook`` of the game.

A rule is a list item that begins with its id; a ruling of ours is marked. A figure stands below what it explains and
is drawn by the game's page. Everything else is for reading:

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
from importlib.resources import files

from skerry.engine.errors import BadOption
from skerry.engine.i18n.translations import LANGUAGES
from skerry.engine.messages import say

_RULE = re.compile(r"- \*\*([A-Z]{2}-\d\d)\*\* (.+)")
_FIGURE = re.compile(r"!\[(.+)\]\(figure:([a-z]+)\)")


@dataclass(frozen=True)
class Rule:
    id: str
    text: str


@dataclass(frozen=True)
class Figure:
    name: str
    caption: str


SectionItem = Rule | Figure | str


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it: rules, figures, paragraphs and tables, in their order."""

    title: str
    level: int
    items: tuple[SectionItem, ...]

    def passages(self) -> list[list[SectionItem]]:
        """Each rule, paragraph or table with the figures below it."""
        passages: list[list[SectionItem]] = []
        for block in self.items:
            if isinstance(block, Figure) and passages:
                passages[-1].append(block)
            else:
                passages.append([block])
        return passages


@dataclass(frozen=True)
class Rulebook:
    language: str
    sections: tuple[Section, ...]

    @property
    def title(self) -> str:
        return self.sections[0].title

    def rules(self) -> Iterator[Rule]:
        for section in self.sections:
            yield from (block for block in section.items if isinstance(block, Rule))

    def figures(self) -> Iterator[Figure]:
        for section in self.sections:
            yield from (block for block in section.items if isinstance(block, Figure))


def read_rulebook(package: str, language: str) -> Rulebook:
    """The rulebook of a game's package."""
    if language not in LANGUAGES:
        raise BadOption(say("the rulebook is in {known}, not in {given!r}", known=", ".join(LANGUAGES), given=language))
    text = (files(package) / "rulebook" / f"{language}.md").read_text(encoding="utf-8")
    return Rulebook(language, tuple(_sections(text)))


def _sections(text: str) -> Iterator[Section]:
    for part in re.split(r"^(?=#+ )", text, flags=re.MULTILINE):
        if part.strip():
            heading, _, body = part.partition("\n")
            marks, _, title = heading.partition(" ")
            yield Section(title.strip(), len(marks), tuple(_blocks(body)))


def _blocks(body: str) -> Iterator[SectionItem]:
    """Rules and figures are one line each; lines of one paragraph or table belong together."""
    for part in filter(None, map(str.strip, re.split(r"\n\s*\n|\n(?=- |!\[)", body.strip("\n")))):
        if rule := _RULE.fullmatch(part):
            yield Rule(rule[1], rule[2])
        elif figure := _FIGURE.fullmatch(part):
            yield Figure(figure[2], figure[1])
        else:
            yield part
