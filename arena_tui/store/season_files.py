"""Seasons in a file: NumPy's NPZ, which explains itself, replaced as a whole or not at all.

`about` is JSON: config, policies, rules, seed, how many seasons of how many, the version, and what each measure means.
`estimates/NAME` holds values, lows and highs along the measure's axis. `sums/NAME` holds the exact whole numbers they
follow from, as text: with them a part of a run is gone on with to the same bytes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from arena_tui import __version__
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
from engine.season.season_config import Policy, SeasonConfig, read_config
from engine.season.sums import Sums

KIND = "arena seasons"


class SeasonFileError(Exception):
    """One line: what is wrong with the file."""


def save(file: Path, result: SeasonResult) -> None:
    """Write the result, whole or not at all; OSError says why it cannot be done."""
    part = file.with_name(file.name + ".part")
    try:
        with part.open("wb") as stream:
            np.savez(stream, **_arrays(result))
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    _settle(file.parent)


def load(file: Path) -> SeasonResult:
    """The result in the file; `SeasonFileError` where it is none, is cut, or is another version's."""
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            about = json.loads(str(arrays["about"][()]))
            if not isinstance(about, dict) or about.get("kind") != KIND:
                raise SeasonFileError(f"{file}: holds no seasons")
            if about.get("model") != MODEL:
                raise SeasonFileError(
                    f"{file}: was written by version {about.get('version')} (model {about.get('model')}); this is"
                    f" {__version__} (model {MODEL}), whose seasons differ: run them anew with --out"
                )
            return _result(about, {name: arrays[name] for name in arrays.files})
    except OSError as error:
        raise SeasonFileError(f"{file}: cannot be read ({error.strerror or error})") from None
    except (BadZipFile, EOFError, KeyError, ValueError, TypeError, RecursionError) as error:
        raise SeasonFileError(f"{file}: is cut or no file of seasons ({' '.join(str(error).split())})") from None


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


def _result(about: Mapping[str, Any], arrays: Mapping[str, Any]) -> SeasonResult:
    config = read_config(about["config"])
    policies = tuple([_policy(one) for one in about["policies"]])
    seasons, done, seed = about["seasons"], about["done"], about["seed"]
    if about["rules"] not in RULES_BY_NAME:
        raise ValueError(f"rules {about['rules']!r} are not known")
    if not all(type(one) is int for one in (seasons, done, seed)) or not 0 <= done <= seasons or not policies:
        raise ValueError("its numbers do not fit together")
    sums: Sums = {}
    if done:
        sums = {name: _whole(arrays[f"sums/{name}"], shape) for name, shape in _shapes(config, len(policies))}
    return SeasonResult(config, policies, about["rules"], seed, seasons, done, sums)


def _policy(table: Mapping[str, Any]) -> Policy:
    return read_config({name: table[name] for name in Policy._fields}).policy()


def _whole(texts: Any, shape: tuple[int, ...]) -> Any:
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
