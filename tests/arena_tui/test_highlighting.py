"""Colours of JSON, differences and code: they change no character, and take no time that one would notice."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_tui.themes import ROLES
from arena_tui.widgets.cells import Line
from arena_tui.widgets.highlighting import DIFF, JSON, LANGUAGES, PROSE, coloured, cut, language_of
from arena_tui.widgets.step_detail import PREVIEW, Look, detail_lines
from engine.trajectory.steps import Step
from tests.arena_tui.replaying import HOSTILE, replaying, tool, written


def told(lines: list[Line]) -> str:
    return "\n".join("".join(text for text, _ in line) for line in lines)


def roles(text: str, language: str) -> dict[str, str]:
    """Piece → its colour."""
    return {piece.strip(): role for line in coloured(text, language, "plain") for piece, role in line}


@given(st.text(), st.sampled_from([JSON, DIFF, PROSE, *sorted(set(LANGUAGES.values()))]))
def test_no_character_is_changed_and_every_colour_is_a_role(text: str, language: str) -> None:
    lines = list(coloured(text, language, "plain"))
    assert told(lines) == text
    assert {role for line in lines for _, role in line} <= set(ROLES)


@given(
    st.lists(st.tuples(st.text(max_size=9), st.sampled_from(ROLES)), max_size=6), st.integers(0, 20), st.integers(0, 20)
)
def test_a_piece_of_a_line_is_that_of_its_text(line: list[tuple[str, str]], start: int, length: int) -> None:
    whole = "".join(text for text, _ in line)
    assert told([cut(tuple(line), start, start + length)]) == whole[start : start + length]


def test_json_shows_names_texts_numbers_and_words() -> None:
    found = roles('{\n  "name": "a \\"b\\"",\n  "count": -1.5e3,\n  "known": null\n}', JSON)
    assert (found['"name"'], found['"a \\"b\\""'], found["-1.5e3"], found["null"]) == (
        "sky",
        "emerald",
        "coral",
        "purple",
    )


def test_a_difference_shows_what_came_and_went() -> None:
    text = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same"
    assert language_of(text, "", False, False) == DIFF
    found = roles(text, DIFF)
    assert [found[line] for line in text.splitlines()[:5]] == ["head", "head", "accent", "down", "up"]
    assert found["same"] == "plain"


def test_code_is_known_by_its_tool_and_by_its_fence() -> None:
    assert language_of("ls", "bash", True, False) == "bash"
    assert language_of("ls", "bash", False, False) == PROSE
    assert language_of("x", "IPython", True, False) == "python"
    found = roles("so\n```python\ndef f():\n    return 'x'\n```\nand def", PROSE)
    assert (found["def"], found["f"], found["x"], found["and def"]) == ("purple", "gold", "emerald", "plain")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([{"name": "x" * 20, "value": 1.5}] * 900),
        "```python\n" + "def f(x):\n    return x\n" * 1500,
        "@@ -1 +1 @@\n" + "+line\n" * 6000,
        '"' * PREVIEW,
        "[" + "1," * 16_000 + "1]",
    ],
    ids=["json", "code", "difference", "quotes", "numbers"],
)
def test_a_step_is_there_at_a_key_press(text: str) -> None:
    step = Step("1", "tool", "bash", (1,), output=text, output_json=True)
    list(detail_lines(step, None, 60, Look()))
    began = time.perf_counter()
    list(detail_lines(step, None, 60, Look()))
    assert time.perf_counter() - began < 0.5


async def test_hostile_text_in_code_is_shown_and_does_nothing(tmp_path: Path) -> None:
    output = f"```python\nx = '{HOSTILE}'\n```"
    async with replaying(written(tmp_path, [tool(1, output=output, input=json.dumps({"a": HOSTILE}))])) as replay:
        await replay.press("l")
        text = replay.text()
        assert "[@click=app.quit]x" in " ".join(text.split())
        assert "\x1b" not in text
        assert any(role == "emerald" for line in replay.screen.detail.lines for _, role in line)
