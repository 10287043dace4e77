"""The races of a simulated season before one that is watched: each score, run and crown as the season has them.

So a race that is opened from a season begins with that season's standings. What its runs made in each family the season
does not know: there it says nothing.
"""

from __future__ import annotations

import numpy as np

from engine.race.run import mean_score
from engine.rules import DOCUMENTED, Rules
from engine.season.field import Field
from engine.season.history import (
    DAY,
    History,
    PastRace,
    PastRun,
    finished_race,
    opening_crown,
    settled_crown,
)
from engine.season.philox import SeasonStreams
from engine.season.qualifying import qualifiers
from engine.season.sampling import Sampler
from engine.season.season_agents import draw_agents
from engine.season.season_config import SeasonConfig
from engine.season.season_field import version_id
from engine.season.solving import CHECKS, FAULTY, SOUND, fate


def history_of_season(config: SeasonConfig, seed: int, season: int, field: Field, rules: Rules = DOCUMENTED) -> History:
    """The season's races from its launch race to the one before the field's race to watch; `field` is the season's.

    The crown is settled by `rules` and the config's margin: as in the season's standings, where its policy differs from
    the documents in window and margin alone.
    """
    drawn = _Season(config, seed, season)
    races: list[PastRace] = []
    for number in range(field.launch, field.first_race_to_watch):
        crown = opening_crown(field, number, races, rules)
        past = drawn.race(field, number, crown.holder if crown else None)
        standing = [version.id for _, version in field.entries(number)]
        settled = settled_crown(field, standing, [*races, past], past.incumbent, rules)
        races.append(past._replace(crown=settled))
    crown = opening_crown(field, field.first_race_to_watch, races, rules)
    return History(field, tuple(races), crown, DAY * (field.first_race_to_watch - field.launch))


class _Season:
    """What one season of a seed drew, run by run."""

    def __init__(self, config: SeasonConfig, seed: int, season: int) -> None:
        streams = SeasonStreams(seed)
        agents = draw_agents(config, streams, season, 1)
        sampler = Sampler(config, streams, agents, agents.consistency.take(agents.row))
        sampler.draw(season, 0)
        sampler.resolve(season)
        units, _ = sampler.units(season, 0)
        shape = (-1, config.races, config.agents)
        self._units, self._fates = units.reshape(shape), sampler.fates(season, 0).reshape(shape)
        self._versions = np.vectorize(version_id, otypes=[object])(agents.version[0], season)
        self._level, self._config = sampler.level[0], config

    def race(self, field: Field, number: int, incumbent: str | None) -> PastRace:
        expected = field.expected_tasks
        seats = {version: seat for seat, version in enumerate(self._versions[number - 1])}
        entered = [version.id for _, version in field.entries(number)]
        scores = {version: self._units[:, number - 1, seats[version]] / CHECKS / expected for version in entered}
        qualifying = {version: float(scores[version][0]) for version in entered}
        runs = {
            version: self._runs(field, number, seats[version], scores[version][1:].tolist())
            for version in qualifiers(qualifying, self._config.qualifying_threshold, incumbent)
        }
        return finished_race(
            field,
            number,
            incumbent,
            float(self._level[number - 1]),
            qualifying,
            {
                version: mean_score([run.score for run in told if run.score is not None])
                for version, told in runs.items()
            },
            runs,
            {version: (None,) * len(field.families) for version in runs},
        )

    def _runs(self, field: Field, number: int, seat: int, scores: list[float]) -> tuple[PastRun, ...]:
        runs: list[PastRun] = []
        for validator, drawn, score in zip(
            field.validators, self._fates[:, number - 1, seat].tolist(), scores, strict=True
        ):
            what = fate(field.config, iter((drawn,)).__next__)
            status = "SUCCESS" if what in {SOUND, FAULTY} else what
            runs.append(PastRun(validator.id, status, score if what == SOUND else None))
        return tuple(runs)
