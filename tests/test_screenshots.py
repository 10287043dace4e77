"""The pictures of the README: the same bytes every time, and a check that notices a change."""

import importlib.util
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def make() -> ModuleType:
    """The script, which is in no package."""
    spec = importlib.util.spec_from_file_location("make_screenshots", ROOT / "screenshots" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What the script sets for itself does not outlive a test."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "Asia/Kolkata")
        patched.setenv("NO_COLOR", "1")
        yield
    time.tzset()


def test_a_picture_is_drawn_with_the_same_bytes_and_checked(make: ModuleType, tmp_path: Path) -> None:
    folder = ["--folder", str(tmp_path), "run"]
    file = tmp_path / "run.svg"
    assert make.main([*folder, "--check"]) == 1
    assert not file.exists()
    assert make.main(folder) == 0
    first = file.read_bytes()
    assert b"nothing paid" in first.replace(b"&#160;", b" ")
    assert make.main([*folder, "--check"]) == 0
    file.write_bytes(first + b" ")
    assert make.main([*folder, "--check"]) == 1
    assert file.read_bytes() == first + b" "


def test_nothing_is_fetched_and_nothing_is_random(make: ModuleType) -> None:
    font = '@font-face {\n font-family: "Fira Code"; src: url("https://example.org/x.woff2");\n }'
    one, other = (f"<svg><style>{font}</style><g class='terminal-{number}-r1'/></svg>" for number in (123, 456))
    assert make.normal(one) == make.normal(other)
    assert "https" not in make.normal(one)


def test_a_picture_that_is_not_there_is_named(make: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        make.main(["nothing"])
    assert ended.value.code == 2
    assert "no picture nothing; there are race, " in capsys.readouterr().err
