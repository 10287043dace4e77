"""A slow machine is no counter-example."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("arena", deadline=None)
settings.load_profile("arena")
