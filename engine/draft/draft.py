"""What an author hands in: a challenge's spec, and an answer that proves it can be solved.

Source: seed 002, Challenge Spec Structure; Reference Answer; Submission.
"""

from __future__ import annotations

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
