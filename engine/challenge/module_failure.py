"""Why the code or the template of a challenge gave nothing that can be used."""

from __future__ import annotations

from engine.challenge.sandbox.outcome import Outcome


class ModuleFailure(Exception):  # noqa: N818 -- what failed is the challenge, and a gate may well expect it
    """What was wrong, in which function, and where in the author's files: line and column from 1, None where unknown.

    `outcome` is how the execution ended, None where nothing was executed.
    """

    def __init__(
        self,
        what: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        outcome: Outcome | None = None,
    ) -> None:
        super().__init__(what, file, line, column, outcome)
        self.what, self.file, self.line, self.column, self.outcome = what, file, line, column, outcome

    def __repr__(self) -> str:
        return f"ModuleFailure({str(self)!r})"

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.what}" if place else self.what


def failed_execution(function: str, file: str, outcome: Outcome) -> ModuleFailure:
    """The failure that an execution of a function of a file was; `function` as it was called: `generateData(42)`."""
    error = f"{outcome.name}: {outcome.message}" if outcome.name else outcome.message
    what = f"it cannot be loaded: {error}" if outcome.kind == "load" else f"{function}: {error}"
    return ModuleFailure(what, outcome.file or file, outcome.line, outcome.column, outcome)
