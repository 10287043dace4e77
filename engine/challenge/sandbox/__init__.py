"""Untrusted JavaScript, run where it can reach nothing and for no longer than it may."""

from engine.challenge.sandbox.outcome import Kind, Limits, Outcome, SyntaxFault, limits_of
from engine.challenge.sandbox.sandbox import Sandbox

__all__ = ["Kind", "Limits", "Outcome", "Sandbox", "SyntaxFault", "limits_of"]
