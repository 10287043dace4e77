"""What an author hands in: a challenge's spec, and an answer that proves it can be solved.

Source: seed 002, Challenge Spec Structure; Reference Answer; Submission.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple


class DocumentFault(NamedTuple):
    """Something about the text of a draft that no reading of its content shows; `path` is where, `code` what."""

    path: str
    code: str
    message: str


class Draft(NamedTuple):
    """A draft as it was read, unchecked.

    `spec`, `reference_answer` (`{seed, answer}`) and `protocol_metadata` are JSON. `files` are the texts of the folder
    it was read from by name, None where it was one document. `faults` are what its text has that JSON should not.
    """

    spec: object
    reference_answer: object = None
    protocol_metadata: object = None
    files: Mapping[str, str] | None = None
    faults: tuple[DocumentFault, ...] = ()


def draft_from_document(document: object, faults: tuple[DocumentFault, ...] = ()) -> Draft:
    """The draft in `{spec, referenceAnswer, protocolMetadata?}`; whatever is no object has none of them."""
    found = document if isinstance(document, Mapping) else {}
    return Draft(found.get("spec"), found.get("referenceAnswer"), found.get("protocolMetadata"), None, faults)


class Reference(NamedTuple):
    """The answer that has to pass, and the seed that it answers."""

    seed: int
    answer: Mapping[str, object]


def read_reference(draft: Draft) -> Reference | DocumentFault:
    """The draft's reference answer, or what is wrong with it. Source: seed 002, Reference Answer."""
    for fault in draft.faults:
        if in_reference(fault):
            return fault
    given = draft.reference_answer
    if given is None:
        return DocumentFault("referenceAnswer", "required", "there is none: every draft needs {seed, answer}")
    if not isinstance(given, Mapping):
        return DocumentFault("referenceAnswer", "invalid_type", "it is no object of seed and answer")
    seed, answer = given.get("seed"), given.get("answer")
    if isinstance(seed, bool) or not isinstance(seed, (int, float)) or not _is_whole(seed):
        return DocumentFault("referenceAnswer.seed", "invalid_type", "the seed is no whole number")
    if not isinstance(answer, Mapping):
        return DocumentFault("referenceAnswer.answer", "invalid_type", "the answer is no object")
    return _no_json(answer) or Reference(int(seed), answer)


def _no_json(answer: Mapping[str, object]) -> DocumentFault | None:
    try:
        json.dumps(answer, allow_nan=False)
    except RecursionError:
        return DocumentFault("referenceAnswer.answer", "too_deep", "the answer is nested too deeply")
    except (TypeError, ValueError) as fault:
        return DocumentFault("referenceAnswer.answer", "not_json", f"the answer is no JSON: {fault}")
    return None


def in_reference(fault: DocumentFault) -> bool:
    """Whether a fault of the document is one of its reference answer."""
    return fault.path.startswith("referenceAnswer")


def _is_whole(value: float) -> bool:
    return abs(value) < 2**53 and float(value).is_integer()
