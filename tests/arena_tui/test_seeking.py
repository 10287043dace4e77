"""Search in the text of a run: what it finds, and that no pattern can hold it up."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from arena_tui.matching import Matcher, TooSlowError
from arena_tui.reel import Reel
from arena_tui.seeking import GIVEN_UP_AT_MOST, Search
from engine.trajectory.formats.reading import read_trajectory
from tests.arena_tui.replaying import ordinary, replaying, tool, written

BACKTRACKING = r"(a+)+$"
ENDLESS = "a" * 40 + "!"


def reel_of(folder: Path, steps: list[dict[str, object]]) -> Reel:
    """A run of these steps, read to its end."""
    reel = Reel(read_trajectory(written(folder, steps))[0])
    while not reel.read_on():
        pass
    return reel


def test_a_pattern_finds_what_re_finds_and_says_which_text_it_was(tmp_path: Path) -> None:
    search = Search(reel_of(tmp_path, ordinary()), r"re:NEE.le|answer \d")
    assert search.look_on(60.0)
    assert list(search.hits) == [1, 3, 7]
    shown = search.shown_in(1)
    assert shown is not None
    assert shown.findall("find the needle, Answer 5") == ["needle"]
    assert search.shown_in(0) is None
    assert search.progress() == "3 steps hit"
    search.close()


@pytest.mark.parametrize("pattern", ["(", "*", "(?P<a>x)(?P<a>y)", "[z-a]"])
def test_what_is_no_pattern_is_said(tmp_path: Path, pattern: str) -> None:
    search = Search(reel_of(tmp_path, ordinary()), f"re:{pattern}")
    assert search.look_on()
    assert search.progress().startswith("no pattern: ")
    assert not search.wanted


def test_a_step_that_takes_too_long_is_passed_over(tmp_path: Path) -> None:
    search = Search(reel_of(tmp_path, [tool(1), tool(2, output=ENDLESS), tool(3, output="aaa")]), f"re:{BACKTRACKING}")
    began = time.monotonic()
    while not search.look_on(60.0):
        pass
    assert time.monotonic() - began < 10
    assert list(search.hits) == [2]
    assert search.progress() == "1 step hit, 1 took too long"
    search.close()


def test_a_pattern_that_always_takes_too_long_is_given_up(tmp_path: Path) -> None:
    steps = [tool(second, output=ENDLESS) for second in range(GIVEN_UP_AT_MOST + 3)]
    search = Search(reel_of(tmp_path, steps), f"re:{BACKTRACKING}")
    assert search.look_on(60.0)
    assert search.progress() == "the pattern takes too long (0.5 s a step): given up at step 3"


def test_a_match_that_is_under_way_ends_at_once_when_it_is_closed() -> None:
    matcher = Matcher(BACKTRACKING)
    assert matcher.error() == ""
    ending = threading.Timer(0.1, matcher.close)
    ending.start()
    began = time.monotonic()
    with pytest.raises(TooSlowError):
        matcher.found((ENDLESS + "x" * (64 << 20),))
    assert time.monotonic() - began < 4
    assert matcher.closed


def test_halves_of_surrogate_pairs_and_control_characters_are_matched() -> None:
    matcher = Matcher("\x1b\\[31m|\ud83d")
    assert matcher.error() == ""
    assert matcher.found(["a \x1b[31m", "half \ud83d", "none"]) == [["\x1b[31m"], ["\ud83d"], None]
    matcher.close()


async def test_the_screen_lives_on_while_a_pattern_backtracks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena_tui.matching.WAIT_FOR", 30.0)
    steps = [*ordinary(), tool(9, output=ENDLESS)]
    async with replaying(written(tmp_path, steps)) as replay:
        await replay.press("slash", *"re:", *(character_key(one) for one in BACKTRACKING))
        await replay.press("enter", "0", "l")
        assert "step 1 of 9" in replay.text()
        await replay.press("$")
        assert "step 9 of 9" in replay.text()
        search = replay.screen.search
        assert search is not None
        assert not search.done
        assert search.given_up == 0
        await replay.press("escape")
        assert replay.screen.search is None
        await replay.until(lambda: search.done)


def character_key(one: str) -> str:
    """What Textual calls the key of a character."""
    named = {"(": "left_parenthesis", ")": "right_parenthesis", "+": "plus", "$": "dollar_sign"}
    return named.get(one, one)
