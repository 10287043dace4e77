"""A one-shot run from start to exit, against a bare interpreter.

`python -m tests.benchmarks.once`
"""

import sys
from pathlib import Path

from tests.benchmarks.measure import process, report, rounds

ARENA = str(Path(sys.executable).parent / "arena")


def main(count: int = 15) -> None:
    """Print the table."""
    costs = rounds(
        {
            "arena watch sim --once --json": lambda: process(ARENA, "watch", "sim", "--once", "--json"),
            "python -c pass": lambda: process(sys.executable, "-c", "pass"),
        },
        count,
    )
    report("Whole process", costs, [("arena watch sim --once --json", "python -c pass")])


if __name__ == "__main__":
    main()
