"""What `arena replay --json` prints of every sample, to the byte: a reader that changes its mind shows here."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from arena_tui.replay_output import show_json
from engine import read_trajectory
from engine.trajectory.formats import FORMATS

SAMPLES = Path(__file__).parent.parent / "samples"
NAMES = sorted(str(path.relative_to(SAMPLES).as_posix()) for path in SAMPLES.glob("*/*"))


class JsonFile(SingleFileSnapshotExtension):
    """A file for each sample, as it was printed: a line a step."""

    _write_mode = WriteMode.TEXT
    _file_extension = "json"


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name.replace("/", "-").removesuffix(".json"))
def test_every_sample_is_told_the_same(
    name: str, snapshot: SnapshotAssertion, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(SAMPLES)
    assert show_json([name], strict=False) == 0
    assert capsys.readouterr().out == snapshot(extension_class=JsonFile)


def test_there_is_a_sample_of_every_format() -> None:
    formats = {run.format for name in NAMES for run in read_trajectory(SAMPLES / name)}
    assert formats == set(FORMATS)
