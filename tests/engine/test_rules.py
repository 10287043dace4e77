from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine import DEPLOYED, DOCUMENTED

PUBLIC = """
    Rules DOCUMENTED DEPLOYED Dimension dims score score_points result_of speed_score efficiency_score rate
    DIFFICULTY_RATING title_for TaskResult run_score race_score field_baseline overall settle_crown mulberry32
""".split()  # noqa: SIM905


def test_every_public_name_comes_with_the_star() -> None:
    names: dict[str, object] = {}
    exec("from engine import *", names)  # noqa: S102
    assert set(PUBLIC) <= set(names)
    assert all(names[name] is getattr(engine, name) for name in engine.__all__)


def test_the_names_for_type_checkers_are_the_names_at_run_time() -> None:
    lines = Path(engine.__file__).read_text("utf-8").splitlines()
    typed = {line.split(" as ")[1] for line in lines if line.startswith("    from engine.")}
    assert typed == set(engine.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'helpers'"):
        engine.helpers  # noqa: B018


def test_importing_the_package_imports_no_rule_and_no_screen() -> None:
    code = (
        "import engine, sys; print([name for name in sys.modules if name.startswith(('engine.', 'textual', 'rich'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_name_imports_only_what_it_needs() -> None:
    code = (
        "import engine, sys; engine.field_baseline; print('engine.scoring' in sys.modules, 'fractions' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False False"


def test_rules_are_frozen_and_travel_between_processes() -> None:
    with pytest.raises(AttributeError):
        DOCUMENTED.win_threshold = 1  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(DEPLOYED)) == DEPLOYED  # noqa: S301
    assert hash(DOCUMENTED) != hash(DEPLOYED)


def test_the_constants_are_the_published_ones() -> None:
    assert (DOCUMENTED.win_threshold, DOCUMENTED.draw_threshold, DOCUMENTED.score_max) == (700, 400, 1000)
    assert [core.key for core in DOCUMENTED.core_dimensions] == [
        "correctness",
        "completeness",
        "precision",
        "methodology",
        "speed",
        "code_quality",
        "analysis",
    ]
    assert [core.color for core in DOCUMENTED.core_dimensions] == [
        "emerald",
        "gold",
        "coral",
        "purple",
        "sky",
        "coral",
        "gold",
    ]
    assert DOCUMENTED.tier_bonus == (1.0, 1.1, 1.2)
    assert DOCUMENTED.window_size == 3


def test_deployed_differs_where_the_servers_do_and_nowhere_else() -> None:
    differ = {name for name in DOCUMENTED._fields if getattr(DOCUMENTED, name) != getattr(DEPLOYED, name)}
    assert differ == {
        "name",
        "warn_inexact_weights",
        "open_dimension_keys",
        "clamp_dimensions",
        "round_each_dimension",
        "cap_total",
        "log_missed_total",
        "speed_exponent",
        "round_speed",
        "titles_kept",
        "approvals_count",
        "replay_input_max",
        "replay_steps_max",
        "null_is_absent",
        "malformed_log_refuses",
        "empty_log_counts",
        "trajectory_checks",
        "deciding_checks",
        "list_checks",
        "timestamp_grace_ms",
        "timestamp_syntax",
        "file_reading_tools",
        "compare_file_reads",
        "submit_knows_workspace",
        "expiry_result",
        "expiry_score",
        "expiry_moves_rating",
        "errors_zero_dimension",
        "flat_breakdown",
        "efficiency_without_constraints",
        "total_with_constraints",
        "tool_calls_count",
        "all_constraints_watched",
        "tool_calls_from_answer",
        "execution_seconds",
        "differing_seeds",
        "unseedable_differ",
        "repeat_all",
        "full_contract",
        "baseline_share",
        "baseline_shares",
        "probe_ceiling",
        "probe_ceilings",
        "absent_gates",
        "code_gates_too",
        "list_inapplicable",
        "skipped_passed",
        "absent_after_security",
        "syntax_skips_as_spec",
        "comments_may_name_them",
        "review_counts_expired",
        "rejection_closes",
        "flagged_needs_admin",
        "open_categories",
        "exact_weight_sum",
        "snake_case_refused",
        "bracketed_paths",
        "exported_only",
        "workspace_sees_data",
        "template_files_json",
        "strict_scorer",
    }
