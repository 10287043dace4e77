"""From a simulated race day to its standings: what has not changed since the last snapshot stays the same object."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import islice

from arena_tui.snapshot import Health, Snapshot, Source
from arena_tui.standings import (
    Absent,
    Figure,
    Holder,
    Mark,
    Race,
    Ramp,
    Rating,
    Run,
    Standing,
    WindowEntry,
)
from engine.numeric import mean
from engine.race import Overall, Rank, RunScore, baseline_spread, competition_ranks
from engine.race.ranking import UNRANKED
from engine.season.history import PastRace, window_overall, window_races
from engine.season.ledger import COMPLETE, QUALIFYING, REVEALED, RUNNING, Ledger, RunState

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""Where simulated time starts: the same on every machine."""

TREND_RACES = 6
"""Earlier races whose Overall the trend shows."""


def moment(seconds: float) -> datetime:
    """A second of the season's clock as a date; whole milliseconds, so that it reads the same everywhere."""
    return EPOCH + timedelta(milliseconds=round(seconds * 1000))


class StandingsKeeper:
    """Makes the snapshots of one race day. Under an `embargo` the race is sealed until its reveal."""

    def __init__(self, ledger: Ledger, embargo: bool) -> None:
        self._ledger, self._embargo = ledger, embargo
        self._past = ledger.day.history.races
        self._names = {version_id: agent.name for version_id, (agent, _) in ledger.entries.items()}
        self._validators = {validator.id: validator.name for validator in ledger.field.validators}
        self._past_windows = [window_races(self._past[: end + 1], ledger.rules) for end in range(len(self._past))]
        self._past_overalls: list[dict[str, Overall]] = [{} for _ in self._past]
        self._previous_ranks = self._ranks_before()
        self._trends: dict[str, tuple[Figure, ...]] = {}
        self._runs: dict[str, tuple[Run, ...]] = {}
        self._families: dict[str, tuple[tuple[str, Figure], ...]] = {}
        self._ratings: dict[str, Rating] = {}
        self._unrated: dict[str, None] = {}
        self._standings: dict[str, Standing] = {}
        self._races: tuple[Race, ...] | None = None

    def snapshot(self, source: Source, sequence: int, health: Health, rate: int | None = None) -> Snapshot:
        """The day at the ledger's moment, without pages.

        A number to `rate` says how many rows, from the top, wait for the rating of their agent: below, and on the Elo
        side, ratings are unknown until a snapshot waits for all.
        """
        ledger, sealed = self._ledger, self.sealed
        self._renew()
        window = window_races(self._past, ledger.rules) if sealed else ledger.window
        return Snapshot(
            source=source,
            sequence=sequence,
            at=moment(ledger.day.starts_at + ledger.now),
            health=health,
            race=self._race(),
            ramp=Ramp(len(window), ledger.rules.window_size, ledger.field.launch, inferred=False),
            anchor=window[-1].number if window else None,
            holder=self._holder(),
            standings=self._ordered(rate),
            races=self.earlier,
            ratings=() if self._unrated else tuple(self._ratings.values()),
        )

    @property
    def sealed(self) -> bool:
        """Whether the race hides its results now."""
        return self._embargo and self._ledger.phase in {RUNNING, COMPLETE}

    @property
    def earlier(self) -> tuple[Race, ...]:
        """The finished races, newest first."""
        if self._races is None:
            self._races = tuple([past_race(past) for past in reversed(self._past)])
        return self._races

    def _renew(self) -> None:
        ledger = self._ledger
        changes = ledger.take_changes()
        versions = ledger.entries if changes.phase else changes.versions
        for version_id in versions:
            self._runs[version_id] = self._run_list(version_id)
            self._families[version_id] = self._family_means(version_id)
        self._unrated |= dict.fromkeys(changes.agents)

    def _rate(self, ranks: Iterable[str], most: int | None) -> None:
        """Bring ratings up to the moment: all of them, or those that are known and those of the first versions."""
        first = {self._ledger.entries[version_id][0].id for version_id in islice(ranks, most)}
        for agent_id in list(self._unrated):
            if most is None or agent_id in self._ratings or agent_id in first:
                del self._unrated[agent_id]
                rating, name = self._ledger.rating(agent_id), self._ledger.field.agent(agent_id).name
                record, tallies = rating.record, rating.tallies.copy()
                self._ratings[agent_id] = Rating(agent_id, name, record.elo, record.title, tallies)

    def _ranks_before(self) -> dict[str, Rank]:
        """The Overall ranks after the last finished race."""
        if not self._past:
            return {}
        return competition_ranks(
            {version_id: self._past_overall(-1, version_id).score for version_id in self._past[-1].scores}
        )

    def _past_overall(self, place: int, version_id: str) -> Overall:
        """A version's Overall as of one of the finished races."""
        known = self._past_overalls[place]
        if version_id not in known:
            known[version_id] = window_overall(self._past_windows[place], version_id)
        return known[version_id]

    def _race(self) -> Race:
        ledger, day, sealed = self._ledger, self._ledger.day, self.sealed
        started = ledger.phase != QUALIFYING
        over = ledger.phase in {COMPLETE, REVEALED}
        results = ledger.results
        missing = Absent.SEALED if sealed else Absent.PENDING
        spread = baseline_spread(results.scores.values())
        shown = started and not sealed
        return Race(
            id=day.id,
            number=day.number,
            phase=ledger.phase,
            suite=day.suite if started else day.qualifying_suite,
            qualifiers=len(day.qualifiers) if started else sum(map(bool, map(ledger.qualified, ledger.entries))),
            scored=ledger.scored if started else 0,
            baseline=results.baseline if shown and results.baseline is not None else missing,
            spread=spread if shown and spread is not None else missing,
            provisional=ledger.phase == RUNNING and not sealed and results.baseline is not None,
            sealed=sealed,
            threshold=day.threshold,
            qualifying_closes=moment(day.starts_at),
            started=moment(day.starts_at) if started else None,
            completed=moment(day.starts_at + day.completes_at) if over else None,
            projected_end=moment(day.starts_at + day.completes_at) if ledger.phase == RUNNING else None,
            reveal_at=moment(day.starts_at + day.reveal_at) if self._embargo and ledger.phase != REVEALED else None,
        )

    def _holder(self) -> Holder | None:
        ledger = self._ledger
        if self.sealed:
            crown = ledger.day.history.crown
            if crown is None or crown.holder is None:
                return None
            overall, margin = self._overall(crown.holder).score, ledger.field.config.margin
            threshold = None if overall is None else overall + margin
            return self._holder_of(crown.holder, overall, margin, threshold, crown.reason, None)
        state = ledger.crown_state
        if state.holder is None:
            return None
        return self._holder_of(
            state.holder, state.overall, state.margin, state.threshold, state.reason, state.would_take
        )

    def _holder_of(
        self,
        version_id: str,
        overall: float | None,
        margin: float,
        threshold: float | None,
        reason: str,
        would_take: str | None,
    ) -> Holder:
        agent, version = self._ledger.entries[version_id]
        return Holder(
            version_id,
            agent.name,
            version.number,
            _figure(overall, Absent.UNKNOWN),
            margin,
            _figure(threshold, Absent.UNKNOWN),
            reason,
            self._names[would_take] if would_take else None,
        )

    def _overall(self, version_id: str) -> Overall:
        """A version's Overall at the anchor: while sealed, at the last finished race."""
        ledger = self._ledger
        if not self.sealed:
            return ledger.overall(version_id)
        return self._past_overall(-1, version_id) if self._past else window_overall((), version_id)

    def _ordered(self, rate: int | None) -> tuple[Standing, ...]:
        """The race's versions by Overall; while qualifying everybody who tries, by qualifying score."""
        ledger = self._ledger
        qualifying = ledger.phase == QUALIFYING
        versions = ledger.entries if qualifying else ledger.day.qualifiers
        overalls = {version_id: self._overall(version_id) for version_id in versions}
        scores = {version_id: overall.score for version_id, overall in overalls.items()}
        if qualifying:
            scores = {version_id: ledger.qualifying.get(version_id) for version_id in versions}
        ranks = competition_ranks(scores)
        self._rate(ranks, rate)
        return tuple([self._standing(version_id, rank, overalls[version_id]) for version_id, rank in ranks.items()])

    def _standing(self, version_id: str, rank: Rank, overall: Overall) -> Standing:
        ledger, sealed = self._ledger, self.sealed
        agent, version = ledger.entries[version_id]
        raw, race_rank, provisional, done, expected = self._raw(version_id)
        before = None if ledger.phase == QUALIFYING else self._previous_ranks.get(version_id, UNRANKED).rank
        baseline = ledger.results.baseline
        vs_field: Figure = raw if isinstance(raw, Absent) or baseline is None else raw - baseline
        score = _figure(overall.score, Absent.PENDING)
        made = Standing(
            agent_id=agent.id,
            agent=agent.name,
            version_id=version_id,
            version=version.number,
            owner=agent.owner,
            rank=rank.rank,
            tied=rank.tied,
            previous_rank=before,
            race_rank=race_rank.rank,
            race_tied=race_rank.tied,
            raw=raw,
            vs_field=vs_field,
            overall=score,
            window=window_entries(overall),
            trend=(*self._trend(version_id), score) if not sealed else self._trend(version_id),
            qualifying=_figure(ledger.qualifying.get(version_id), Absent.PENDING),
            qualified=ledger.qualified(version_id),
            done=done,
            expected=expected,
            provisional=provisional,
            families=self._families[version_id],
            runs=self._runs[version_id],
            marks=self._marks(version_id, version.first_race),
            rating=self._ratings.get(agent.id),
        )
        # An unchanged row stays the same object: who draws it need not look inside.
        if made != self._standings.get(version_id):
            self._standings[version_id] = made
        return self._standings[version_id]

    def _raw(self, version_id: str) -> tuple[Figure, Rank, bool, int | None, int | None]:
        """Raw score, rank by it, whether it is provisional, and the progress of the runs."""
        ledger = self._ledger
        if ledger.phase == QUALIFYING:
            return Absent.PENDING, UNRANKED, False, None, None
        state = ledger.version_score(version_id)
        if self.sealed:
            return Absent.SEALED, UNRANKED, False, state.done, state.expected
        raw = _figure(state.raw, Absent.PENDING if state.provisional else Absent.FAILED)
        rank = ledger.results.ranks.get(version_id, UNRANKED)
        return raw, rank, state.provisional and state.raw is not None, state.done, state.expected

    def _marks(self, version_id: str, first_race: int) -> tuple[Mark, ...]:
        ledger = self._ledger
        crown = ledger.day.history.crown if self.sealed else ledger.crown
        marks: list[Mark] = []
        if crown is not None and crown.holder == version_id:
            marks.append(Mark.HOLDER)
        if not self.sealed and ledger.crown_state.would_take == version_id:
            marks.append(Mark.WOULD_TAKE)
        if first_race == ledger.day.number:
            marks.append(Mark.FRESH)
        return tuple(marks)

    def _trend(self, version_id: str) -> tuple[Figure, ...]:
        """The version's Overall as of the finished races since it was first there, oldest first."""
        if version_id not in self._trends:
            first = self._ledger.entries[version_id][1].first_race
            places = [place for place, past in enumerate(self._past) if past.number >= first][-TREND_RACES:]
            self._trends[version_id] = tuple(
                [_figure(self._past_overall(place, version_id).score, Absent.UNKNOWN) for place in places]
            )
        return self._trends[version_id]

    def _run_list(self, version_id: str) -> tuple[Run, ...]:
        ledger = self._ledger
        states = ledger.runs_of.get(version_id, [])
        scores = {state.id: ledger.run_score(state) for state in states}
        shown = [_run_figure(score) for score in scores.values()]
        counted = [figure for figure in shown if not isinstance(figure, Absent)]
        centre = mean(counted) if counted else None
        return tuple([self._run(state, scores[state.id], centre) for state in states])

    def _run(self, state: RunState, score: RunScore, centre: float | None) -> Run:
        day = self._ledger.day
        figure: Figure = Absent.SEALED if self.sealed else _run_figure(score)
        delta: Figure = figure if isinstance(figure, Absent) or centre is None else figure - centre
        return Run(
            id=state.id,
            version_id=state.version_id,
            validator=self._validators[state.validator_id],
            status=state.status,
            score=figure,
            done=score.finished,
            expected=score.expected,
            provisional=score.provisional and score.so_far is not None,
            included=score.included,
            delta=delta,
            reason=state.reason,
            phase="race",
            claimed=moment(day.starts_at + state.claimed_at),
            completed=None if state.ended_at is None else moment(day.starts_at + state.ended_at),
        )

    def _family_means(self, version_id: str) -> tuple[tuple[str, Figure], ...]:
        ledger = self._ledger
        if self.sealed:
            return tuple([(family, Absent.SEALED) for family in ledger.field.families])
        means = ledger.families(version_id)
        return tuple(
            [(family, _figure(one, Absent.PENDING)) for family, one in zip(ledger.field.families, means, strict=True)]
        )


def past_race(past: PastRace) -> Race:
    """A finished race of the season."""
    spread = baseline_spread(past.scores.values())
    scored = [score for score in past.scores.values() if score is not None]
    winner = next((version_id for version_id, rank in past.ranks.items() if rank.rank == 1), None)
    return Race(
        id=past.id,
        number=past.number,
        phase=REVEALED,
        suite=past.suite,
        qualifiers=len(past.scores),
        scored=len(scored),
        baseline=_figure(past.baseline, Absent.FAILED),
        spread=_figure(spread, Absent.FAILED),
        threshold=past.threshold,
        qualifying_closes=moment(past.started_at),
        started=moment(past.started_at),
        completed=moment(past.completed_at),
        winner=winner,
        winner_score=_figure(past.scores.get(winner) if winner else None, Absent.FAILED),
    )


def window_entries(overall: Overall) -> tuple[WindowEntry, ...]:
    """The races of an Overall, oldest first."""
    return tuple(
        [
            WindowEntry(
                entry.race, _figure(entry.raw, Absent.UNKNOWN), entry.rank, entry.baseline, entry.delta, entry.seed
            )
            for entry in overall.window
        ]
    )


def _figure(value: float | None, absent: Absent) -> Figure:
    return absent if value is None else value


def _run_figure(score: RunScore) -> Figure:
    """A run's score; while it runs, over the tasks finished so far."""
    if not score.included:
        return Absent.FAILED
    return _figure(score.so_far if score.provisional else score.score, Absent.PENDING)
