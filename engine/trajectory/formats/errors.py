"""The one error of reading: a file that is no trajectory, or none that can be read."""

from __future__ import annotations

READ = (
    "a Clawdiators replay log or match, ORO feedback or dialogue, ATIF, SWE-agent, mini-swe-agent, Inspect, OpenHands, "
    "OpenTelemetry GenAI spans, a list of chat messages; as JSON or as JSON Lines"
)
"""What can be read, for a person."""


class NotATrajectory(ValueError):  # noqa: N818 - it says what the file is, which no "Error" would add to
    """What was given holds no run of an agent. Its text is one line: what it is, and what would be read."""

    def __init__(self, what: str, source: str | None = None) -> None:
        """`what` says what is wrong or what it looks like; `source` is the name of the file."""
        self.what = what
        self.source = source
        super().__init__(f"{source}: {what}" if source else what)
