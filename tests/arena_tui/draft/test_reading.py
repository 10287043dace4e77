"""A draft from disk: a folder's files in their places in the spec, or one document; what is no JSON is one line."""

import json
import os
import sys
from pathlib import Path

import pytest

from arena_tui.commands.refusal import RefusedError
from arena_tui.draft.check import guide_hash
from arena_tui.draft.play import play
from arena_tui.draft.reading import NotADraftError, name_of, read_again, read_draft, slug_of, stamps
from arena_tui.draft.scaffold import CORE, DIMENSIONS, files, weights_of


def folder(place: Path, **changed: str | None) -> Path:
    texts = files("reef-count", "reasoning", "newcomer", DIMENSIONS)
    for name, text in changed.items():
        file = name.replace("__", ".")
        texts = {**texts, file: text} if text is not None else {key: one for key, one in texts.items() if key != file}
    place.mkdir(exist_ok=True)
    for name, text in texts.items():
        (place / name).write_text(text, "utf-8")
    return place


def test_a_folder_and_the_document_made_of_it_are_the_same_draft(tmp_path: Path) -> None:
    draft = read_draft(str(folder(tmp_path / "reef")))
    assert isinstance(draft.spec, dict)
    assert draft.spec["codeFiles"]["data.js"] == (tmp_path / "reef" / "data.js").read_text("utf-8")
    assert draft.spec["workspace"]["challengeMd"] == (tmp_path / "reef" / "CHALLENGE.md").read_text("utf-8")
    assert draft.spec["workspace"]["seedable"] is True
    assert (slug_of(draft), draft.faults) == ("reef-count", ())
    assert draft.files is not None
    assert "scorer.js" in draft.files
    document = tmp_path / "draft.json"
    document.write_text(json.dumps({"spec": draft.spec, "referenceAnswer": draft.reference_answer}), "utf-8")
    again = read_draft(str(document))
    assert (again.spec, again.reference_answer) == (draft.spec, draft.reference_answer)
    assert again.files is None


def test_what_stands_in_the_spec_and_in_a_file_is_a_fault_where_it_differs(tmp_path: Path) -> None:
    place = folder(tmp_path / "reef")
    spec = json.loads((place / "spec.json").read_text("utf-8"))
    spec["codeFiles"] = {"data.js": "other", "scorer.js": (place / "scorer.js").read_text("utf-8")}
    (place / "spec.json").write_text(json.dumps(spec), "utf-8")
    draft = read_draft(str(place))
    assert [(fault.path, fault.code) for fault in draft.faults] == [("codeFiles.data.js", "given_twice")]


def test_what_json_hides_is_told_with_its_file(tmp_path: Path) -> None:
    place = folder(
        tmp_path / "reef",
        spec__json='{"slug": "a-b", "slug": "reef", "scoring": {"maxScore": NaN}}',
        reference__json='{"seed": 1, "seed": 42, "answer": {"__proto__": 1}}',
    )
    found = {(fault.path, fault.code) for fault in read_draft(str(place)).faults}
    assert found == {
        ("slug", "duplicate_key"),
        ("scoring.maxScore", "not_a_number"),
        ("referenceAnswer.seed", "duplicate_key"),
    }


def test_a_reference_that_is_not_there_is_for_the_gates_to_say(tmp_path: Path) -> None:
    assert read_draft(str(folder(tmp_path / "reef", reference__json=None))).reference_answer is None


@pytest.mark.parametrize("spec", ["null", "[]", '"text"', "3", "[" * 5000 + "]" * 5000])
def test_any_json_is_a_draft_to_be_judged(tmp_path: Path, spec: str) -> None:
    file = tmp_path / "draft.json"
    file.write_text(spec, "utf-8")
    assert read_draft(str(file)).spec is None
    assert not isinstance(read_draft(str(folder(tmp_path / "reef", spec__json=spec))).spec, dict)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'{"spec": {', "draft.json: not JSON: "),
        (b"", "draft.json: not JSON: "),
        (b"\xff\xfe{", "draft.json: no UTF-8 at byte 0"),
    ],
)
def test_what_is_no_json_is_one_line(tmp_path: Path, data: bytes, line: str) -> None:
    file = tmp_path / "draft.json"
    file.write_bytes(data)
    with pytest.raises(NotADraftError) as caught:
        read_draft(str(file))
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_spec_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotADraftError, match=r"holds no spec\.json; arena draft new makes such a folder"):
        read_draft(str(tmp_path))
    with pytest.raises(NotADraftError, match="cannot be read"):
        read_draft(str(tmp_path / "none.json"))


def test_stamps_change_with_any_file_of_a_draft_and_no_other(tmp_path: Path) -> None:
    place = folder(tmp_path / "reef")
    before = stamps(str(place))
    (place / "notes.txt").write_text("x", "utf-8")
    assert stamps(str(place)) == before
    (place / "data.js").write_text("var longer = 1;", "utf-8")
    assert stamps(str(place)) != before
    assert stamps(str(tmp_path / "gone")) == ()
    assert (name_of(str(place)), name_of("a/draft.json"), name_of("-")) == ("reef", "draft", "stdin")


@pytest.mark.parametrize("keys", [("correctness", "speed"), ("precision", "speed"), tuple(CORE)[:6], tuple(CORE)[1:]])
def test_weights_are_hundredths_that_add_up(keys: tuple[str, ...]) -> None:
    weights = weights_of(keys)
    assert tuple(weights) == keys
    assert sum(round(weight * 100) for weight in weights.values()) == 100
    assert min(weights.values()) > 0


def test_a_name_that_is_too_long_is_one_line() -> None:
    name = "a" * 300
    assert stamps(name) == ()
    for read in (read_draft, read_again):
        with pytest.raises(NotADraftError, match=r"cannot be read \(File name too long\)$"):
            read(name)


def test_a_file_of_a_folder_that_cannot_be_looked_at_is_said_to_be(tmp_path: Path) -> None:
    place = folder(tmp_path / "reef")
    (place / "helpers.js").symlink_to("helpers.js")
    with pytest.raises(NotADraftError, match=r"helpers.js: cannot be read \(Too many levels of symbolic links\)$"):
        read_draft(str(place))


@pytest.mark.skipif(sys.platform == "win32", reason="pipes that are files")
def test_a_pipe_is_never_looked_at_again(tmp_path: Path) -> None:
    pipe = tmp_path / "draft.json"
    os.mkfifo(pipe)
    with pytest.raises(NotADraftError, match="neither a file nor a folder"):
        read_again(str(pipe))


def test_a_guide_or_an_answer_larger_than_any_is_not_read(tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(64 << 20)
    with pytest.raises(RefusedError, match=r"^--guide: .* cannot be read \(larger than 32 MB\)$"):
        guide_hash(str(large), None)
    with pytest.raises(RefusedError, match=r"^--answer: .* cannot be read \(larger than 32 MB\)$"):
        play(str(folder(tmp_path / "reef")), "42", None, str(large), "1", "documented")
