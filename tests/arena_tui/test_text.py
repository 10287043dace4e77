"""Text from outside is harmless, visible and of the width it says it has."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_tui.text import NAME_LIMIT, cells, fitted, multi_line, one_line

KNOWN = [
    ("plain name", "plain name"),
    ("lab[/]rat", "lab[/]rat"),
    ("[@click=app.quit]x", "[@click=app.quit]x"),
    ("a\x1b]52;c;aGk=\x07b", "a�b"),
    ("a\x1b]0;ALL PASSED\x1b\\b", "a�b"),
    ("x\x9b2Jy\x1b[31mred", "x�y�red"),
    ("cut\x1b]0;never ends", "cut�"),
    ("\rnul\x00del\x7f", "nul�del�"),
    ("a\u202eb\u2066c", "a�b�c"),
    ("one\ntwo\tthree", "one two three"),
    ("\x1f\xad\x1f0", "�0"),
    ("👩‍👩‍👧-bot", "👩👩👧-bot"),
    ("👍🏽", "👍"),
    ("❤️", "❤"),
    ("🇯🇵", "JP"),
    ("日本語エージェント", "日本語エージェント"),
    ("بوت", "بوت"),
    ("half\ud83d", "half�"),
    ("e" + "\u0301" * 50, "é\u0301\u0301"),
    ("\u200b", '"\\u200b"'),
    ("", '""'),
    ("   ", '"   "'),
    (None, "None"),
    (12, "12"),
]


@pytest.mark.parametrize(("given_text", "shown"), KNOWN)
def test_known_names(given_text: object, shown: str) -> None:
    assert one_line(given_text) == shown


def test_a_long_name_is_cut_with_an_ellipsis() -> None:
    shown = one_line("n" * 10_000)
    assert len(shown) == NAME_LIMIT
    assert shown.endswith("n…")


@given(st.text(st.characters()))
def test_whatever_comes_is_one_printable_line(text: str) -> None:
    shown = one_line(text)
    assert 0 < len(shown) <= NAME_LIMIT
    shown.encode("utf-8")
    assert not {unicodedata.category(one) for one in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert one_line(shown) == shown


@given(st.text(st.characters()), st.integers(0, 60), st.booleans())
def test_a_fitted_text_takes_exactly_its_width(text: str, width: int, right: bool) -> None:
    assert cells(fitted(one_line(text), width, right)) == width


@pytest.mark.parametrize(
    ("text", "width"), [("日本", 4), ("é", 1), ("e\u0301", 1), ("❤", 1), ("👩👩👧", 6), ("abc", 3)]
)
def test_cells(text: str, width: int) -> None:
    assert cells(text) == width


def test_a_wide_character_is_never_halved() -> None:
    assert fitted("日本語", 4) == "日… "


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("two\nlines\r\nthree", "two\nlines\nthree"),
        ("\tx\ny\tz", "    x\ny   z"),
        ("日\tz", "日  z"),
        ("ok \x1b[31m\x00\x07", "ok ␛[31m␀␇"),
        ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
        ("\x9b2J é", "\\x9b2J é"),
        ("50%\r100%\x7f", "50%␍100%␡"),
        ("a\u202eb", "a�b"),
        ("half\ud83d", "half�"),
        ("👍🏽 🇯🇵", "👍 JP"),
        ("[@click=app.quit]x[/]", "[@click=app.quit]x[/]"),
        ("", ""),
    ],
)
def test_known_texts_of_many_lines(given_text: str, shown: str) -> None:
    assert multi_line(given_text) == shown


@given(st.text(st.characters()))
def test_whatever_comes_is_printable_lines(text: str) -> None:
    shown = multi_line(text)
    shown.encode("utf-8")
    assert not {unicodedata.category(one) for one in shown if one != "\n"} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert shown.count("\n") == text.replace("\r\n", "\n").count("\n")
