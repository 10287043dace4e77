"""Flag before environment before file before default, and one line for each mistake."""

import os
from pathlib import Path

import pytest

from arena_tui.store.settings import OPTIONS, SettingsError, load


def environment(tmp_path: Path, text: str | None = None, **variables: str) -> dict[str, str]:
    file = tmp_path / "settings.toml"
    if text is not None:
        file.write_text(text, "utf-8")
    return {"ARENA_SETTINGS": str(file), **variables}


def test_defaults_say_that_they_are(tmp_path: Path) -> None:
    settings = load({}, environment(tmp_path))
    assert settings["agents"] == 48
    assert {settings.origin(option.name) for option in OPTIONS} == {"default"}
    assert not settings.file_found


def test_the_order_of_origins(tmp_path: Path) -> None:
    environ = environment(tmp_path, 'seed = 3\nagents = 9\ntheme = "arena-light"\n', ARENA_SEED="4", ARENA_AGENTS="10")
    settings = load({"seed": "5"}, environ)
    assert (settings["seed"], settings.origin("seed")) == (5, "flag")
    assert (settings["agents"], settings.origin("agents")) == (10, "environment")
    assert (settings["theme"], settings.origin("theme")) == ("arena-light", "file")


def test_keys_and_lists(tmp_path: Path) -> None:
    settings = load({}, environment(tmp_path, 'agent = ["a", "b"]\n[keys]\npause = "z"\n'))
    assert settings["agent"] == ("a", "b")
    assert settings.keys == {"pause": "z"}
    assert load({"agent": ["x,y", "z"]}, environment(tmp_path))["agent"] == ("x,y", "z")
    assert load({}, environment(tmp_path, ARENA_AGENT="x, y"))["agent"] == ("x", "y")


@pytest.mark.parametrize(
    ("text", "variables", "flags", "line"),
    [
        ("seeds = 1", {}, {}, "unknown key 'seeds'; did you mean seed?"),
        ("agents = 0", {}, {}, "agents: 0 is not a whole number from 1 to 1000"),
        ("agents = true", {}, {}, "agents: True is not a whole number from 1 to 1000"),
        ("speed = nan", {}, {}, "speed: nan is not a number from 0.25 to 64"),
        ("seed = ", {}, {}, "not TOML"),
        ("[keys]\npause = 3", {}, {}, "[keys] must map action ids to keys"),
        (None, {"ARENA_RULES": "both"}, {}, "ARENA_RULES: 'both' is not documented or deployed"),
        (None, {"ARENA_EMBARGO": "maybe"}, {}, "ARENA_EMBARGO: 'maybe' is not true or false"),
        (None, {}, {"seed": "-1"}, "--seed: '-1' is not a whole number from 0"),
        (None, {}, {"seed": "1.5"}, "--seed: '1.5' is not a whole number from 0"),
        (None, {}, {"at": "noon"}, "--at: 'noon' is not start, half, end or seconds"),
        (None, {}, {"at": "inf"}, "--at: 'inf' is not start, half, end or seconds"),
        (None, {}, {"url": "api.example"}, "--url: 'api.example' is not an http or https address"),
        ('url = "http://x:99999"', {}, {}, "url: 'http://x:99999' is not an http or https address"),
        (None, {}, {"url": "http://x:0"}, "--url: 'http://x:0' is not an http or https address"),
        ("a = " + "[" * 9999, {}, {}, "not TOML that can be read: nested too deeply"),
        ("agent = 3", {}, {}, "agent: 3 is not names"),
        ("agent = [[1]]", {}, {}, "agent: [[1]] is not names"),
        ("export_folder = 3", {}, {}, "export_folder: 3 is not a folder"),
        ('export_folder = "a\\u0000b"', {}, {}, "export_folder: 'a\\x00b' is not a folder"),
        (None, {}, {"export_folder": "~nobody-of-that-name/x"}, "--export-folder: '~nobody"),
        (None, {}, {"theme": "neon"}, "--theme: 'neon' is not arena-dark"),
        (None, {"ARENA_DESIGN_GUIDE_HASH": "abc"}, {}, "ARENA_DESIGN_GUIDE_HASH: 'abc' is not a SHA-256"),
    ],
)
def test_each_mistake_is_one_line(
    tmp_path: Path, text: str | None, variables: dict[str, str], flags: dict[str, str], line: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load(flags, environment(tmp_path, text, **variables))
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_settings_file_that_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load({}, {"ARENA_SETTINGS": str(tmp_path)})


@pytest.mark.parametrize(
    ("text", "variables"),
    [('api_key = "clw hidden"', {}), (None, {"ARENA_API_KEY": "clw_hidden\n2"}), ('api_key = ["hidden"]', {})],
)
def test_a_key_that_is_none_is_never_shown(tmp_path: Path, text: str | None, variables: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="what it holds is not a key") as caught:
        load({}, environment(tmp_path, text, **variables))
    assert "hidden" not in str(caught.value)


@pytest.mark.skipif(os.name != "posix", reason="rights are told by a file's mode")
@pytest.mark.parametrize(
    ("text", "mode", "exposed"),
    [
        ('api_key = "clw_x"', 0o600, False),
        ('api_key = "clw_x"', 0o640, True),
        ('api_key = "clw_x"', 0o604, True),
        ("seed = 3", 0o644, False),
    ],
)
def test_a_file_that_holds_a_key_and_that_others_read_is_known(
    tmp_path: Path, text: str, mode: int, exposed: bool
) -> None:
    environ = environment(tmp_path, text, ARENA_API_KEY="clw_other")
    (tmp_path / "settings.toml").chmod(mode)
    settings = load({}, environ)
    assert (settings.exposed, settings["api_key"]) == (exposed, "clw_other")
