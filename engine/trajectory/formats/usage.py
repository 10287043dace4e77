"""Token counts, by whichever names a provider has for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.trajectory.formats.fields import at, count
from engine.trajectory.steps import CacheBasis, Step, TokenBasis


class Usage(NamedTuple):
    """Tokens of a call as steps count them: those from the cache are among `tokens_in`, as `cache_basis` says."""

    tokens_in: int | None = None
    tokens_in_cached: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    cache_basis: CacheBasis | None = None

    @property
    def said(self) -> bool:
        """Whether anything was given."""
        return self.tokens_in is not None or self.tokens_out is not None

    def on(self, step: Step, basis: TokenBasis = "per_call") -> Step:
        """A step with these counts."""
        if not self.said:
            return step
        return step._replace(**self._asdict(), token_basis=basis)


def usage_of(usage: Mapping[str, object]) -> Usage:
    """Counts from a provider's usage object.

    Chat completions and Responses count the cached tokens among the input; Anthropic and Inspect count them, and those
    that were written to the cache, beside it.
    """
    tokens_out = _first(usage, "completion_tokens", "output_tokens")
    reasoning = _first(usage, "reasoning_tokens") or count(
        at(usage, "completion_tokens_details", "reasoning_tokens")
        or at(usage, "output_tokens_details", "reasoning_tokens")
    )
    beside = _first(usage, "cache_read_input_tokens", "input_tokens_cache_read")
    among = count(
        at(usage, "prompt_tokens_details", "cached_tokens") or at(usage, "input_tokens_details", "cached_tokens")
    )
    prompt = count(usage.get("prompt_tokens"))
    if prompt is not None:
        return Usage(prompt, beside if among is None else among, tokens_out, reasoning, "included")
    fresh = count(usage.get("input_tokens"))
    if beside is not None and fresh is not None:
        written = _first(usage, "cache_creation_input_tokens", "input_tokens_cache_write") or 0
        return Usage(fresh + beside + written, beside, tokens_out, reasoning, "added")
    basis: CacheBasis | None = None if fresh is None else "unknown" if among is None else "included"
    return Usage(fresh, among, tokens_out, reasoning, basis)


def _first(usage: Mapping[str, object], *names: str) -> int | None:
    return next((found for name in names if (found := count(usage.get(name))) is not None), None)
