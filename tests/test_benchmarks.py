"""The benchmarks run and print their ratios; what the ratios are is no test's matter."""

import re
import shutil

import pytest

from tests.benchmarks import board, elo, once, seasons, start

RATIO = re.compile(r" / .+: \d+\.\d\d CPU, \d+\.\d\d wall")


@pytest.mark.parametrize(("benchmark", "ratios"), [(board, 3), (once, 1), (start, 2)])
def test_a_benchmark_prints_its_ratios(benchmark: object, ratios: int, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark.main(1)  # type: ignore[attr-defined]
    assert len(RATIO.findall(capsys.readouterr().out)) == ratios


@pytest.mark.skipif(shutil.which("node") is None, reason="their peers run in Node")
@pytest.mark.parametrize("benchmark", [seasons, elo])
def test_a_benchmark_of_seasons_prints_its_ratios_and_agrees_with_its_peers(
    benchmark: object, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark.main(1)  # type: ignore[attr-defined]
    told = capsys.readouterr().out
    assert len(RATIO.findall(told)) == 3
    if benchmark is elo:
        here, there = re.findall(r"(\d+) here and (\d+) in Node", told)[0]
        assert here == there
    else:
        holders = [float(found) for found in re.findall(r"(\d+\.\d\d) new holders", told)]
        assert len(holders) == 4
        assert max(holders[:3]) - min(holders[:3]) < 1.5
