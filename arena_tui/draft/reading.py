"""A draft from disk: a folder of files, or one file `{spec, referenceAnswer}`."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

from arena_tui.text import one_line
from engine.draft.document import read_json
from engine.draft.draft import DocumentFault, Draft, draft_from_document

SPEC, CHALLENGE, REFERENCE, PROTOCOL = "spec.json", "CHALLENGE.md", "reference.json", "protocol.json"
CODE = ("data.js", "scorer.js", "workspace.js", "validator.js", "helpers.js", "setup.js")
"""Files of code that a folder may hold; each becomes an entry of the spec's `codeFiles`."""

PARTS = {SPEC: "spec", REFERENCE: "referenceAnswer", PROTOCOL: "protocolMetadata"}
"""The files that are JSON, and what they are in a document."""

FILES = (SPEC, CHALLENGE, *CODE, REFERENCE, PROTOCOL)
BYTES_MAX = 32 << 20
STDIN = "-"


class NotADraftError(Exception):
    """One line: what cannot be read as a draft, where, and what would be right."""


def read_draft(path: str) -> Draft:
    """The draft in a folder or a file (`-` is stdin), unchecked; raises `NotADraftError` where there is no JSON."""
    if path == STDIN:
        return _from_document(_text("stdin", sys.stdin.buffer.read(BYTES_MAX + 1)), "stdin")
    place = Path(path)
    if os.path.isdir(path):  # noqa: PTH112 -- Path.is_dir raises where it may not look, or the name is too long
        return _from_folder(place)
    return _from_document(_text(path, _bytes(place)), path)


def read_again(path: str) -> Draft:
    """As `read_draft`, of what can be looked at once more: whoever reads a pipe may wait for ever."""
    if os.path.exists(path) and not (os.path.isdir(path) or os.path.isfile(path)):  # noqa: PTH110, PTH112, PTH113
        raise NotADraftError(f"{one_line(path, 500)}: neither a file nor a folder")
    return read_draft(path)


def read_bytes(file: Path) -> bytes:
    """What stands in a file; raises OSError, where it is larger than any file of a draft too."""
    with file.open("rb") as opened:
        data = opened.read(BYTES_MAX + 1)
    if len(data) > BYTES_MAX:
        raise OSError(errno.EFBIG, f"larger than {BYTES_MAX >> 20} MB")
    return data


def stamps(path: str) -> tuple[tuple[str, int, int], ...]:
    """When each file of a draft was last written and how long it is: other stamps, another draft."""
    place = Path(path)
    files = [place / name for name in FILES] if os.path.isdir(path) else [place]  # noqa: PTH112
    found = []
    for file in files:
        try:
            status = file.stat()
        except OSError:
            continue
        found.append((file.name, status.st_mtime_ns, status.st_size))
    return tuple(found)


def name_of(path: str) -> str:
    """What to call a draft before its slug is known: the folder's or the file's name."""
    return "stdin" if path == STDIN else one_line(Path(os.path.abspath(path)).stem)  # noqa: PTH100 `..` has no name


def slug_of(draft: Draft) -> str:
    """The slug that the spec gives, "" where it gives none."""
    slug = draft.spec.get("slug") if isinstance(draft.spec, dict) else None
    return one_line(slug) if isinstance(slug, str) and slug else ""


def _from_document(text: str, where: str) -> Draft:
    document, faults = _json(text, where)
    return draft_from_document(document, tuple(fault._replace(path=_in_spec(fault.path)) for fault in faults))


def _from_folder(folder: Path) -> Draft:
    texts = {name: _text(str(folder / name), _bytes(folder / name)) for name in FILES if _is_file(folder / name)}
    if SPEC not in texts:
        raise NotADraftError(f"{one_line(folder, 500)}: holds no {SPEC}; arena draft new makes such a folder")
    parts: dict[str, object] = {}
    faults: list[DocumentFault] = []
    for name, part in PARTS.items():
        if name in texts:
            parts[part], found = _json(texts[name], str(folder / name))
            counted = (fault for fault in found if _counts(fault, part))
            faults += (fault._replace(path=_in_spec(f"{part}.{fault.path}".rstrip("."))) for fault in counted)
    spec = parts["spec"]
    if isinstance(spec, dict):
        spec, put = _assembled(spec, texts)
        faults += put
    return Draft(spec, parts.get("referenceAnswer"), parts.get("protocolMetadata"), texts, tuple(faults))


def _in_spec(path: str) -> str:
    """A path as the gates give it: from the spec, or from what stands beside the spec."""
    return path.removeprefix("spec.")


def _counts(fault: DocumentFault, part: str) -> bool:
    return part != "referenceAnswer" or fault.code != "unsafe_key"  # in an answer, any key may stand


def _assembled(spec: dict[str, object], texts: dict[str, str]) -> tuple[dict[str, object], tuple[DocumentFault, ...]]:
    """The spec with the texts of the folder in their places; one that stands in both and differs is a fault."""
    faults: list[DocumentFault] = []
    workspace, code = spec.get("workspace"), spec.get("codeFiles")
    if CHALLENGE in texts and (isinstance(workspace, dict) or workspace is None):
        filled = {CHALLENGE: texts[CHALLENGE]}
        spec = {**spec, "workspace": _put(workspace or {}, filled, {CHALLENGE: "challengeMd"}, "workspace", faults)}
    present = {name: texts[name] for name in CODE if name in texts}
    if present and (isinstance(code, dict) or code is None):
        spec = {**spec, "codeFiles": _put(code or {}, present, {}, "codeFiles", faults)}
    return spec, tuple(faults)


def _put(
    part: dict[str, object], texts: dict[str, str], keys: dict[str, str], where: str, faults: list[DocumentFault]
) -> dict[str, object]:
    whole = dict(part)
    for name, text in texts.items():
        key = keys.get(name, name)
        if key in whole and whole[key] != text:
            message = f"stands in {SPEC} and, otherwise, in {name}: keep one; the file was taken"
            faults.append(DocumentFault(f"{where}.{key}", "given_twice", message))
        whole[key] = text
    return whole


def _json(text: str, where: str) -> tuple[object, tuple[DocumentFault, ...]]:
    try:
        return read_json(text)
    except ValueError as error:
        raise NotADraftError(f"{one_line(where, 500)}: {error}") from None


def _is_file(file: Path) -> bool:
    try:
        return stat.S_ISREG(file.stat().st_mode)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise NotADraftError(f"{one_line(file, 500)}: cannot be read ({error.strerror})") from None


def _bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(BYTES_MAX + 1)
    except OSError as error:
        raise NotADraftError(f"{one_line(file, 500)}: cannot be read ({error.strerror})") from None


def _text(where: str, data: bytes) -> str:
    if len(data) > BYTES_MAX:
        raise NotADraftError(f"{one_line(where, 500)}: larger than {BYTES_MAX >> 20} MB, which no draft is")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotADraftError(f"{one_line(where, 500)}: no UTF-8 at byte {error.start}") from None
