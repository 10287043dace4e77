"""What a worker can reach: asked of live ones, from outside and in their own name."""

from __future__ import annotations

import errno
import os
import platform
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.challenge.sandbox import Sandbox
from engine.challenge.sandbox.process import Worker
from tests.engine.challenge.sandbox.attached import Attached

if sys.platform != "linux":
    pytest.skip("only Linux has Landlock and seccomp", allow_module_level=True)

OPENAT, SOCKET, CONNECT, CLONE, FORK, EXECVE, KILL, MKDIR, UNLINK, PTRACE, MMAP = (
    257,
    41,
    42,
    56,
    57,
    59,
    62,
    83,
    87,
    101,
    9,
)
HERE = -100


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as one:
        if "landlock" not in one.confinement or "seccomp" not in one.confinement:
            pytest.skip(f"this kernel has not both Landlock and seccomp: {one.confinement}")
        yield one


@pytest.fixture
def worker(sandbox: Sandbox) -> Worker:
    assert sandbox._worker is not None
    return sandbox._worker


def attached(worker: Worker) -> Attached:
    if platform.machine() != "x86_64":
        pytest.skip("calls are made in another's name on x86_64 alone")
    try:
        return Attached(worker.pid)
    except PermissionError:
        pytest.skip("this user may not attach to a process")


def test_it_inherits_no_descriptor_no_environment_and_no_folder(worker: Worker) -> None:
    process = Path(f"/proc/{worker.pid}")
    try:
        descriptors = {one.name: str(one.readlink()).split(":")[0] for one in (process / "fd").iterdir()}
    except PermissionError:
        pytest.skip("this user may not look into a process that hides")
    assert descriptors == {"0": "pipe", "1": "pipe", "2": "/dev/null"}
    names = {entry.split(b"=")[0] for entry in (process / "environ").read_bytes().split(b"\0") if entry}
    assert names <= {b"TZ", b"LC_ALL", b"LC_CTYPE", b"LD_LIBRARY_PATH"}
    assert (process / "cwd").readlink() == Path("/proc")


def test_the_kernel_says_that_it_is_locked(worker: Worker) -> None:
    lines = Path(f"/proc/{worker.pid}/status").read_text().splitlines()
    status = dict(line.split(":\t") for line in lines if ":\t" in line)
    assert (status["NoNewPrivs"], status["Seccomp"], status["Threads"]) == ("1", "2", "1")
    limits = Path(f"/proc/{worker.pid}/limits").read_text()
    for limit in ("Max file size", "Max core file size", "Max processes"):
        assert limits.split(limit)[1].split()[:2] == ["0", "0"]


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (OPENAT, (HERE, b"/etc/passwd", os.O_RDONLY)),
        (SOCKET, (socket.AF_INET, socket.SOCK_STREAM, 0)),
        (SOCKET, (socket.AF_UNIX, socket.SOCK_STREAM, 0)),
        (FORK, ()),
        (CLONE, (17, 0, 0, 0)),
        (EXECVE, (b"/bin/true", 0, 0)),
        (KILL, (os.getpid(), 0)),
        (MKDIR, (b"/tmp/made-by-a-worker", 0o700)),
        (UNLINK, (b"/tmp/made-by-a-worker",)),
        (PTRACE, (0, 0, 0)),
        (OPENAT + 0x40000000, (HERE, b"/etc/passwd", os.O_RDONLY)),
    ],
)
def test_a_call_that_it_has_no_use_for_ends_it(
    sandbox: Sandbox, worker: Worker, number: int, arguments: tuple[int | bytes, ...]
) -> None:
    with pytest.raises(InterruptedError, match="SIGSYS"):
        attached(worker).call(number, *arguments)


def test_memory_cannot_be_made_executable(worker: Worker) -> None:
    private_anonymous, read_write, executable = 0x22, 3, 4
    inside = attached(worker)
    assert inside.call(MMAP, 0, 4096, read_write, private_anonymous, -1, 0) > 0
    assert inside.call(MMAP, 0, 4096, read_write | executable, private_anonymous, -1, 0) == -errno.EPERM


def test_landlock_alone_leaves_no_file_no_folder_and_no_network(sandbox: Sandbox, tmp_path: Path) -> None:
    """Without the filter of calls, as where a kernel has none: files and connections are refused one by one."""
    readable = tmp_path / "readable"
    readable.write_text("x")
    readable.chmod(0o666)
    sandbox.close()
    sandbox._lock_level = 1
    assert sandbox.confinement == "limits, landlock"
    assert sandbox._worker is not None
    inside = attached(sandbox._worker)
    refused = -errno.EACCES
    assert inside.call(OPENAT, HERE, bytes(readable), os.O_RDONLY) == refused
    assert inside.call(OPENAT, HERE, bytes(readable), os.O_WRONLY) == refused
    assert inside.call(OPENAT, HERE, bytes(tmp_path / "new"), os.O_WRONLY | os.O_CREAT, 0o600) == refused
    assert inside.call(MKDIR, bytes(tmp_path / "folder"), 0o700) == refused
    assert inside.call(UNLINK, bytes(readable)) == refused
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = b"\x02\0" + server.getsockname()[1].to_bytes(2, "big") + bytes((127, 0, 0, 1)) + bytes(8)
        opened = inside.call(SOCKET, socket.AF_INET, socket.SOCK_STREAM, 0)
        assert opened > 2
        assert inside.call(CONNECT, opened, address, 16) == refused


ALONE = """
import os, sys
sys.path.insert(0, sys.argv[1])
from engine.challenge.worker.confinement import lock
import socket
lock(int(sys.argv[2]))
try:
    exec(sys.argv[3])
except OSError as refusal:
    print(type(refusal).__name__, end="", flush=True)
os._exit(0)
"""


@pytest.mark.parametrize(
    "action",
    ["open('/etc/passwd')", "os.listdir('/')", "os.mkdir('made')", "socket.create_connection(('127.0.0.1', 9), 1)"],
)
def test_what_is_locked_for_any_user(sandbox: Sandbox, tmp_path: Path, action: str) -> None:
    """The same from inside a process that locks itself, which needs no right to attach."""
    packages = str(Path(__file__).parents[4])
    ends = {}
    for level in (1, 2):
        command = [sys.executable, "-I", "-c", ALONE, packages, str(level), action]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        ends[level] = (done.returncode, done.stdout)
    assert ends == {1: (0, "PermissionError"), 2: (-31, "")}
    assert not list(tmp_path.iterdir())
