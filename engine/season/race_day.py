"""One race as a stream of events in the order of time, drawn as it is asked for.

The day's clock counts simulated seconds; the race starts at 0. Qualifying comes before it, `complete` when the last
run has ended, the reveal `REVEAL_AFTER` seconds later. The validators claim the versions over the first `CLAIM_SPAN`
seconds, in one order that each disturbs in its own way, and run them side by side. In a share of the races,
`late_validator_rate`, one validator begins late.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush, heapreplace
from typing import NamedTuple

from engine.season.events import Event, RaceComplete, RaceStarted, Revealed
from engine.season.field import Field, FieldConfig
from engine.season.history import History, draw_history, race_identity
from engine.season.qualifying import OPENS_AT, qualifiers, qualifying_events, qualifying_scores
from engine.season.running import Plan, Runner
from engine.season.solving import FAILED, TIMED_OUT, conditions, fate, race_form
from engine.season.streams import Draw, below, shuffled, stream
from engine.season.tasks import QUALIFYING_SUITE, Task, hidden_tasks, suite_name

CLAIM_SPAN = 165.0
SHORTEST_RUN, LONGEST_RUN, LEASE = 60.0, 130.0, 150.0
"""Seconds a run takes at least and at most, and after which one that has not ended is given up."""

DISORDER = 0.25
"""How far a validator's queue strays from the common order, as a share of its length."""

LATE_BY = 40.0
"""Seconds after which a late validator begins."""

REVEAL_AFTER, AFTERGLOW = 20.0, 10.0
"""Seconds from the race's end to the reveal, and from there to the end of the day."""


class RaceDay(NamedTuple):
    """One race, from the opening of its qualifying phase to its reveal.

    `opens_at`, `completes_at`, `reveal_at` and `ends_at` are seconds on the day's clock; `starts_at` is where its 0
    lies on the season's clock, which starts with the launch race. `qualifiers` are version ids; `qualifying` holds the
    score of everybody who tried; `tasks` are the hidden set.
    """

    field: Field
    history: History
    number: int
    id: str
    suite: str
    qualifying_suite: str
    tasks: tuple[Task, ...]
    qualifying: Mapping[str, float]
    qualifiers: tuple[str, ...]
    incumbent: str | None
    threshold: float
    plans: tuple[Plan, ...]
    opens_at: float
    completes_at: float
    reveal_at: float
    ends_at: float
    starts_at: float

    def events(self) -> Iterator[Event]:
        """Everything that happens, in the order of time, from the first event each time it is called."""
        yield from qualifying_events(self.field, self.number, self.qualifying)
        yield RaceStarted(0.0)
        yield from self._runs()
        yield RaceComplete(self.completes_at)
        yield Revealed(self.reveal_at)

    def _runs(self) -> Iterator[Event]:
        """The events of all runs, merged; a run is drawn when it is claimed. At one moment the earlier plan leads."""
        runner = self._runner()
        active: list[tuple[float, int, Event, Iterator[Event]]] = []
        for order, plan in enumerate(self.plans):
            while active and active[0][0] < plan.claimed_at:
                yield _next(active)
            events = runner.events(plan)
            heappush(active, (plan.claimed_at, order, next(events), events))
        while active:
            yield _next(active)

    def _runner(self) -> Runner:
        field, racing = self.field, frozenset(self.qualifiers)
        entries = [entry for entry in field.entries(self.number) if entry[1].id in racing]
        draw = stream(field.seed, "form", self.number)
        forms = [race_form(field.config, agent, draw) for agent, _ in entries]
        offsets = conditions(field, self.number).offsets
        return Runner(field, self.number, entries, forms, self.tasks, offsets, self.history.attempts)


def _next(active: list[tuple[float, int, Event, Iterator[Event]]]) -> Event:
    """The earliest event of the active runs, whose place its run's following event takes."""
    _, order, event, events = active[0]
    following = next(events, None)
    if following is None:
        heappop(active)
    else:
        heapreplace(active, (following.at, order, following, events))
    return event


def race_day(field: Field, number: int | None = None, history: History | None = None) -> RaceDay:
    """The race of that number, by default the field's race to watch, after the races in `history` (by default drawn).

    Raises ValueError where the field knows no such race.
    """
    number = field.first_race_to_watch if number is None else number
    if not field.launch <= number <= field.first_race_to_watch:
        raise ValueError(f"number: {number} is no race from {field.launch} to {field.first_race_to_watch}")
    history = history or draw_history(field, number)
    scores = qualifying_scores(field, number)
    racing = qualifiers(scores, field.config.qualifying_threshold, history.holder)
    plans = _plans(field, number, len(racing))
    completes_at = max([plan.ends_at for plan in plans], default=0.0) + 1.0
    return RaceDay(
        field=field,
        history=history,
        number=number,
        id=race_identity(field, number),
        suite=suite_name(number),
        qualifying_suite=QUALIFYING_SUITE,
        tasks=hidden_tasks(field, number),
        qualifying=scores,
        qualifiers=racing,
        incumbent=history.holder,
        threshold=field.config.qualifying_threshold,
        plans=plans,
        opens_at=OPENS_AT,
        completes_at=completes_at,
        reveal_at=completes_at + REVEAL_AFTER,
        ends_at=completes_at + REVEAL_AFTER + AFTERGLOW,
        starts_at=history.next_start,
    )


def _plans(field: Field, race: int, racing: int) -> tuple[Plan, ...]:
    """Every run of the race by the time of its claim."""
    draw = stream(field.seed, "plans", race)
    late = below(draw, len(field.validators)) if draw() < field.config.late_validator_rate else None
    order = shuffled(draw, racing)
    plans: list[Plan] = []
    for validator in range(len(field.validators)):
        turns = [(turn + DISORDER * racing * draw(), place) for turn, place in enumerate(order)]
        queue = [place for _, place in sorted(turns)]
        plans += _queue(field.config, validator, queue, LATE_BY if validator == late else 0.0, draw)
    return tuple(sorted(plans))


def _queue(config: FieldConfig, validator: int, queue: Sequence[int], delay: float, draw: Draw) -> Iterator[Plan]:
    """One validator's runs, in the order of its queue."""
    spacing = CLAIM_SPAN / max(1, len(queue))
    for turn, place in enumerate(queue):
        claimed_at = delay + spacing * turn + min(spacing, 10.0) * draw()
        duration = SHORTEST_RUN + (LONGEST_RUN - SHORTEST_RUN) * draw()
        what = fate(config, draw)
        ends_at = claimed_at + duration
        if what == FAILED:
            ends_at = claimed_at + duration * (0.15 + 0.75 * draw())
        elif what == TIMED_OUT:
            duration, ends_at = duration * 1.6 + LEASE / 2.0, claimed_at + LEASE
        yield Plan(claimed_at, ends_at, place, validator, duration, what)
