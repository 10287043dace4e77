"""Which step stands under which, as ATIF asks for it: the calls of a step, the steps of a subagent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.trajectory.steps import Steps


class Tree:
    """The places of steps by the place of the one they stand under; a run without links costs nothing but a look."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._under: dict[int, list[int]] = {}
        self._below: set[int] = set()
        if any(step.parent_uid is not None for step in steps):
            self._link()

    def _link(self) -> None:
        places = {step.uid: place for place, step in enumerate(self._steps)}
        for place, step in enumerate(self._steps):
            parent = places.get(step.parent_uid or "")
            # A link forwards, or to itself, is none: so no circle arises.
            if parent is not None and parent < place:
                self._under.setdefault(parent, []).append(place)
                self._below.add(place)

    def roots(self) -> Iterator[int]:
        """The steps that stand under none."""
        return (place for place in range(len(self._steps)) if place not in self._below)

    def children(self, place: int) -> Sequence[int]:
        """What stands under a step."""
        return self._under.get(place, ())

    def is_subagent(self, place: int) -> bool:
        """Whether a step is an agent's with a run of its own under it, more than its calls."""
        return self._steps[place].kind == "agent" and any(
            self._steps[below].kind != "tool" for below in self.children(place)
        )

    def subagents(self, place: int) -> list[int]:
        """The subagents under a step."""
        return [below for below in self.children(place) if self.is_subagent(below)]

    def calls(self, place: int) -> list[int]:
        """The calls that belong into a step: those under it, itself if it is one."""
        kind = self._steps[place].kind
        if kind == "tool":
            return [place]
        return [below for below in self.children(place) if self._is_call(below)] if kind in {"llm", "agent"} else []

    def _is_call(self, place: int) -> bool:
        step = self._steps[place]
        return step.kind == "tool" and not is_observation(step.name, step.input)

    def in_line(self, places: Iterator[int], with_subagents: bool) -> Iterator[tuple[int, bool]]:
        """The steps that become steps, in order, and whether one stood under another that does not hold it.

        `with_subagents`: what stands under a subagent is in its own trajectory.
        """
        for root in places:
            waiting = [(root, False)]
            while waiting:
                place, apart = waiting.pop()
                yield place, apart
                if not (with_subagents and self.is_subagent(place)):
                    waiting.extend((below, True) for below in reversed(self._left_over(place, with_subagents)))

    def _left_over(self, place: int, with_subagents: bool) -> list[int]:
        """What stands under a step and under its calls, and that neither holds."""
        calls = self.calls(place)
        left = [below for below in self.children(place) if below not in calls]
        for call in calls:
            if call != place:
                left += self.children(call)
        held = {below for call in calls for below in self.subagents(call)} if with_subagents else ()
        return [below for below in left if below not in held]


def is_observation(name: str, given: str | None) -> bool:
    """Whether a step of a tool is a result that no call of the run asked for."""
    return given is None and name in {"observation", "tool"}
