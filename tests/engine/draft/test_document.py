from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DOCUMENTED
from engine.draft.document import read_draft, read_json
from engine.draft.draft import Reference, draft_from_document, read_reference
from tests.engine.draft.drafts import DOCUMENT


def nested(levels: int) -> list[object]:
    made: list[object] = []
    for _ in range(levels):
        made = [made]
    return made


def faults(text: str) -> list[tuple[str, str]]:
    return [(fault.path, fault.code) for fault in read_json(text)[1]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"spec": {"slug": "a", "slug": "b"}}', [("spec.slug", "duplicate_key")]),
        ('{"spec": [{"a": 1, "a": 1, "a": 2}]}', [("spec[0].a", "duplicate_key")]),
        ('{"spec": {"weight": NaN}}', [("spec.weight", "not_a_number")]),
        ('{"spec": {"weight": -Infinity}}', [("spec.weight", "not_a_number")]),
        ('{"spec": {"weight": 1e999}}', [("spec.weight", "not_a_number")]),
        ('{"spec": {"weight": ' + "9" * 5000 + "}}", [("spec.weight", "not_a_number")]),
        ('{"spec": {"__proto__": {"a": 1}}}', [("spec.__proto__", "unsafe_key")]),
        ('{"referenceAnswer": {"answer": {"__proto__": 1}}}', []),
        ('{"spec": {"a": {}, "b": {}}}', []),
        ("[" * 100 + "]" * 100, []),
        ("[" * 101 + "]" * 101, [("[0]" * 100, "too_deep")]),
        ("[" * 100_000 + "]" * 100_000, [("", "too_deep")]),
        ('"' + "x" * 10_000_000 + '"', [("", "too_big")]),
        ("\ufeff{}", []),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_what_parsers_take_and_json_should_not_have(text: str, found: list[tuple[str, str]]) -> None:
    assert faults(text) == [(path[:200], code) for path, code in found]


def test_the_last_of_two_keys_counts() -> None:
    assert read_json('{"a": 1, "a": 2}')[0] == {"a": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value at line 1, column 1"),
        ('{\n "a": 1,\n}', "not JSON: Expecting property name enclosed in double quotes at line 3, column 1"),
        ("{} {}", "not JSON: Extra data at line 1, column 4"),
    ],
)
def test_what_is_no_json_is_refused_in_a_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="not JSON") as refused:
        read_draft(text)
    assert str(refused.value).splitlines() == [str(refused.value)]
    assert str(refused.value).startswith(message[:30])


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_clean_json_is_read_as_it_is(value: object) -> None:
    read, found = read_json(json.dumps(value))
    assert read == value
    assert [one for one in found if one.code != "unsafe_key"] == []


def test_a_document_is_a_draft() -> None:
    draft = read_draft(json.dumps(DOCUMENT))
    assert draft.spec == DOCUMENT["spec"]
    assert draft.protocol_metadata is None
    assert read_reference(draft) == Reference(42, DOCUMENT["referenceAnswer"]["answer"])
    assert draft_from_document(["nothing"]).spec is None


@pytest.mark.parametrize(
    ("given_", "path", "code"),
    [
        (None, "referenceAnswer", "required"),
        ([], "referenceAnswer", "invalid_type"),
        ({"answer": {}}, "referenceAnswer.seed", "invalid_type"),
        ({"seed": "42", "answer": {}}, "referenceAnswer.seed", "invalid_type"),
        ({"seed": True, "answer": {}}, "referenceAnswer.seed", "invalid_type"),
        ({"seed": 1.5, "answer": {}}, "referenceAnswer.seed", "invalid_type"),
        ({"seed": float("nan"), "answer": {}}, "referenceAnswer.seed", "invalid_type"),
        ({"seed": 42}, "referenceAnswer.answer", "invalid_type"),
        ({"seed": 42, "answer": []}, "referenceAnswer.answer", "invalid_type"),
        ({"seed": 42, "answer": {"sum": float("nan")}}, "referenceAnswer.answer", "not_json"),
        ({"seed": 42, "answer": {"sum": nested(5000)}}, "referenceAnswer.answer", "too_deep"),
    ],
)
def test_what_is_no_reference_answer(given_: object, path: str, code: str) -> None:
    found = read_reference(draft_from_document({"referenceAnswer": given_}))
    assert not isinstance(found, Reference)
    assert (found.path, found.code) == (path, code)


def test_a_fault_of_the_reference_answer_is_the_reference_answers() -> None:
    found = read_reference(read_draft('{"spec": {}, "referenceAnswer": {"seed": 42, "answer": {"sum": NaN}}}'))
    assert (found[0], found[1]) == ("referenceAnswer.answer.sum", "not_a_number")


def test_a_seed_that_is_written_with_a_point_is_whole() -> None:
    assert read_reference(draft_from_document({"referenceAnswer": {"seed": 42.0, "answer": {}}})) == Reference(42, {})


def test_the_limits_are_the_rules() -> None:
    tight = DOCUMENTED._replace(draft_size_max=10, draft_depth_max=1)
    assert [fault.code for fault in read_json('{"a": [[]]}', tight)[1]] == ["too_big"]
    assert [fault.code for fault in read_json("[[[]]]", tight)[1]] == ["too_deep"]
