from __future__ import annotations

import weakref
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest

from engine.challenge.sandbox import Sandbox
from engine.draft.advice import Advice, advice, advise
from engine.draft.attempts import Attempts, Generated
from engine.draft.draft import Draft
from engine.draft.gates import check_draft
from engine.draft.preview import PartialScore, Preview, SeedScore, distribution_of, is_bimodal, variations
from tests.engine.draft.drafts import DATA, SCORER, declarative, draft, scoring, with_code


def names(found: Sequence[Advice]) -> list[str]:
    return [one.name for one in found]


def test_the_right_answer_of_every_seed_is_found_from_its_truth(sandbox: Sandbox) -> None:
    scores = list(Preview(draft(), sandbox).seed_scores(range(40, 60)))
    assert [one.seed for one in scores] == list(range(40, 60))
    assert {one.score for one in scores} == {999}
    found = distribution_of(scores, 1000)
    assert (found.scored, found.failed, found.counts[-1], found.bimodal) == (20, 0, 20, False)


def test_seeds_for_which_a_challenge_breaks_are_seen(sandbox: Sandbox) -> None:
    broken = DATA.replace("var random", "if (seed % 4 === 3) { throw new Error('no tide'); } var random")
    broken = broken.replace("sum: first + second", "sum: seed % 4 === 1 ? null : first + second")
    scores = list(Preview(with_code(data=broken), sandbox).seed_scores(range(40, 52)))
    assert [one.score for one in scores] == [999, 0, 999, None] * 3
    assert scores[3].failure is not None
    assert "no tide" in scores[3].failure
    found = distribution_of(scores, 1000)
    assert (found.scored, found.failed, found.least, found.most, found.bimodal) == (9, 3, 0, 999, True)


def test_partly_right_answers(sandbox: Sandbox) -> None:
    scores = {one.changed: one.score for one in Preview(draft(), sandbox).partial_scores()}
    assert scores[()] == 999
    assert scores[("sum", "wrong"),] == scores[("sum", "missing"),] == 0
    assert scores[("methodology", "missing"),] == 699
    assert scores[("sum", "near"),] == 749
    assert scores[("methodology", "half"),] == 909
    assert len(scores) == 9


def test_answers_of_many_fields_are_not_tried_in_every_set() -> None:
    few, many = {str(key): key for key in range(5)}, {str(key): "long" for key in range(40)}
    assert len(list(variations(few))) == 1 + 2 * 31 + 5
    assert len(list(variations(many))) == 1 + 2 * (40 + 40 + 1) + 40
    assert list(variations({})) == [()]


@pytest.mark.parametrize(
    ("scores", "bimodal"),
    [
        ([0, 0, 1000, 1000], True),
        ([0, 150, 850, 1000], True),
        ([0, 0, 1000], False),
        ([0, 0, 500, 1000, 1000], False),
        ([1000] * 10, False),
        ([0] * 10, False),
        ([0] * 10 + [1000] * 10 + [500], True),
    ],
)
def test_bimodal_scores(scores: list[float], bimodal: bool) -> None:
    assert is_bimodal(scores, 1000) == bimodal
    assert distribution_of([SeedScore(0, one) for one in scores], 1000).bimodal == bimodal


def test_bins_hold_their_lower_ends_and_the_last_its_upper_too() -> None:
    found = distribution_of([PartialScore((), one) for one in (0, 49, 50, 999, 1000, None)], 1000)
    assert (found.counts[0], found.counts[1], found.counts[-1]) == (2, 1, 2)
    assert (sum(found.counts), found.failed, found.mean) == (5, 1, 419.6)
    empty = distribution_of([SeedScore(1, None)], 1000)
    assert (empty.scored, empty.failed, empty.least, empty.most, empty.mean) == (0, 1, None, None, None)


def test_a_preview_is_made_a_step_at_a_time(sandbox: Sandbox) -> None:
    assert [one.seed for one in islice(Preview(draft(), sandbox).seed_scores(), 2)] == [0, 1]


def test_a_workspace_of_any_seed(sandbox: Sandbox) -> None:
    files = Preview(draft(), sandbox).workspace(7)
    assert list(files) == ["CHALLENGE.md", "objective.txt", "numbers.json"]
    assert "Seed: 7" in files["CHALLENGE.md"]
    made = with_code(workspace="exports.generateWorkspace = function (seed) { return {'a/b.txt': 'seed ' + seed}; };")
    assert Preview(made, sandbox).workspace(7)["a/b.txt"] == "seed 7"
    assert Preview(declarative(), sandbox).workspace(42)["tide.json"] == "60114"
    with pytest.raises(ValueError, match=r"seed 7: .*no tide"):
        Preview(with_code(data=f"throw new Error('no tide');{DATA}"), sandbox).workspace(7)
    with pytest.raises(ValueError, match=r"^slug: "):
        Preview(draft(spec__slug="X"), sandbox)


def advised(made: Draft, sandbox: Sandbox) -> tuple[Advice, ...]:
    return advise(made, sandbox, check_draft(made, sandbox))


def test_a_good_draft_needs_no_advice(sandbox: Sandbox) -> None:
    assert advised(draft(), sandbox) == ()


UNGATED = SCORER.replace("correctness > 0 ? Math.round", "true ? Math.round")
FLAT = (
    "var c = right ? 500 : 0; return {breakdown:"
    " {correctness: c, speed: right ? 200 : 0, methodology: right ? 300 : 0, total: 2 * c}};"
)


@pytest.mark.parametrize(
    ("made", "found", "words"),
    [
        (with_code(scorer=UNGATED), "ungated_speed", "the probe empty earns speed 199 with correctness 0"),
        (draft(spec__submission__schema=...), "no_submission_schema", '"sum": "number", "methodology": "string"'),
        (draft(spec__submission__schema={"sum": "number"}), "schema_misses_fields", "methodology"),
        (scoring(FLAT), "bimodal_scores", "partly right answers"),
        (draft(spec__workspace__challengeMd="Seed {{seed}}: add them."), "challenge_md_short", "has 4 words"),
        (draft(spec__workspace__challengeMd="Seed {{seed}}: add them."), "challenge_md_files", "numbers.json"),
        (draft(spec__workspace__challengeMd="Seed {{seed}}: add them."), "challenge_md_fields", "sum, methodology"),
        (
            draft(spec__workspace__challengeMd="Seed {{seed}}, see https://example.org/rules."),
            "challenge_md_links",
            "https://example.org/rules",
        ),
        (draft(spec__workspace__type="environment"), "pr_path", "an environment with services"),
        (with_code(data=DATA + "var x = require('fs');"), "pr_path", "its code wants require()"),
        (draft(spec__workspace__challengeMd="Seed {{seed}}: query the database."), "pr_path", "speaks of a database"),
        (with_code(data=DATA.replace("var random", "const random")), "not_es5", "let and const"),
    ],
)
def test_advice_says_what_was_seen(made: Draft, found: str, words: str, sandbox: Sandbox) -> None:
    given = {one.name: f"{one.text} {one.fix}" for one in advised(made, sandbox)}
    assert found in given
    assert words in given[found]


def test_advice_fails_nothing_and_bears_with_anything(sandbox: Sandbox) -> None:
    assert check_draft(with_code(scorer=UNGATED), sandbox).overall == "pass"
    odd: list[Any] = [None, 7, {"workspace": []}, {"workspace": {"type": []}, "scoring": {"runtime": {}}}]
    for spec in odd:
        assert set(names(advised(Draft(spec), sandbox))) <= {"pr_path"}
    assert names(advice(draft(), check_draft(draft(), sandbox))) == []


def test_a_draft_that_hangs_is_not_tried_out_again(hasty: Sandbox) -> None:
    made = with_code(scorer="function score() { while (true) {} }\n// as long as it has to be, and no longer than that")
    report = check_draft(made, hasty)
    with Sandbox() as untouched:
        assert advise(made, untouched, report) == ()
        assert untouched._worker is None


def test_the_data_of_one_seed_are_gone_before_those_of_the_next_come(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Held(dict[str, object]):
        pass

    made: list[weakref.ref[Held]] = []

    def generated(self: Attempts, seed: int, later: bool = False) -> Generated:
        assert not any(one() for one in made)
        given = original(self, seed, later)
        value = Held()
        made.append(weakref.ref(value))
        return given._replace(value=value)

    original = Attempts.generated
    monkeypatch.setattr(Attempts, "generated", generated)
    scores = list(Preview(draft(), sandbox).seed_scores(range(3)))
    assert [one.failure for one in scores] == [None] * 3
    assert len(made) == 4
