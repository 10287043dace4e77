"""Where a place in a spec stands among its fields: their order, what belongs there, and names that are nearly right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias, get_args, get_origin

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from engine.challenge.spec_limits import Limit
from engine.challenge.spec_shape import ChallengeSpec
from engine.rules import Rules

Location: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead to a value, from the whole spec inwards."""

_BEHIND_ALL = 1_000_000


class _Place(NamedTuple):
    """A field of a part of the spec; `part` is what it holds: one, a list of them, or several by the author's names."""

    rank: int
    required: bool
    limit: Limit | None
    part: type[BaseModel] | None
    listed: bool
    keyed: bool


@cache
def _fields(part: type[BaseModel]) -> Mapping[str, _Place]:
    found = {}
    for rank, (name, field) in enumerate(part.model_fields.items()):
        limit = next((one for one in field.metadata if isinstance(one, Limit)), None)
        inner = next(_parts_in(field.annotation), None)
        origins = {get_origin(one) for one in (field.annotation, *get_args(field.annotation))}
        place = _Place(rank, field.is_required(), limit, inner, tuple in origins, dict in origins)
        found[field.alias or name] = place
    return found


def _parts_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for one in get_args(annotation):
        yield from _parts_in(one)


def order_of(location: Location, data: Any) -> tuple[int, ...]:
    """What sorts places in a spec as its fields stand, and what an author named as they wrote it."""
    ranks: list[int] = []
    part: type[BaseModel] | None = ChallengeSpec
    keyed = False
    for step in location:
        if isinstance(step, int):
            ranks.append(step)
        elif keyed or part is None:
            ranks.append(list(data).index(step) if isinstance(data, Mapping) and step in data else _BEHIND_ALL)
            keyed = False
        else:
            place = _fields(part).get(step) or _fields(part).get(to_camel(step))
            ranks.append(place.rank if place else _BEHIND_ALL)
            part, keyed = (place.part, place.keyed) if place else (None, False)
        data = _inside(data, step)
    return tuple(ranks)


def _inside(data: Any, step: str | int) -> Any:
    if isinstance(step, int):
        return data[step] if isinstance(data, (list, tuple)) and step < len(data) else None
    return data.get(step) if isinstance(data, Mapping) else None


def expected_at(location: Location, rules: Rules) -> str:
    """What belongs in a place, in words."""
    part: type[BaseModel] | None = ChallengeSpec
    place = None
    for step in location:
        if isinstance(step, str) and part is not None and step in _fields(part):
            place = _fields(part)[step]
            part = place.part
    if place is not None and place.limit is not None:
        return place.limit.expected(rules)
    return "a list" if place is not None and place.listed and isinstance(location[-1], str) else "an object"


def misnamed(data: Any) -> Iterator[tuple[Location, str, bool]]:
    """Each snake_case name for which a camelCase one is known: where it stands, that one, whether it is required."""
    yield from _misnamed(ChallengeSpec, data, ())


def _misnamed(part: type[BaseModel], data: Any, location: Location) -> Iterator[tuple[Location, str, bool]]:
    if isinstance(data, (list, tuple)):
        for index, one in enumerate(data):
            yield from _misnamed(part, one, (*location, index))
        return
    if not isinstance(data, Mapping):
        return
    fields = _fields(part)
    for key, value in data.items():
        place = fields.get(key)
        if place is None:
            right = to_camel(key) if isinstance(key, str) and "_" in key else key
            if right != key and right in fields:
                yield (*location, key), right, fields[right].required
        elif place.part is not None and place.keyed and isinstance(value, Mapping):
            for name, one in value.items():
                yield from _misnamed(place.part, one, (*location, key, name))
        elif place.part is not None:
            yield from _misnamed(place.part, value, (*location, key))
