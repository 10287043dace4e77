"""Settings, and where each came from: flag, environment, settings file or default, in that order.

Option `--x-y` is the environment's `ARENA_X_Y` and the settings file's key `x_y`. Pydantic would cost more than the
whole of a one-shot run, so each option brings its own small parser.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

PREFIX = "ARENA_"


class SettingsError(Exception):
    """One line: what was wrong, where, what would be right."""


class Option(NamedTuple):
    """One setting. `parse` takes a flag's or the environment's text, or a TOML value, and raises ValueError."""

    name: str
    parse: Callable[[Any], Any]
    default: Any
    wanted: str
    help: str
    secret: bool = False

    @property
    def flag(self) -> str:
        """The option on the command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """The option in the environment."""
        return PREFIX + self.name.upper()


class Setting(NamedTuple):
    """The effective value of an option and its origin: `flag`, `environment`, `file` or `default`."""

    option: Option
    value: Any
    origin: str


def whole(least: int, most: int) -> Callable[[Any], int]:
    """A parser of whole numbers from `least` to `most`."""

    def parse(value: Any) -> int:
        number = int(value, 10) if isinstance(value, str) else value
        if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
            raise ValueError
        return number

    return parse


def real(least: float, most: float) -> Callable[[Any], float]:
    """A parser of finite numbers from `least` to `most`."""

    def parse(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError
        number = float(value)
        if not least <= number <= most:
            raise ValueError
        return number

    return parse


def one_of(*words: str) -> Callable[[Any], str]:
    """A parser of one word out of `words`."""

    def parse(value: Any) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return parse


def switch(value: Any) -> bool:
    """A parser of yes and no."""
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text in {"1", "true", "yes", "on"}:
        return True
    if text in {"0", "false", "no", "off", ""}:
        return False
    raise ValueError


def names(value: Any) -> tuple[str, ...]:
    """A parser of a list of names: TOML list, repeated flags, or text with commas."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(isinstance(one, str) for one in parts):
        raise ValueError
    return tuple(part for part in (one.strip() for one in parts) if part)


def moment(value: Any) -> str | float:
    """A parser of a moment of a simulated race: `start`, `half`, `end` or seconds since its start."""
    if value in {"start", "half", "end"}:
        return str(value)
    return real(-86_400, 86_400)(value)


def address(value: Any) -> str:
    """A parser of a server's address, without a trailing slash."""
    from urllib.parse import urlsplit

    text = str(value).strip()
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:  # a port may be none at all
        raise ValueError
    return text.rstrip("/")


def folder(value: Any) -> str:
    """A parser of a folder's path; it need not be there yet."""
    if not isinstance(value, str) or "\0" in value:
        raise ValueError
    try:
        Path(value).expanduser()
    except RuntimeError:  # ~somebody who is not known here
        raise ValueError from None
    return value


def key(value: Any) -> str:
    """A parser of an API key: what fits into a header."""
    text = value.strip() if isinstance(value, str) else ""
    if not text.isascii() or not text.isprintable() or " " in text or not text:
        raise ValueError
    return text


def digest(value: Any) -> str:
    """A parser of a SHA-256 in hexadecimal."""
    text = value.strip().lower() if isinstance(value, str) else ""
    if len(text) != 64 or not set(text) <= set("0123456789abcdef"):
        raise ValueError
    return text


THEMES = ("arena-dark", "arena-light", "arena-cvd-dark", "arena-cvd-light")
LARGEST_SEED = 2**63 - 1

WATCH_OPTIONS = (
    Option("rules", one_of("documented", "deployed"), "documented", "documented or deployed", "which rules compute"),
    Option("seed", whole(0, LARGEST_SEED), 1, "a whole number from 0", "seed of the simulated arena"),
    Option(
        "at",
        moment,
        None,
        "start, half, end or seconds from -86400 to 86400",
        "moment of the simulated race to begin at",
    ),
    Option("agents", whole(1, 1000), 48, "a whole number from 1 to 1000", "agents in the simulated field"),
    Option("validators", whole(1, 9), 3, "a whole number from 1 to 9", "validators of the simulated race"),
    Option("embargo", switch, False, "true or false", "seal the simulated race until its reveal"),
    Option("speed", real(0.25, 64), 1.0, "a number from 0.25 to 64", "speed of simulated time"),
    Option("url", address, "https://api.oroagents.com", "an http or https address", "address of the ORO-style server"),
    Option("interval", real(0.2, 3600), None, "seconds from 0.2 to 3600", "seconds between polls of what moves most"),
    Option("timeout", real(1, 600), 20.0, "seconds from 1 to 600", "seconds --once waits for a server"),
    Option("theme", one_of(*THEMES), "arena-dark", ", ".join(THEMES), "colours of the screen"),
    Option("raw", switch, False, "true or false", "race scores as fractions instead of percentages"),
    Option("agent", names, (), "names", "your own agents, pinned (repeat it or use commas)"),
    Option("export_folder", folder, ".", "a folder", "where exported views are written"),
)
"""Flags of `arena watch`, in this order."""

DRAFT_OPTIONS = (
    Option(
        "clawdiators_url",
        address,
        "https://clawdiators.ai/api/v1",
        "an http or https address",
        "address of the server that drafts go to",
    ),
    Option("design_guide_hash", digest, None, "a SHA-256 in hexadecimal", "the design guide that drafts go by"),
    Option("api_key", key, None, "a key: letters, digits and marks without spaces", "the agent's key", secret=True),
)
"""What drafts need of a server; the key is never a flag: what is on a command line, everybody on a machine can read."""

OPTIONS = (*WATCH_OPTIONS, *DRAFT_OPTIONS)


class Settings:
    """Every option's effective value with its origin, and the keys remapped by action id.

    `exposed` says whether the file holds a secret and others can read it, `complaints` what of it all was left out.
    """

    __slots__ = ("by_name", "complaints", "exposed", "file", "file_found", "keys")

    def __init__(
        self,
        by_name: Mapping[str, Setting],
        keys: Mapping[str, str],
        file: Path,
        file_found: bool,
        exposed: bool = False,
        complaints: tuple[str, ...] = (),
    ) -> None:
        self.by_name, self.keys, self.complaints = by_name, keys, complaints
        self.file, self.file_found, self.exposed = file, file_found, exposed

    def __getitem__(self, name: str) -> Any:
        return self.by_name[name].value

    def origin(self, name: str) -> str:
        """`flag`, `environment`, `file` or `default`."""
        return self.by_name[name].origin


def settings_file(environ: Mapping[str, str] = os.environ) -> Path:
    """The settings file: `ARENA_SETTINGS`, or `settings.toml` in the platform's config folder."""
    given = environ.get(PREFIX + "SETTINGS")
    if given:
        return Path(given)
    from platformdirs import user_config_path

    return user_config_path("arena", appauthor=False) / "settings.toml"


def load(flags: Mapping[str, Any], environ: Mapping[str, str] = os.environ, lenient: bool = False) -> Settings:
    """The effective settings; raises `SettingsError` with one line for the first value that is wrong.

    Where it is `lenient`, what is wrong is left out instead, and all of it said in `complaints`.
    """
    file = settings_file(environ)
    complaints: list[str] = []

    def refused(error: SettingsError) -> None:
        if not lenient:
            raise error from None
        complaints.append(str(error))

    try:
        found, table = _read(file)
    except SettingsError as error:
        refused(error)
        found, table = file.exists(), {}
    keys: dict[str, str] = {}
    try:
        keys = _keys(table.pop("keys", {}), file)
    except SettingsError as error:
        refused(error)
    for unknown in _unknown(table, file):
        refused(unknown)
    by_name: dict[str, Setting] = {}
    for option in OPTIONS:
        try:
            by_name[option.name] = _effective(option, flags, environ, table, file)
        except SettingsError as error:
            refused(error)
            by_name[option.name] = Setting(option, option.default, "default")
    exposed = any(option.secret and option.name in table for option in OPTIONS) and _readable_by_others(file)
    return Settings(by_name, keys, file, found, exposed, tuple(complaints))


def _effective(
    option: Option, flags: Mapping[str, Any], environ: Mapping[str, str], table: Mapping[str, Any], file: Path
) -> Setting:
    if flags.get(option.name) is not None:
        return Setting(option, _parsed(option, flags[option.name], option.flag), "flag")
    if environ.get(option.variable):
        return Setting(option, _parsed(option, environ[option.variable], option.variable), "environment")
    if option.name in table:
        return Setting(option, _parsed(option, table[option.name], f"{file}: {option.name}"), "file")
    return Setting(option, option.default, "default")


def _parsed(option: Option, value: Any, where: str) -> Any:
    try:
        return option.parse(value)
    except (ValueError, TypeError, OverflowError):
        shown = "what it holds" if option.secret else repr(value)
        raise SettingsError(f"{where}: {shown} is not {option.wanted}") from None


def _readable_by_others(file: Path) -> bool:
    # Windows tells rights otherwise; there a file in the user's own folder is the user's own.
    return os.name == "posix" and bool(file.stat().st_mode & 0o077)


def _read(file: Path) -> tuple[bool, dict[str, Any]]:
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return False, {}
    except OSError as error:
        raise SettingsError(
            f"{file}: cannot be read ({error.strerror}); fix it or name another in {PREFIX}SETTINGS"
        ) from None
    import tomllib

    try:
        return True, tomllib.loads(text.decode("utf-8"))
    except RecursionError:
        raise SettingsError(f"{file}: not TOML that can be read: nested too deeply") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: not TOML: {' '.join(str(error).split())}") from None


def _unknown(table: Mapping[str, Any], file: Path) -> Iterator[SettingsError]:
    allowed = [option.name for option in OPTIONS]
    for name in table:
        if name not in allowed:
            from difflib import get_close_matches

            near = get_close_matches(name, allowed, 1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(allowed)} and [keys]"
            yield SettingsError(f"{file}: unknown key {name!r}; {hint}")


def _keys(table: Any, file: Path) -> dict[str, str]:
    if not isinstance(table, dict) or not all(isinstance(key, str) and key for key in table.values()):
        raise SettingsError(f'{file}: [keys] must map action ids to keys, as in view-race = "1"')
    return dict(table)
