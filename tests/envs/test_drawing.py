"""Boards as pixels."""

from __future__ import annotations

import subprocess
import sys
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest

import skerry
from skerry.engine.struct import StructBuffer
from skerry.envs import drawing
from skerry.envs.gymnasium import SkerryEnv, env_id
from skerry.envs.pettingzoo import env as aec_env


def test_a_picture_changes_with_the_board(game: skerry.Game) -> None:
    env = SkerryEnv(game.name, render_mode="rgb_array", seats=("me", "me"))
    seen, _ = env.reset(seed=3)
    first = env.render()
    assert first.dtype == np.uint8 and first.shape[1:] == (drawing.WIDTH, 3) and len(np.unique(first)) > 50
    for _ in range(25):
        seen, *_ = env.step(np.flatnonzero(seen["action_mask"])[0])
    later = env.render()
    assert later.shape == first.shape and 0 < (later != first).any(2).mean() < 0.9
    env.reset(seed=3)
    assert (env.render() == first).all()


def test_a_picture_needs_no_style_sheet(game: skerry.Game) -> None:
    """No class, custom property or reference is left that a rasteriser would not understand."""
    match = game.configure({}).new(3)
    text = drawing.svg(game, StructBuffer(game.state_struct, match.content).array)
    for element in ElementTree.fromstring(text).iter():
        assert not {"class", "style"} & set(element.attrib) and not element.tag.endswith("use")
        assert not any(sign in value for value in element.attrib.values() for sign in ("var(", "light-dark(", "mix("))


def test_a_picture_shows_what_a_spectator_may_see(game: skerry.Game) -> None:
    match = game.configure({}).new(3)
    array = StructBuffer(game.state_struct, match.content).array
    world = StructBuffer(game.state_struct, match.content)
    game.rules.determinize(world.struct, -1, np.uint64(9))
    assert world.content != match.content and drawing.svg(game, array) == drawing.svg(game, world.array)


def test_pictures_of_a_vector_and_of_agents() -> None:
    env: Any = gymnasium.make_vec("skerry/hashi-v1", 2, render_mode="rgb_array")
    env.reset(seed=1)
    pictures = env.render()
    assert len(pictures) == 2 and pictures[0].shape == pictures[1].shape
    table = aec_env("hashi", render_mode="rgb_array")
    table.reset(seed=1)
    assert table.render().shape == pictures[0].shape


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("var(--a)", "#123456"),
        ("var(--missing, 3px)", "3"),
        ("var(--b)", "#123456"),
        ("light-dark(var(--a), #fff)", "#123456"),
        ("translateY(-3px) rotate(5deg)", "translate(0 -3) rotate(5)"),
        ("scaleX(0.5)", "scale(0.5 1)"),
        ("color-mix(in srgb, #ff0000 25%, #0000ff)", "rgba(64, 0, 191, 1.000)"),
        ("calc(1px + 2px)", None),
        ("M10 20L30 40Z", "M10 20L30 40Z"),
    ],
)
def test_values_of_style_sheets(value: str, expected: str | None) -> None:
    assert drawing.resolved_value(value, {"--a": "#123456", "--b": "light-dark(var(--a), #000)"}) == expected


def test_fonts_in_one_line() -> None:
    assert drawing.font_attributes('italic 700 12.5px/1.2 "DejaVu Serif", serif') == {
        "font-style": "italic",
        "font-weight": "700",
        "font-size": "12.5",
        "font-family": '"DejaVu Serif", serif',
    }
    assert drawing.font_attributes("inherit") == {}


def test_an_environment_that_might_draw_needs_nothing_until_it_does() -> None:
    code = (
        "import sys; sys.modules['resvg_py'] = None\n"
        "from skerry.envs.gymnasium import SkerryEnv\n"
        "env = SkerryEnv('hashi', players=1, render_mode='rgb_array'); env.reset(seed=1); print('made'); env.render()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "made\n" and "pip install 'skerry[pictures]'" in done.stderr


def test_every_game_is_registered_with_pictures(game: skerry.Game) -> None:
    assert "rgb_array" in gymnasium.make(env_id(game)).metadata["render_modes"]
