"""CA-01 to CA-04, CA-20 to CA-22: options, the path, the cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import skerry
from skerry.games.cartagena.rules import components
from skerry.games.cartagena.rules.part_set import house_parts, write_parts

from .positions import Passage

LINES = [f"{letter} {tunnel} {island}" for letter, (tunnel, island) in house_parts().items()]


def symbols(match: skerry.Match) -> str:
    """The symbols of the path, one letter for each space."""
    letters = dict(zip(components.SYMBOLS, components.SYMBOL_LETTERS, strict=True))
    return "".join(letters[space["symbol"]] for space in match.view(None)["path"])


@pytest.mark.rule("CA-01")
def test_the_defaults() -> None:
    assert skerry.game("cartagena").options == {
        "players": 4,
        "story": "escape",
        "parts": 6,
        "tunnel": 3,
        "island": 3,
        "set": "house",
        "pirates": 6,
        "draw": "back",
        "flibusters": "off",
        "magic": "off",
        "first": "random",
    }


@pytest.mark.rule("CA-01", "CA-20")
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 1}, "players takes a number from 2 to 5"),
        ({"players": 6}, "players takes a number from 2 to 5"),
        ({"parts": 3}, "parts takes a number from 4 to 8"),
        ({"parts": 9}, "parts takes a number from 4 to 8"),
        ({"parts": "abc"}, "parts takes a number from 4 to 8"),
        ({"parts": "abcda"}, "lays part a twice"),
        ({"parts": "abcdx"}, "letters from a to h"),
        ({"parts": True}, "parts takes"),
        ({"pirates": 3}, "pirates takes a number from 4 to 6"),
        ({"pirates": 7}, "pirates takes a number from 4 to 6"),
        ({"story": "flight"}, "one of escape, tortuga, full"),
        ({"draw": "forward"}, "one of back, morgan, both, back-then-morgan"),
        ({"draw": "back-then-morgan"}, "needs the tunnel and the island of the full story"),
        ({"draw": "back-then-morgan", "story": "tortuga"}, "needs the tunnel and the island"),
        ({"story": "full", "parts": 5}, "leave parts as it is"),
        ({"tunnel": 4}, "tunnel and island parts are for the full story"),
        ({"island": "abc", "story": "tortuga"}, "tunnel and island parts are for the full story"),
        ({"story": "full", "tunnel": 2}, "tunnel takes a number from 3 to 5"),
        ({"story": "full", "island": 6}, "island takes a number from 3 to 5"),
        ({"story": "full", "tunnel": 4, "island": 5}, "together want 9"),
        ({"story": "full", "tunnel": "abc", "island": "cde"}, "part c cannot lie"),
        ({"players": 2, "first": 2}, "no seat 2"),
        ({"flibusters": "perhaps"}, "one of off, on"),
        ({"rum": "free"}, "there is no option rum"),
    ],
)
def test_invalid_options_are_refused_with_the_reason(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(skerry.BadOption, match=f"(?i){reason}"):
        skerry.game("cartagena", **options)


@pytest.mark.rule("CA-01")
def test_options_are_accepted_as_values_and_as_texts() -> None:
    one = skerry.game("cartagena", parts=["a", "b", "c", "d"], magic=True, flibusters=False, first="1")
    two = skerry.game("cartagena", parts="A, b c,d", magic="on", flibusters="off", first=1)
    assert one.options == two.options
    assert skerry.game("cartagena", parts="7").options["parts"] == 7


@pytest.mark.rule("CA-01", "CA-02")
def test_named_parts_are_laid_in_their_order_tunnel_side_up() -> None:
    match = skerry.game("cartagena", parts="dabc").new(seed=3)
    assert symbols(match) == "LPRCAH" + "HALPCR" + "PCHLRA" + "CHRAPL"
    assert match.view(None)["parts"] == ["d", "a", "b", "c"]


@pytest.mark.rule("CA-01", "CA-02", "CA-20")
@pytest.mark.parametrize("parts", range(4, 9))
def test_a_number_of_parts_is_drawn_at_random_from_the_seed(parts: int) -> None:
    game = skerry.game("cartagena", parts=parts)
    laid = ["".join(game.new(seed=seed).view(None)["parts"]) for seed in range(20)]
    assert all(len(set(letters)) == parts for letters in laid) and len(set(laid)) > 10
    assert {letter for letters in laid for letter in letters} == set("abcdefgh")
    assert len(symbols(game.new(seed=1))) == 6 * parts
    assert laid[0] == "".join(game.new(seed=0).view(None)["parts"])


@pytest.mark.rule("CA-02", "CA-20")
@pytest.mark.parametrize("pirates", [4, 5, 6])
def test_all_pirates_start_in_prison(pirates: int) -> None:
    match = skerry.game("cartagena", players=5, pirates=pirates).new(seed=1)
    assert match.view(None)["start"] == [colour for colour in components.COLOURS for _ in range(pirates)]
    assert match.names["place"][components.START].slug == "prison"


@pytest.mark.rule("CA-21")
def test_tortuga_shows_the_island_sides_and_leads_from_the_wreck_to_the_hideout() -> None:
    passage = Passage("red 1", story="tortuga", parts="abcd", red="parrot parrot", pirates=4)
    assert symbols(passage.match) == "RCPLAH" + "ARLHCP" + "LPARHC" + "HACRPL"
    assert len(passage.match.view(None)["start"]) == 11
    passage.play("play parrot sloop")  # the half-sunk one
    assert passage.where("red") == ["1", "5"]
    full = Passage("red 23 hideout hideout hideout", story="tortuga", parts="abcd", red="rum", pirates=4)
    assert full.play("play rum 23").winner == "red"


@pytest.mark.rule("CA-22", "CA-29")
def test_the_full_story_has_tunnel_sides_then_island_sides() -> None:
    match = skerry.game("cartagena", story="full", tunnel="agf", island="bcde").new(seed=1)
    assert symbols(match) == "HALPCR" + "CPALHR" + "LACRHP" + "ARLHCP" + "LPARHC" + "HACRPL" + "PLHACR"
    assert [space["half"] for space in match.view(None)["path"]] == ["tunnel"] * 18 + ["island"] * 24
    assert match.view(None)["path"][18]["place"] == "19"
    assert match.view(None)["harbour"] == "cartagena"


@pytest.mark.rule("CA-01", "CA-22")
def test_a_half_by_letters_and_one_by_number_share_no_part() -> None:
    for seed in range(20):
        match = skerry.game("cartagena", story="full", tunnel="hgf", island=5).new(seed=seed)
        assert match.view(None)["parts"][:3] == ["h", "g", "f"]
        assert sorted(match.view(None)["parts"]) == list("abcdefgh")


@pytest.mark.rule("CA-01")
def test_the_first_seat_is_drawn_or_chosen() -> None:
    drawn = {skerry.game("cartagena", players=5).new(seed=seed).waiting[0] for seed in range(40)}
    assert drawn == {0, 1, 2, 3, 4}
    assert all(skerry.game("cartagena", first=2).new(seed=seed).waiting == (2,) for seed in range(8))


@pytest.mark.rule("CA-01")
def test_a_parts_file_gives_both_sides_and_the_record_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("# my box\n\nA PRLAHC CHALRP  # turned\n" + "\n".join(LINES[1:]))
    game = skerry.game("cartagena", set=str(path), story="full", tunnel="bca", island="def")
    match = game.new(seed=5)
    assert symbols(match)[12:18] == "PRLAHC"
    swapped = skerry.game("cartagena", set=path, story="full", tunnel="bcd", island="aef").new(seed=5)
    assert symbols(swapped)[18:24] == "CHALRP"
    match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    path.unlink()
    again = skerry.replay(match.record())
    assert again.content == match.content and again.record() == match.record()


@pytest.mark.rule("CA-01")
def test_a_file_equal_to_the_house_set_means_the_house_set(tmp_path: Path) -> None:
    path = tmp_path / "same.txt"
    path.write_text("\n".join(reversed(LINES)))
    assert skerry.game("cartagena", set=str(path)).options["set"] == "house"
    assert skerry.game("cartagena", set=write_parts(house_parts())).options["set"] == "house"


@pytest.mark.rule("CA-01")
@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["a HALPCR"], "line 1: a part is a letter, its tunnel side and its island side"),
        (["# box", "i HALPCR RCPLAH"], "line 2: a part is called by a letter from a to h"),
        ([*LINES[:3], "d LPRCA HACRPL"], "line 4: the tunnel side needs each of the symbols PRLAHC once"),
        ([*LINES[:3], "d LPRCAH HACRPP"], "line 4: the island side needs each of the symbols"),
        ([*LINES[:3], "", LINES[0]], "line 5: part a is there already"),
        (LINES[:7], "line 7: the file ends and there is no part h"),
        ([], "line 0: the file ends and there is no part a"),
    ],
)
def test_an_invalid_parts_file_is_refused_with_line_and_reason(tmp_path: Path, lines: list[str], reason: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("\n".join(lines))
    with pytest.raises(skerry.BadOption, match=reason) as refusal:
        skerry.game("cartagena", set=str(path))
    assert refusal.value.rule == "CA-01"


@pytest.mark.rule("CA-01")
def test_other_files_are_refused_without_quoting_them(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"password: \xff\xfe")
    for path in (secret, tmp_path, tmp_path / "none", Path("/dev/zero")):
        with pytest.raises(skerry.BadOption, match="cannot be read as a small text"):
            skerry.game("cartagena", set=str(path))
    secret.write_text("password hunter2 really")
    with pytest.raises(skerry.BadOption) as refusal:
        skerry.game("cartagena", set=str(secret))
    assert "hunter2" not in str(refusal.value)
    for value in ("", 7, None):
        with pytest.raises(skerry.BadOption, match="Option set takes"):
            skerry.game("cartagena", set=value)


@pytest.mark.rule("CA-03")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_six_cards_each_and_the_rest_is_the_deck(players: int) -> None:
    match = skerry.game("cartagena", players=players).new(seed=2)
    view = match.view(0)
    assert [seat["cards"] for seat in view["seats"]] == [6] * players
    assert view["deck"]["cards"] == 102 - 6 * players and view["discard"] == {}
    assert sum(view["seats"][0]["hand"].values()) == 6


@pytest.mark.rule("CA-03")
@pytest.mark.parametrize(("flibusters", "copies"), [("off", [17] * 6 + [0] * 6), ("on", [15] * 6 + [2] * 6)])
def test_seventeen_cards_of_each_symbol_two_of_them_dark(flibusters: str, copies: list[int]) -> None:
    state = skerry.game("cartagena", flibusters=flibusters).new(seed=2).state
    cards = [0] * components.KINDS
    for kind in range(components.KINDS):
        cards[kind] = sum(state.hands[seat, kind] for seat in range(4))
    for position in range(state.deck_left):
        cards[state.deck[position]] += 1
    assert cards == copies


@pytest.mark.rule("CA-03")
def test_hands_are_secret_but_their_sizes_and_the_discards_are_public() -> None:
    passage = Passage("", red="rum rum hook", green="pistol chest").play("play rum prison")
    for reader in (None, 1, 2):
        view = passage.match.view(reader)
        assert [seat["cards"] for seat in view["seats"]] == [2, 2, 0]
        assert view["seats"][0]["hand"] is None and view["seats"][0]["known"] == {}
        assert view["discard"] == {"rum": 1}
    assert passage.match.view(0)["seats"][0]["hand"] == {"rum": 1, "hook": 1}
    assert passage.match.view(0)["seats"][1]["hand"] is None


@pytest.mark.rule("CA-04")
def test_an_empty_deck_is_reshuffled_from_the_discards_and_the_cards_just_played() -> None:
    passage = Passage("red 11, green 9 9", red="rum").deck("hook", discard="chest chest")
    passage.play("play rum 11")  # to 15
    passage.play("back 15")  # two cards: the last of the deck, and one of the new one
    assert passage.held("red") == 2 and "hook" in passage.hand("red")
    assert passage.state.deck_left == 2 and passage.discarded() == ""
    drawn = passage.hand("red").replace("hook", "").strip()
    deck = sorted(components.CARDS[passage.state.deck[i]] for i in range(2))
    assert sorted([drawn, *deck]) == ["chest", "chest", "rum"]
    assert "The discards are shuffled into a new deck" in passage.events()


@pytest.mark.rule("CA-04")
def test_a_player_draws_what_there_is_if_no_cards_are_left() -> None:
    passage = Passage("red 11 12, green 9", red="rum").deck("hook")
    passage.play("back 11")
    assert passage.hand("red") == "rum hook" and passage.state.deck_left == 0
    passage.play("back 12")  # two cards are due and none is there
    assert passage.where("red") == ["9", "9"] and passage.hand("red") == "rum hook"
