"""Trajectories written out again: one writer a format, from the steps that any file was read into."""

from __future__ import annotations

TARGETS = {"atif": "ATIF", "clawdiators": "Clawdiators replay log"}
"""What can be written: the names that a user gives, and what a person calls them."""
