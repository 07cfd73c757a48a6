"""The notation of actions: ids for kernels, and text (a verb and the entities it is used on) for people.

ACTIONS = Actions(Verb("end"), Verb("move", One("place", 24)), Verb("lift", Subset("pawn", 4), One("place", 24)))
ACTIONS.first_id("move")                       # 1, a constant of the kernels
ACTIONS.read("lift pilot,diver D4", names)  # 1 + 24 + …
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations
from typing import Any, Protocol

from skerry.engine.errors import Unreadable
from skerry.engine.kernel import lookup_table
from skerry.engine.messages import Message, Msgid, format_list, say


@dataclass(frozen=True)
class Name:
    """The names of an entity: ``slug`` in the notation, ``title`` in sentences; ``aliases`` may be typed too."""

    slug: str
    title: Message
    aliases: tuple[str, ...] = ()


def name_all(
    slugs: Sequence[str], titles: Sequence[str], aliases: Sequence[tuple[str, ...]] | None = None
) -> list[Name]:
    """The names of some entities of one kind."""
    others = aliases or ((),) * len(slugs)
    return [Name(slug, Message(title), also) for slug, title, also in zip(slugs, titles, others, strict=True)]


def seat_numbers(seats: Sequence[str]) -> list[tuple[str, ...]]:
    """Aliases for entities that stand for seats: the number of each seat."""
    return [(str(seat),) for seat in range(len(seats))]


Names = Mapping[str, Sequence[Name]]  # by kind of entity, then by its index
SlotMembers = tuple[int, ...]  # the entities that fill one slot of an action


class Slot(Protocol):
    """The part of an action that names entities of one kind. A choice of entities is encoded as an index."""

    @property
    def kind(self) -> str: ...

    @property
    def size(self) -> int:
        """The number of indices."""

    def members(self, index: int) -> SlotMembers:
        """The entities of an index."""

    def index(self, members: Sequence[int]) -> int | None:
        """The index of some entities, or None if they do not fit."""


@dataclass(frozen=True)
class One:
    """Exactly one entity."""

    kind: str  # of entities, which ``names`` on the fact sheet names: "card"
    size: int  # how many there are

    def members(self, index: int) -> SlotMembers:
        return (index,)

    def index(self, members: Sequence[int]) -> int | None:
        return members[0] if len(members) == 1 and members[0] < self.size else None


@dataclass(frozen=True)
class Pair:
    """An unordered pair of different entities."""

    kind: str  # of entities
    of: int  # how many there are

    @property
    def size(self) -> int:
        return self.of * (self.of - 1) // 2

    def members(self, index: int) -> SlotMembers:
        return pairs(self.of)[index]

    def index(self, members: Sequence[int]) -> int | None:
        if len(members) != 2 or members[0] == members[1]:
            return None
        return pairs(self.of).index((min(members), max(members)))


@dataclass(frozen=True)
class Subset:
    """One or more different entities. The index is their bit set minus one."""

    kind: str  # of entities
    of: int  # how many there are

    @property
    def size(self) -> int:
        return (1 << self.of) - 1

    def members(self, index: int) -> SlotMembers:
        return tuple(i for i in range(self.of) if index + 1 >> i & 1)

    def index(self, members: Sequence[int]) -> int | None:
        bits = sum({1 << member for member in members})
        return bits - 1 if members and len(set(members)) == len(members) else None


def pairs(of: int) -> list[tuple[int, int]]:
    """The pairs in the order of ``bitset.pair_index``: (0,1) (0,2) (1,2) (0,3) …"""
    return sorted(combinations(range(of), 2), key=lambda two: (two[1], two[0]))


def pair_table(of: int) -> Any:
    """A table for kernels: the two members of each pair."""
    return lookup_table(pairs(of))


@dataclass(frozen=True)
class Verb:
    """A kind of action.

    - ``name``: how it is typed. Two verbs of one name are two forms of it, with different slots.
    - ``slots`` are what it names: ``One``, ``Pair`` or ``Subset`` of some entities. It is as many actions as these have
      combinations, of which the last slot changes fastest.
    - ``help`` says in a few words what it does: "draws a card from the bag".
    - ``label`` is the text of its button. Its placeholders are the kinds of the slots, ``place2`` for a second place.
    - ``told`` is the sentence that tells everybody about it: ``{player} moves to {place}``. ``step`` tells what else
      happens, and what not everybody may know.
    - ``aliases`` may be typed instead of the name.
    - ``primary``: the step that has to be taken sooner or later, such as a draw. It is offered as the default.
    - ``reveals``: it can reveal something hidden, after which it cannot be undone.
    - ``confirm``: the player is asked to confirm it. True for verbs that reveal, unless they are primary or are a
      confirmation themselves.
    - ``moves_others``: it moves pieces of other seats.
    - ``ends_turn``: it ends the turn or its actions. It is offered after everything else that can be done.
    - ``automatic``: where people play it goes by itself once it takes nothing away from its seat, such as ending a turn
      without actions left: whatever else the seat can do is possible afterwards too. With ``primary``, such as turning
      over a card, it always does, after a moment for whoever can interrupt.
    """

    name: str
    slots: tuple[Slot, ...]
    label: str
    told: str
    help: str
    aliases: tuple[str, ...]
    primary: bool
    reveals: bool
    confirm: bool
    moves_others: bool
    ends_turn: bool
    automatic: bool

    def __init__(
        self,
        name: str,
        *slots: Slot,
        help: str,
        label: str = "",
        told: str = "",
        aliases: tuple[str, ...] = (),
        primary: bool = False,
        reveals: bool = False,
        confirm: bool = True,
        moves_others: bool = False,
        ends_turn: bool = False,
        automatic: bool = False,
    ) -> None:
        values: dict[str, object] = {"name": name, "slots": slots, "told": told, "help": help, "aliases": aliases}
        values |= {"primary": primary, "reveals": reveals, "moves_others": moves_others, "ends_turn": ends_turn}
        values |= {"automatic": automatic}
        for field, value in values.items():
            object.__setattr__(self, field, value)
        object.__setattr__(self, "confirm", confirm and reveals and not primary)
        plain = " ".join([name, *(f"{{{gap}}}" for gap in self.placeholders)])
        object.__setattr__(self, "label", label or plain.capitalize())

    @property
    def placeholders(self) -> list[str]:
        """The placeholders of the label, one for each slot."""
        return numbered_kinds([slot.kind for slot in self.slots])

    @property
    def size(self) -> int:
        size = 1
        for slot in self.slots:
            size *= slot.size
        return size

    def split(self, offset: int) -> list[int]:
        """The index of each slot. The last slot changes fastest."""
        indices: list[int] = []
        for slot in reversed(self.slots):
            offset, index = divmod(offset, slot.size)
            indices.append(index)
        return indices[::-1]

    def usage(self) -> str:
        """How the action is typed, such as ``move PLACE``."""
        return " ".join([self.name, *(_slot_usage(slot) for slot in self.slots)])


def numbered_kinds(kinds: Sequence[str]) -> list[str]:
    """Placeholders for entities of some kinds: ``place``, and ``place2`` for a second place."""
    earlier = [kinds[:i].count(kind) for i, kind in enumerate(kinds)]
    return [kind if not count else f"{kind}{count + 1}" for kind, count in zip(kinds, earlier, strict=True)]


def _slot_usage(slot: Slot) -> str:
    word = slot.kind.upper()
    return {One: word, Pair: f"{word},{word}", Subset: f"{word}[,{word}…]"}.get(type(slot), word)


@dataclass(frozen=True, repr=False, slots=True)
class Action:
    """An action of one match: its id, its text, its verb, and its entities as ``(kind, slug)``."""

    id: int
    text: str
    verb: str
    entities: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Action({self.text!r})"


class Actions:
    """All actions of a game: its verbs in the order of their ids. A verb may occur twice with different slots."""

    def __init__(self, *verbs: Verb) -> None:
        self.verbs = verbs
        self.starts: list[int] = []
        self.size = 0
        for verb in verbs:
            self.starts.append(self.size)
            self.size += verb.size

    def first_id(self, name: str, form: int = 0) -> int:
        """The first id of a verb; ``form=1`` is the second form of a verb with different slots."""
        return [start for start, verb in zip(self.starts, self.verbs, strict=True) if verb.name == name][form]

    def is_automatic(self, action: int) -> bool:
        return action in self._automatic_ids

    @cached_property
    def _automatic_ids(self) -> frozenset[int]:
        """The ids of all automatic actions."""
        return frozenset(
            action
            for start, verb in zip(self.starts, self.verbs, strict=True)
            if verb.automatic
            for action in range(start, start + verb.size)
        )

    @cached_property
    def _verb_number(self) -> list[int]:
        """The number of the verb of each action id."""
        return [number for number, verb in enumerate(self.verbs) for _ in range(verb.size)]

    @cached_property
    def _forms(self) -> dict[str, list[tuple[int, Verb]]]:
        """The verbs, with their numbers, by name and alias."""
        forms: dict[str, list[tuple[int, Verb]]] = {}
        for number, verb in enumerate(self.verbs):
            for name in {verb.name, *verb.aliases}:
                forms.setdefault(name, []).append((number, verb))
        return forms

    def decode(self, action: int) -> tuple[Verb, list[SlotMembers]]:
        """The verb of an id, and the entities of each slot."""
        number = self._verb_number[action]
        verb = self.verbs[number]
        indices = verb.split(action - self.starts[number])
        return verb, [slot.members(index) for slot, index in zip(verb.slots, indices, strict=True)]

    def action(self, action: int, names: Names) -> Action:
        """The action of an id, in the names of a match."""
        verb, parts = self.decode(action)
        words, entities = [verb.name], []
        for slot, members in zip(verb.slots, parts, strict=True):
            slugs = [_slug(names, slot.kind, member) for member in members]
            words.append(",".join(slugs))
            entities += [(slot.kind, slug) for slug in slugs]
        return Action(action, " ".join(words), verb.name, tuple(entities))

    def label(self, action: int, names: Names) -> Message:
        """The label of an action's button."""
        verb, parts = self.decode(action)
        titles = [
            format_list([_title(names, slot.kind, member) for member in members])
            for slot, members in zip(verb.slots, parts, strict=True)
        ]
        return Message(verb.label, dict(zip(verb.placeholders, titles, strict=True)))

    def read(self, text: str, names: Names) -> int:
        """The id of an action given as text. A refusal says which word is not understood."""
        lines = [line for line in text.replace(";", "\n").splitlines() if line.strip()]
        if len(lines) > 1:
            raise Unreadable(say("one action at a time, please; there are {count}", count=len(lines)))
        words = text.replace(";", " ").lower().split()
        if not words:
            raise Unreadable("say what to do; there is no action in an empty line")
        forms, name, words = self._forms_of(words)
        for number, form in forms:
            if len(words) != len(form.slots):
                continue
            members = [_members(slot, word, names) for slot, word in zip(form.slots, words, strict=True)]
            indices = [slot.index(found) for slot, found in zip(form.slots, members, strict=True)]
            if None not in indices:
                return self.starts[number] + _offset(form, [index for index in indices if index is not None])
        ways = [say("{usage}", usage=form.usage()) for _, form in forms]
        usage = reduce(lambda first, second: say("{first} or {second}", first=first, second=second), ways)
        raise Unreadable(say("{verb} is written like this: {usage}", verb=name, usage=usage))

    def _forms_of(self, words: list[str]) -> tuple[list[tuple[int, Verb]], str, list[str]]:
        """The forms of the verb that a line begins with, its name, and the other words. Two words are tried first."""
        for length in (2, 1):
            name = " ".join(words[:length])
            if name in self._forms and len(name.split()) == length:
                return self._forms[name], name, words[length:]
        known = list(dict.fromkeys(verb.name for verb in self.verbs))
        raise _unknown_name("action", words[0], known)


def _offset(verb: Verb, indices: Sequence[int]) -> int:
    offset = 0
    for slot, index in zip(verb.slots, indices, strict=True):
        offset = offset * slot.size + index
    return offset


def _slug(names: Names, kind: str, member: int) -> str:
    known = names[kind]
    return known[member].slug if member < len(known) else f"{kind}{member}"


def _title(names: Names, kind: str, member: int) -> Message:
    known = names[kind]
    return known[member].title if member < len(known) else say("{name}", name=_slug(names, kind, member))


def _members(slot: Slot, word: str, names: Names) -> list[int]:
    return [_member(slot.kind, part, names[slot.kind]) for part in word.split(",")]


def _member(kind: str, word: str, names: Sequence[Name]) -> int:
    for index, name in enumerate(names):
        if word == name.slug.lower() or word in name.aliases:
            return index
    raise _unknown_name(kind, word, [name.slug for name in names])


def _unknown_name(kind: Msgid, word: str, known: Sequence[str]) -> Unreadable:
    near = difflib.get_close_matches(word, [name.lower() for name in known], n=1)
    text = (
        "there is no {kind} {word!r}; do you mean {near}?" if near else "there is no {kind} {word!r}; there are {known}"
    )
    return Unreadable(say(text, kind=say(kind), word=word[:40], near="".join(near), known=", ".join(known)))
