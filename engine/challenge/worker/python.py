"""A process that runs one piece of untrusted Python: a function of given files, or a script.

It can read the standard library and what it was given, and write nothing but its answer. The code has the whole
interpreter in its hands: what it answers is only ever taken for its own answer.
"""

from __future__ import annotations

import io
import json
import os
import random
import sys
from typing import TYPE_CHECKING

from engine.challenge.worker.confinement import lock
from engine.challenge.worker.frames import received, send
from engine.challenge.worker.limits import limit_resources

if TYPE_CHECKING:
    from types import TracebackType

_MOST_JOB = 256 << 20
_EXTRA_ADDRESSES = 192 << 20
_DESCRIPTORS = 32
_LINES, _CHARACTERS, _MESSAGE = 200, 16384, 1000
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/usr/share/zoneinfo")


class Kept(io.TextIOBase):
    """What is printed, up to so many characters; the rest is dropped."""

    def __init__(self, most: int) -> None:
        self.text = ""
        self._pieces: list[str] = []
        self._left = most

    def write(self, text: str) -> int:
        """Keep the text as far as there is room."""
        if self._left > 0:
            piece = str(text)[: self._left]
            self._left -= len(piece)
            self._pieces.append(piece)
        return len(text)

    def kept(self) -> str:
        """All of it."""
        return "".join(self._pieces)


def main() -> None:
    """Read the arguments, put the pipes out of the code's way, give up what is not needed, say so, and serve once."""
    _, memory, cpu_seconds, level, *readable = sys.argv[1:]
    jobs, answers = os.dup(0), os.dup(1)
    for stream, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY)):
        nothing = os.open(os.devnull, mode)
        os.dup2(nothing, stream)
        os.close(nothing)
    limit_resources(int(memory) + _EXTRA_ADDRESSES, int(cpu_seconds), _DESCRIPTORS)
    library = [path for path in (*sys.path[1:], sys.base_prefix + "/lib", *_LIBRARIES) if os.path.exists(path)]  # noqa: PTH110
    held = lock(int(level), (*library, *readable))
    send(answers, [b"ready", ", ".join(["limits", *held]).encode()])
    job = received(jobs, _MOST_JOB)
    if job:
        send(answers, _answered(job))


def _answered(job: list[bytes]) -> list[bytes]:
    """The answer's parts: kind, text, what was printed as JSON, and the number of the file that was being loaded."""
    kind, *rest = (part.decode() for part in job)
    sys.argv[:] = [""]
    del sys.path[0]
    for name in [name for name in sys.modules if name.split(".")[0] == "engine"]:
        del sys.modules[name]
    random.seed(0)
    return _script(*rest) if kind == "script" else _function(*rest)


def _function(function: str, arguments: str, output: str, *named: str) -> list[bytes]:
    """Load the files into one namespace, call the function, and say what it returned."""
    console = sys.stdout = sys.stderr = Kept(_CHARACTERS)
    names, sources = named[::2], named[1::2]
    loading = 0
    try:
        namespace: dict[str, object] = {"__name__": "submission"}
        for loading, (name, source) in enumerate(zip(names, sources, strict=True)):  # noqa: B007
            exec(compile(source, name, "exec", dont_inherit=True), namespace)  # noqa: S102 -- what this process is for
        loading = len(names)
        found = namespace.get(function)
        if not callable(found):
            kind, text = "failure", json.dumps(["", "", "", "missing"])
        else:
            text = json.dumps(found(*json.loads(arguments)), allow_nan=False)
            kind = "value"
            if len(text) > int(output):
                kind, text = "failure", json.dumps(["", "", "", "output"])
    except MemoryError:
        kind, text = "memory", ""
    except BaseException as raised:  # SystemExit too
        kind, text = "raised", _described(raised, names)
    return [kind.encode(), text.encode(), _lines(console), str(loading).encode()]


def _script(name: str, source: str, environment: str, output: str) -> list[bytes]:
    """Run a script as the main module, and say what it printed and how it exited."""
    printed, complaints = Kept(int(output)), Kept(_CHARACTERS)
    sys.stdout, sys.stderr = printed, complaints
    os.environ.update(json.loads(environment))
    sys.argv[:] = [name]
    code = 0
    try:
        exec(compile(source, name, "exec", dont_inherit=True), {"__name__": "__main__", "__file__": name})  # noqa: S102
    except MemoryError:
        return [b"memory", b"", _lines(complaints), b""]
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException as raised:  # SystemExit too
        code = 1
        complaints.write(json.loads(_described(raised, (name,)))[1])
    text = json.dumps({"stdout": printed.kept(), "exit_code": code})
    return [b"value", text.encode(), _lines(complaints), b""]


def _described(raised: BaseException, names: tuple[str, ...]) -> str:
    """Name, message, file and line of an exception, as JSON; its text is the code's own, and may fail itself."""
    try:
        message = str(raised)[:_MESSAGE]
    except BaseException:
        message = ""
    file, line = _place(raised.__traceback__, names)
    if isinstance(raised, SyntaxError) and raised.filename in names:
        file, line, message = raised.filename, raised.lineno, str(raised.msg)[:_MESSAGE]
    return json.dumps([type(raised).__name__[:100], message, file, line])


def _place(trace: TracebackType | None, names: tuple[str, ...]) -> tuple[str | None, int | None]:
    """The innermost place in one of the files."""
    place: tuple[str | None, int | None] = (None, None)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in names:
            place = (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return place


def _lines(console: Kept) -> bytes:
    return json.dumps(console.kept().splitlines()[:_LINES]).encode()
