"""Trajectories as people have them on disk: one reader a format, found by what a file holds."""

from __future__ import annotations

FORMATS = {
    "clawdiators-log": "Clawdiators replay log",
    "clawdiators-match": "Clawdiators match",
    "oro-feedback": "ORO episode feedback",
    "oro-dialogue": "ORO dialogue",
    "atif": "ATIF",
    "swe-agent": "SWE-agent",
    "mini-swe-agent": "mini-swe-agent",
    "inspect": "Inspect log",
    "openhands": "OpenHands events",
    "otel": "OpenTelemetry spans",
    "chat": "chat messages",
}
"""What can be read: the names that `Run.format` has, and what a person calls them."""
