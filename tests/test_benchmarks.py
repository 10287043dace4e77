"""The benchmarks run and print their ratios; what the ratios are is no test's matter."""

import re
import shutil

import pytest

from tests.benchmarks import board, once, seasons, start

RATIO = re.compile(r" / .+: \d+\.\d\d CPU, \d+\.\d\d wall")


@pytest.mark.parametrize(("benchmark", "ratios"), [(board, 3), (once, 1), (start, 2)])
def test_a_benchmark_prints_its_ratios(benchmark: object, ratios: int, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark.main(1)  # type: ignore[attr-defined]
    assert len(RATIO.findall(capsys.readouterr().out)) == ratios


@pytest.mark.skipif(shutil.which("node") is None, reason="their peers run in Node")
def test_the_benchmark_of_seasons_agrees_with_its_peers(capsys: pytest.CaptureFixture[str]) -> None:
    seasons.main(1)
    told = capsys.readouterr().out
    assert len(RATIO.findall(told)) == 3
    holders = [float(found) for found in re.findall(r"(\d+\.\d\d) new holders", told)]
    assert len(holders) == 4
    assert max(holders[:3]) - min(holders[:3]) < 1.5


@pytest.mark.skipif(shutil.which("node") is None, reason="its peer runs in Node")
def test_the_benchmark_of_elo_agrees_with_its_peer(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("elote", reason="it comes with the extra of benchmarks")
    from tests.benchmarks import elo

    elo.main(1)
    told = capsys.readouterr().out
    assert len(RATIO.findall(told)) == 3
    here, there = re.findall(r"(\d+) here and (\d+) in Node", told)[0]
    assert here == there
