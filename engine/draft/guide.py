"""The gate that asks by which guide a draft was written. Source: seed 002, Gate Validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.draft.report import GateReport, passed, skipped

if TYPE_CHECKING:
    from engine.draft.gate_run import GateRun

HASH_KEY = "designGuideHash"


def design_guide_hash(run: GateRun) -> GateReport:
    """Whether the draft was written by the guide that is at hand; another one warns, none is no matter."""
    name = "design_guide_hash"
    metadata = run.draft.protocol_metadata
    given = metadata.get(HASH_KEY) if isinstance(metadata, Mapping) else None
    if given is None:
        return skipped(
            name, "no_hash_given", f"the draft's protocolMetadata has no {HASH_KEY}, which is optional", run.rules
        )
    if run.guide_hash is None:
        return skipped(name, "no_guide_known", "no guide to compare with is at hand", run.rules)
    details = {"given": str(given)[:200], "current": run.guide_hash}
    if str(given).strip().lower() == run.guide_hash.strip().lower():
        return passed(name, details)
    message = "the draft was written by another version of the design guide: read the current one again"
    return passed(name, details, [{"kind": "stale_guide", "message": message}])
