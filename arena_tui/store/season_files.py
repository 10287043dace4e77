"""Seasons in a file: NumPy's NPZ, which explains itself, replaced as a whole or not at all.

`about` is JSON: config, policies, rules, seed, how many seasons of how many, the version, and what each measure means.
`estimates/NAME` holds values, lows and highs along the measure's axis. `sums/NAME` holds the exact whole numbers they
follow from, as text: with them a part of a run is gone on with to the same bytes.
"""

from __future__ import annotations

import io
import json
import lzma
import os
import stat
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile

import numpy as np

from arena_tui import __version__
from arena_tui.store.settings import LARGEST_SEED
from arena_tui.text import one_line
from engine.rules import RULES_BY_NAME
from engine.season.catalogue import (
    BY_NAME,
    CLAIMS,
    CROWN,
    FIELD,
    HISTOGRAMS,
    PAIRED,
    places,
)
from engine.season.intervals import CONFIDENCE
from engine.season.measures import REGRET_BINS
from engine.season.reduction import MODEL
from engine.season.results import SeasonResult
from engine.season.season_config import Policy, SeasonConfig, check_seasons, read_config
from engine.season.sums import Sums

try:
    import fcntl
except ImportError:  # Windows, where no file is replaced that is open
    fcntl = None  # type: ignore[assignment]

KIND = "arena seasons"

POLICIES_AT_MOST = 40

ABOUT_AT_MOST, SUMS_AT_MOST = 1 << 20, 16 << 20
"""Bytes that a part of a file unpacks to at most: with 1,000 races and all policies it is a fifth of that."""

_FAULTS = (
    *(BadZipFile, EOFError, LookupError, ValueError, TypeError, AttributeError, RuntimeError, ArithmeticError),
    *(MemoryError, zlib.error, lzma.LZMAError),
)
"""What the readers of ZIP, NPY and JSON raise at bytes that are none."""


class SeasonFileError(Exception):
    """One line: what is wrong with the file."""


def save(file: Path, result: SeasonResult) -> None:
    """Write the result, whole or not at all; OSError says why it cannot be done."""
    part = file.parent / f"{file.name}.part"
    try:
        with _locked(part) as stream:
            np.savez(stream, **_arrays(result))
            stream.flush()
            os.fsync(stream.fileno())
            if fcntl is not None:
                part.replace(file)
        if fcntl is None:
            part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    _settle(file.parent)


def _locked(part: Path) -> BinaryIO:
    """The file to write, empty, and until it is closed ours alone: two runs may have been given the same one."""
    while True:
        stream = os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")
        if fcntl is not None:
            fcntl.flock(stream, fcntl.LOCK_EX)
        # The other run may have made it the result while we waited for it.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(stream.fileno()), part.stat()):
                stream.truncate()
                return stream
        stream.close()


def load(file: Path) -> SeasonResult:
    """The result in the file; `SeasonFileError` where it is none, is cut, or is another version's.

    Nothing in it is trusted: no object is unpickled, nothing is unpacked that is larger than what we write, and sums
    that no seasons come to are refused.
    """
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise SeasonFileError(f"{file}: is no regular file")
        with ZipFile(file) as members:
            about = json.loads(str(_array(members, "about", ABOUT_AT_MOST)[()]))
            if not isinstance(about, dict) or about.get("kind") != KIND:
                raise SeasonFileError(f"{file}: holds no seasons")
            if about.get("model") != MODEL:
                version, model = (one_line(about.get(name), 40) for name in ("version", "model"))
                raise SeasonFileError(
                    f"{file}: was written by version {version} (model {model}); this is"
                    f" {__version__} (model {MODEL}), whose seasons differ: run them anew with --out"
                )
            result = _result(about, lambda name: _array(members, name, SUMS_AT_MOST))
            _read_out(result)
            return result
    except OSError as error:
        raise SeasonFileError(f"{file}: cannot be read ({error.strerror or error})") from None
    except _FAULTS as error:
        raise SeasonFileError(f"{file}: is cut or no file of seasons ({one_line(error)})") from None


def _array(members: ZipFile, name: str, most: int) -> Any:
    """One array of the file, if it unpacks to at most `most` bytes."""
    member = members.getinfo(f"{name}.npy")
    if member.file_size > most:
        raise ValueError(f"{name} is larger than it can be")
    with members.open(member) as stream:
        return np.lib.format.read_array(io.BytesIO(stream.read(most)), allow_pickle=False)


def _read_out(result: SeasonResult) -> None:
    """Everything that is told of a result: what no seasons come to fails here, and not when it is printed."""
    if not result.done:
        return
    for place in range(len(result.policies)):
        for name in BY_NAME if not place else [measure.name for measure in CROWN]:
            result.estimates(name, place)
        for name in HISTOGRAMS:
            result.quantiles(name, place)
        for name in PAIRED if place else ():
            result.difference(name, place)


def _arrays(result: SeasonResult) -> dict[str, Any]:
    policies = range(len(result.policies))
    estimates = {
        f"estimates/{name}" if not place else f"estimates/{place}/{name}": result.array(name, place)[1]
        for place in policies
        for name in (BY_NAME if not place else [measure.name for measure in CROWN])
    }
    named = [name for name, _ in _shapes(result.config, len(result.policies))] if result.done else []
    sums = {f"sums/{name}": _texts(result.sums[name]) for name in named}
    return {"about": np.array(json.dumps(_about(result), ensure_ascii=False)), **estimates, **sums}


def _texts(values: Any) -> Any:
    return np.array([str(value) for value in values.ravel()]).reshape(values.shape)


def _about(result: SeasonResult) -> dict[str, Any]:
    return {
        "kind": KIND,
        "version": __version__,
        "model": MODEL,
        "rules": result.rules,
        "seed": result.seed,
        "seasons": result.seasons,
        "done": result.done,
        "config": result.config._asdict(),
        "policies": [policy._asdict() for policy in result.policies],
        "confidence": CONFIDENCE,
        "measures": {
            measure.name: {
                "words": measure.words,
                "unit": measure.unit,
                "interval": measure.method,
                "axis": measure.axis,
                "places": places(measure, result.config),
            }
            for measure in BY_NAME.values()
        },
    }


def _result(about: Mapping[str, Any], array: Callable[[str], Any]) -> SeasonResult:
    config = read_config(about["config"])
    policies = tuple([_policy(one) for one in about["policies"][: POLICIES_AT_MOST + 1]])
    seasons, done, seed = check_seasons(about["seasons"]), about["done"], about["seed"]
    if about["rules"] not in RULES_BY_NAME:
        raise ValueError(f"rules {about['rules']!r} are not known")
    if not all(type(one) is int for one in (done, seed)) or not 0 <= done <= seasons or not 0 <= seed <= LARGEST_SEED:
        raise ValueError("its numbers do not fit together")
    if policies[:1] != (config.policy(),) or len(policies) > POLICIES_AT_MOST:
        raise ValueError("its policies do not fit its config")
    sums: Sums = {}
    if done:
        sums = {name: _whole(array(f"sums/{name}"), shape) for name, shape in _shapes(config, len(policies))}
    return SeasonResult(config, policies, about["rules"], seed, seasons, done, sums)


def _policy(table: Mapping[str, Any]) -> Policy:
    return read_config({name: table[name] for name in Policy._fields}).policy()


def _whole(texts: Any, shape: tuple[int, ...]) -> Any:
    if texts.dtype.kind != "U":
        raise ValueError("its sums are no text of whole numbers")
    numbers = np.array([int(text) for text in texts.ravel()], dtype=object)
    return numbers.reshape(shape)


def _shapes(config: SeasonConfig, policies: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The name and shape of every sum of a result."""
    for place in range(policies):
        prefix = f"{place}/" if place else ""
        for measure in (*CROWN, *(() if place else (*CLAIMS, *FIELD))):
            along = (len(places(measure, config)),) if measure.axis else ()
            yield prefix + measure.name, (2 if measure.method == "wilson" else 6, *along)
        for name, bins in zip(HISTOGRAMS, (config.races + 1, REGRET_BINS), strict=True):
            yield prefix + name, (bins,)
        if place:
            yield from ((f"{prefix}paired {name}", (6,)) for name in PAIRED)


def _settle(folder: Path) -> None:
    """Make a replacement last: on the systems that keep a folder's entries apart from its files."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows opens no folder
        return
    try:
        os.fsync(handle)
    except OSError:  # some network file systems
        pass
    finally:
        os.close(handle)
