"""P9: Elo updates a second for 10,000 agents, against the platform's own arithmetic in Node and elote's Elo.

Everybody plays the same matches: one a round against one of the four difficulties, with a result and a trust tier. The
sum of the ratings at the end is printed: ours and Node's must be the same number. elote rates real numbers without K's
step, bonus or floor; it is the library one would take. Run: `python -m tests.benchmarks.elo`, with Node on the path.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from elote import EloCompetitor

from engine.rating import rate
from engine.rules import DOCUMENTED
from engine.season.elo_chain import RESULTS, elo_chain
from engine.season.philox import SeasonStreams
from tests.benchmarks import measure
from tests.benchmarks.measure import Cost, median, ratio, rounds
from tests.benchmarks.node import NodePeer

AGENTS = 10_000
OURS, NODE, PLAIN, ELOTE = "the chain", "the platform's, in Node", "engine.rating.rate", "elote"
ROUNDS = {OURS: 1000, NODE: 100, PLAIN: 10, ELOTE: 2}
"""Matches an agent plays in a round of the benchmark: enough of each for a tenth of a second or so."""

OPPONENTS = [rating for _, rating in DOCUMENTED.difficulty_ratings]
SCORES = (0.0, 0.5, 1.0)

chain = elo_chain()
drawn = SeasonStreams(1).words(0, 0, 100 * AGENTS).reshape(100, AGENTS)
results = (drawn % np.uint64(3)).astype(np.uint8)
difficulties = ((drawn >> np.uint64(8)) % np.uint64(4)).astype(np.uint8)
tiers = ((drawn >> np.uint64(16)) % np.uint64(3)).astype(np.uint8)
sums: dict[str, float] = {}


def ours(played_rounds: int = ROUNDS[OURS]) -> float:
    states = np.full(AGENTS, chain.start, dtype=np.int16)
    for played in range(played_rounds):
        at = played % len(results)
        established = np.full(AGENTS, played >= chain.k_threshold)
        states = chain.play(states, chain.kinds(established, tiers[at], difficulties[at], results[at]))
    return float(states.sum(dtype=np.int64) + AGENTS * chain.lowest)


def plain() -> float:
    ratings = [DOCUMENTED.start_rating] * AGENTS
    for played in range(ROUNDS[PLAIN]):
        matches = zip(results[played].tolist(), difficulties[played].tolist(), tiers[played].tolist(), strict=True)
        ratings = [
            rate(rating, OPPONENTS[difficulty], RESULTS[result], played, tier).after
            for rating, (result, difficulty, tier) in zip(ratings, matches, strict=True)
        ]
    return float(sum(ratings))


def elote() -> float:
    agents = [EloCompetitor(initial_rating=1000) for _ in range(AGENTS)]
    opponents = [EloCompetitor(initial_rating=rating) for rating in OPPONENTS]
    for played in range(ROUNDS[ELOTE]):
        matches = zip(agents, results[played].tolist(), difficulties[played].tolist(), strict=True)
        for agent, result, difficulty in matches:
            opponent = opponents[difficulty]
            if result == 2:
                agent.beat(opponent)
            elif result == 0:
                agent.lost_to(opponent)
            else:
                agent.tied(opponent)
            opponent._rating = OPPONENTS[difficulty]
    return float(np.add.reduce([agent.rating for agent in agents]))


def timed(name: str, work: Callable[[], float]) -> Callable[[], Cost]:
    def once() -> Cost:
        wall, cpu = time.perf_counter(), time.process_time()
        sums[name] = work()
        updates = ROUNDS[name] * AGENTS
        return Cost((time.process_time() - cpu) / updates, (time.perf_counter() - wall) / updates)

    return once


def asked(node: NodePeer) -> Callable[[], Cost]:
    def once() -> Cost:
        told = node.ask({"agents": AGENTS, "rounds": ROUNDS[NODE]})
        sums[NODE] = told["sum"]
        updates = AGENTS * ROUNDS[NODE]
        return Cost(told["cpu"] / updates, told["wall"] / updates)

    return once


def main(count: int = measure.ROUNDS) -> None:
    node = NodePeer("elo.mjs")
    node.ask({"inputs": ((tiers << 4) | (difficulties << 2) | results).reshape(-1).tolist()})
    costs = rounds(
        {OURS: timed(OURS, ours), NODE: asked(node), PLAIN: timed(PLAIN, plain), ELOTE: timed(ELOTE, elote)}, count
    )
    node.close()
    print(f"{AGENTS} agents; after {ROUNDS[NODE]} matches each the ratings add up to", end=" ")
    print(f"{ours(ROUNDS[NODE]):.0f} here and {sums[NODE]:.0f} in Node")
    for name, series in costs.items():
        print(f"  {name:<24} {1 / median(series).wall / 1e6:9.2f} million updates a second")
    for peer in (NODE, PLAIN, ELOTE):
        one = ratio(costs, peer, OURS)
        print(f"  {peer} / {OURS}: {one.cpu:.2f} CPU, {one.wall:.2f} wall")


if __name__ == "__main__":
    main()
