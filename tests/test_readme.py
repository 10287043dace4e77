"""What the README says holds: its key table, its commands, its example."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arena_tui.keys import as_markdown

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_the_key_table_is_the_registry() -> None:
    table = README.partition("<!-- keys")[2].partition("-->\n")[2].partition("<!-- /keys -->")[0]
    assert table == as_markdown()


def test_its_pictures_are_there() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)


def test_its_links_into_the_project_lead_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]
    assert all((ROOT / link).exists() for link in links)


def test_the_two_commands_are_those_that_are_tried() -> None:
    tried = (ROOT / ".ci" / "run").read_text("utf-8")
    first, second = blocks("sh")[:2]
    assert f'FIRST="{first.strip()}"' in tried
    assert f'SECOND="{second.strip()}"' in tried


ONE_SHOT = [block for block in blocks("sh") if block.startswith("arena ")]


@pytest.mark.parametrize("block", ONE_SHOT, ids=lambda block: block.splitlines()[0])
def test_its_one_shot_commands_work(block: str, tmp_path: Path) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    environment = os.environ | {"ARENA_SETTINGS": str(tmp_path / "settings.toml"), "PYTHONPATH": str(ROOT)}
    for command in block.splitlines():
        arguments = shlex.split(command)[1:]
        done = subprocess.run(
            (sys.executable, "-m", "arena_tui", *arguments),
            capture_output=True,
            cwd=tmp_path,
            env=environment,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        assert "--json" not in arguments or json.loads(done.stdout)


def test_its_other_commands_are_tried_where_there_is_a_server() -> None:
    tried = (ROOT / "tests" / "arena_tui" / "draft" / "test_remote.py").read_text("utf-8")
    for line in "".join(blocks("console")).splitlines():
        program, command, action, *_ = shlex.split(line.removeprefix("$ "), comments=True)
        assert (program, command) == ("arena", "draft")
        assert f'"{action}"' in tried, line


def test_its_example_of_the_engine_runs() -> None:
    (example,) = blocks("python")
    done = subprocess.run((sys.executable, "-c", example), capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "850 win 1024\n"


def test_its_settings_example_is_taken(tmp_path: Path) -> None:
    from arena_tui.keymap import checked
    from arena_tui.store.settings import load

    file = tmp_path / "settings.toml"
    file.write_text(blocks("toml")[0], "utf-8")
    assert checked(load({}, {"ARENA_SETTINGS": str(file)}).keys)
