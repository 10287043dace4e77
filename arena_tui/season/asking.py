"""What was asked for: from a config file and flags to seasons that are not yet simulated, or to a part of them."""

from __future__ import annotations

import argparse
import stat
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from arena_tui.commands.refusal import RefusedError
from arena_tui.sources import rules_of
from arena_tui.store.season_files import POLICIES_AT_MOST, SeasonFileError, load
from arena_tui.store.settings import Settings
from arena_tui.text import one_line
from engine.rules import Rules
from engine.season.results import SeasonResult, nothing_yet
from engine.season.season_config import ConfigError, Policy, SeasonConfig, check_seasons, read_config

SEASONS = 1000
CONFIG_AT_MOST = 1 << 20
"""Bytes of a config file."""

SAID_BY_A_FILE = ("races", "agents", "seasons")
"""Flags that a file to go on with leaves no room for."""


def asked(flags: argparse.Namespace, config_file: Path | None, settings: Settings) -> SeasonResult:
    """The result to begin with; `RefusedError` says in one line what is wrong."""
    try:
        if flags.resume is not None:
            return _resumed(Path(flags.resume), flags, config_file, settings)
        config = config_of(flags, config_file, rules_of(settings))
        seasons = check_seasons(whole("--seasons", flags.seasons, SEASONS))
        policies = (config.policy(), *varied_policies(flags.vary or (), config))
    except (ConfigError, SeasonFileError) as error:
        raise RefusedError(f"arena season: {error}") from None
    return nothing_yet(config, policies, settings["rules"], settings["seed"], seasons)


def config_of(flags: argparse.Namespace, config_file: Path | None, rules: Rules) -> SeasonConfig:
    """The config of the file, with what flags say in its place; `ConfigError` names the first wrong value."""
    table = {} if config_file is None else _read(config_file)
    try:
        read_config(table, rules)
    except ConfigError as error:
        raise ConfigError(f"{config_file}: {error}") from None
    given = {name: getattr(flags, name) for name in ("races", "agents") if getattr(flags, name) is not None}
    return read_config({**table, **{name: whole(f"--{name}", text, 0) for name, text in given.items()}}, rules)


def _resumed(file: Path, flags: argparse.Namespace, config_file: Path | None, settings: Settings) -> SeasonResult:
    said = [f"--{name}" for name in SAID_BY_A_FILE if getattr(flags, name) is not None]
    said += [f"--{name}" for name in ("seed", "rules") if settings.origin(name) == "flag"]
    said += ["--vary"] if flags.vary else []
    said += [str(config_file)] if config_file is not None else []
    if said:
        raise RefusedError(f"arena season: --resume {file}: the file says what is run; leave out {said[0]}")
    return load(file)


def _read(file: Path) -> Mapping[str, Any]:
    import tomllib

    try:
        if not stat.S_ISREG((found := file.stat()).st_mode) and not file.is_dir():
            raise ConfigError(f"{file}: is no regular file")
        if found.st_size > CONFIG_AT_MOST:
            raise ConfigError(f"{file}: is larger than any config ({CONFIG_AT_MOST:,} bytes)")
        return tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except ConfigError:
        raise
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read ({error.strerror})") from None
    except RecursionError:
        raise ConfigError(f"{file}: not TOML that can be read: nested too deeply") from None
    except ValueError as error:
        raise ConfigError(f"{file}: not TOML: {one_line(error)}") from None


def whole(flag: str, text: str | None, default: int) -> int:
    """The whole number that a flag gives, or the default; `ConfigError` where it gives none."""
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        raise ConfigError(f"{flag}: {one_line(text, 60)!r} is not a whole number") from None


def varied_policies(given: Sequence[str], config: SeasonConfig) -> Iterator[Policy]:
    """Every combination of the values to vary, but for the config's own."""
    varied: dict[str, list[object]] = {}
    for one in given:
        key, equals, values = one.partition("=")
        if key not in Policy._fields or not equals:
            raise ConfigError(f"--vary {one!r}: is not {' or '.join(f'{name}=…' for name in Policy._fields)}")
        varied[key] = [value_of(key, text) for text in values.split(",")]
    if not varied:
        return
    seen = [config.policy()]
    for chosen in product(*varied.values()):
        policy = read_config({**config._asdict(), **dict(zip(varied, chosen, strict=True))}).policy()
        if policy not in seen:
            seen.append(policy)
            yield policy
        if len(seen) > POLICIES_AT_MOST:
            raise ConfigError(f"--vary: more than {POLICIES_AT_MOST} policies; vary less at once")


def value_of(key: str, text: str) -> object:
    """What a word of the command line stands for, as TOML would have given it; what is none stays text."""
    text = text.strip()
    if key in {"baseline", "seeds"}:
        return text
    if text in {"true", "false"}:
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
