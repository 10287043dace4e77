"""Authoring a challenge: what a draft is, the gates it passes, advice, a preview of its scores, and peer review."""
