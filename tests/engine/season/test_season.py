"""Day after day: the finished race joins the history, and a season is the same from its seed."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.season.events import TaskFinished
from engine.season.field import Field, FieldConfig, draw_field
from engine.season.ledger import KEPT_RACES, Ledger, next_day
from engine.season.race_day import RaceDay, race_day
from tests.engine.season.digest import event_digest, history_digest

SMALL = FieldConfig(agents=8, families=3, tasks_per_family=2, resubmission_rate=0.3, retirement_rate=0.1)


def season(seed: int, config: FieldConfig, races: int) -> list[tuple[Field, RaceDay, Ledger]]:
    """So many days of a seed, each run to its end."""
    field = draw_field(seed, config)
    day = race_day(field)
    days = []
    for _ in range(races):
        ledger = Ledger(field, day)
        ledger.advance(day.ends_at)
        days.append((field, day, ledger))
        field, day = next_day(field, ledger)
    return days


def test_five_races_follow_each_other() -> None:
    days = season(7, FieldConfig(), 5)
    first = days[0][1].number
    assert [day.number for _, day, _ in days] == list(range(first, first + 5))
    for (field, day, ledger), (later_field, later, _) in pairwise(days):
        past = later.history.races[-1]
        assert past.number == day.number
        assert past == ledger.finished_race()
        assert past.scores == ledger.results.scores
        assert past.crown == ledger.crown
        assert later.starts_at + later.opens_at == day.starts_at + day.ends_at
        assert later_field.first_race_to_watch == field.first_race_to_watch + 1
        assert len(later_field.entries(later.number)) == 48
        assert later.tasks != day.tasks
        assert later.id != day.id


def test_a_season_is_the_same_from_its_seed() -> None:
    one, other = season(3, SMALL, 5), season(3, SMALL, 5)
    assert [event_digest(day.events()) for _, day, _ in one] == [event_digest(day.events()) for _, day, _ in other]
    assert history_digest(one[-1][1].history) == history_digest(other[-1][1].history)
    records = [[ledger.rating(agent.id).record for agent in field.agents] for field, _, ledger in (one[-1], other[-1])]
    assert records[0] == records[1]
    assert event_digest(season(4, SMALL, 1)[0][1].events()) != event_digest(one[0][1].events())


def test_asking_in_between_changes_nothing() -> None:
    field = draw_field(3, SMALL)
    day = race_day(field)
    asked, silent = Ledger(field, day), Ledger(field, day)
    for moment in range(-60, 400, 7):
        asked.advance(float(moment))
        _ = asked.crown_state, asked.scored, [asked.rating(agent.id) for agent in field.agents]
    following = [next_day(field, ledger)[1] for ledger in (asked, silent)]
    assert event_digest(following[0].events()) == event_digest(following[1].events())
    assert history_digest(following[0].history) == history_digest(following[1].history)


def test_ratings_go_on_from_race_to_race() -> None:
    days = season(7, FieldConfig(agents=10), 3)
    for (field, day, ledger), (_, later, later_ledger) in pairwise(days):
        assert any(agent.versions[-1].last_race is None for agent in field.agents)
        for agent in field.agents:
            tasks = [event for event in later.events() if isinstance(event, TaskFinished)]
            played = sum(task.match is not None and task.match.agent_id == agent.id for task in tasks)
            before = ledger.rating(agent.id).record.matches
            assert later_ledger.rating(agent.id).record.matches == before + played
            moments = [at for at, _ in later_ledger.rating(agent.id).points]
            assert moments == sorted(moments)
        assert day.number + 1 == later.number


def test_attempts_count_what_was_played_on_earlier_days() -> None:
    _, (field, day, ledger) = season(7, FieldConfig(agents=10, retirement_rate=0.0), 2)
    first_attempts = repeated = 0
    for agent in field.agents:
        before = day.history.attempts(agent.id)
        attempts: dict[str, int] = {}
        for match in ledger.rating(agent.id).matches:
            if match.race == day.number:
                challenge = match.solo.challenge
                attempts[challenge] = attempts.get(challenge, before.get(challenge, 0)) + 1
                assert match.solo.attempt == attempts[challenge]
                repeated += challenge in before
                first_attempts += match.solo.attempt == 1
    assert repeated > 0
    assert first_attempts > 0


def test_a_day_that_is_over_stays_as_it_was() -> None:
    field = draw_field(7, SMALL)
    day = race_day(field)
    ledger = Ledger(field, day)
    ledger.advance(day.ends_at)
    met = {agent.id: dict(ledger.rating(agent.id).attempts) for agent in field.agents}
    following, later = next_day(field, ledger)
    assert {agent.id: ledger.rating(agent.id).attempts for agent in field.agents} == met
    assert any(later.history.attempts(agent.id) != met.get(agent.id) for agent in following.agents)
    records = {agent.id: ledger.rating(agent.id).record for agent in field.agents}
    attempts = {agent.id: dict(later.history.attempts(agent.id)) for agent in following.agents}
    later_ledger = Ledger(following, later)
    later_ledger.advance(later.ends_at)
    played = [later_ledger.rating(agent.id).record.matches for agent in following.agents]
    assert sum(played) > sum(record.matches for record in records.values())
    assert {agent.id: ledger.rating(agent.id).record for agent in field.agents} == records
    assert {agent.id: dict(later.history.attempts(agent.id)) for agent in following.agents} == attempts
    assert event_digest(later.events()) == event_digest(later.events())


def test_a_resubmission_takes_the_crown_off_its_agent() -> None:
    config = FieldConfig(agents=6, resubmission_rate=1.0, retirement_rate=0.0, tasks_per_family=2)
    for _, day, _ in season(1, config, 3):
        assert day.history.crown is not None
        assert day.history.crown.reason == "vacated"
        assert day.incumbent is None


@given(st.integers(0, 10**6))
@settings(max_examples=10)
def test_the_incumbent_races_whatever_it_scored(seed: int) -> None:
    config = FieldConfig(agents=4, families=2, tasks_per_family=2, retirement_rate=0.0, qualifying_threshold=0.95)
    for _, day, _ in season(seed, config, 3):
        if day.incumbent is not None:
            assert day.incumbent in day.qualifiers


def test_an_earlier_race_leads_to_the_field_s_next_one() -> None:
    field = draw_field(2, SMALL)
    day = race_day(field, field.launch)
    following, later = next_day(field, Ledger(field, day))
    assert later.number == field.launch + 1
    assert following.first_race_to_watch == field.first_race_to_watch
    assert [race.number for race in later.history.races] == [field.launch]


def test_a_long_season_keeps_what_it_shows_and_no_more() -> None:
    config = FieldConfig(agents=5, validators=1, families=2, tasks_per_family=2, retirement_rate=0.3)
    days = season(5, config, KEPT_RACES + 12)
    field, day, ledger = days[-1]
    assert len(day.history.races) == KEPT_RACES
    oldest = day.history.races[0].number
    assert all(agent.versions[-1].last_race is None or agent.versions[-1].last_race >= oldest for agent in field.agents)
    assert field.drawn > len(field.agents)
    assert all(len(ledger.rating(agent.id).attempts) <= 2 * 2 * 4 for agent in field.agents)
    assert len({agent.name for agent in field.agents}) == len(field.agents)
