"""The simulator: a generative field of agents, the history of its races, and a race day event by event."""
