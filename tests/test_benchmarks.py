"""The benchmarks run and print their ratios; what the ratios are is no test's matter."""

import re

import pytest

from tests.benchmarks import board, once, start

RATIO = re.compile(r" / .+: \d+\.\d\d CPU, \d+\.\d\d wall")


@pytest.mark.parametrize(("benchmark", "ratios"), [(board, 3), (once, 1), (start, 2)])
def test_a_benchmark_prints_its_ratios(benchmark: object, ratios: int, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark.main(1)  # type: ignore[attr-defined]
    assert len(RATIO.findall(capsys.readouterr().out)) == ratios
