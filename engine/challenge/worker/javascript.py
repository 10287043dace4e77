"""A worker that runs JavaScript: jobs come in as frames, each in a context of its own, answers go out as frames.

Started as `python -I -S -B -c …` with, as arguments, the folder of this project's packages, the path of the engine's
extension module, and the limits. Whatever the code does, what reaches the app is one frame of bytes, or the end of this
process.
"""

from __future__ import annotations

import _thread
import os
import sys
import time
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.challenge.worker.frames import received, send

if sys.platform == "linux":
    from engine.challenge.worker.confinement import lock
if sys.platform != "win32":
    import resource

    from engine.challenge.worker.limits import limit_resources
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

_JOBS, _ANSWERS = 0, 1  # pipes
_MOST_JOB = 256 << 20
_EXTRA_ADDRESSES = 256 << 20
_DESCRIPTORS = 8
_STACK_SHARE = 4  # the engine may use a quarter of the stack there is
_THREAD_STACK = 64 << 20
_DRAIN_SECONDS = 0.05
_INTERRUPTED = "InternalError: interrupted"
_NO_MEMORY = "InternalError: out of memory"
_THROWN_NULL = (b"null\n", b'["","it threw null","","error"]')


class Settings(NamedTuple):
    """The limits of every job: seconds, bytes, bytes of stack; the prelude's source; and the engine itself."""

    seconds: float
    memory: int
    stack: int
    prelude: str
    engine: ModuleType


class Clock:
    """The processor time that a job has left; the engine's own limit starts anew with each call into it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._began = time.process_time()

    def left(self) -> float:
        """Seconds, never none."""
        return max(self._seconds - (time.process_time() - self._began), 0.001)

    def ran_out(self) -> bool:
        """Whether the limit is all but used; a script can throw what the engine throws then."""
        return time.process_time() - self._began >= 0.9 * self._seconds


def main() -> None:
    """Read the arguments, give up what a worker does not need, say so, and serve."""
    _, engine_file, seconds, memory, cpu_seconds, level = sys.argv[1:7]
    engine = _loaded(engine_file)
    with open(os.path.join(os.path.dirname(__file__), "prelude.js"), encoding="utf-8") as file:  # noqa: PTH118, PTH120, PTH123
        prelude = file.read()
    if sys.platform == "win32":
        stack, held = _THREAD_STACK, []
    else:
        stack = limit_resources(2 * int(memory) + _EXTRA_ADDRESSES, int(cpu_seconds), _DESCRIPTORS)
        held = ["limits"]
    settings = Settings(float(seconds), int(memory), stack // _STACK_SHARE, prelude, engine)
    if sys.platform == "linux":
        held += lock(int(level))
        _serve(settings, held)
    else:
        _serve_with_large_stack(settings, held)


def _loaded(path: str) -> ModuleType:
    """The engine's extension module alone: the package around it would start a thread."""
    loader = ExtensionFileLoader("_quickjs", path)
    module = loader.create_module(ModuleSpec("_quickjs", loader, origin=path))
    loader.exec_module(module)
    return module


def _serve_with_large_stack(settings: Settings, held: list[str]) -> None:
    """Elsewhere than on Linux the main thread's stack cannot grow: another one has the size it is given."""
    done = _thread.allocate_lock()
    done.acquire()
    _thread.stack_size(_THREAD_STACK)
    large = settings._replace(stack=_THREAD_STACK // _STACK_SHARE)

    def serve() -> None:
        try:
            _serve(large, held)
        finally:
            done.release()

    _thread.start_new_thread(serve, ())
    done.acquire()


def _serve(settings: Settings, held: list[str]) -> None:
    """Jobs until the app closes the pipe. The first one is the worker's own: what a filter forbids ends it here."""
    warm_up = [b"run", b"warm", b"[]", b"0", b"1000", b"function warm(){return [1.5,'a\\u00e9'].map(String)}"]
    _job(warm_up, settings, _prepared(settings))
    _job([*warm_up[:-1], b"throw 1"], settings, _prepared(settings))
    send(_ANSWERS, [b"ready", ", ".join(held).encode()])
    while True:
        context = _prepared(settings)
        job = received(_JOBS, _MOST_JOB)
        if not job:
            return
        send(_ANSWERS, _job(job, settings, context))
        del context


class Prepared(NamedTuple):
    """A fresh context, and the prelude's function to be called from outside."""

    context: Any
    host: Callable[..., Any]


def _prepared(settings: Settings) -> Prepared:
    context = settings.engine.Context()
    context.set_memory_limit(settings.memory)
    context.set_max_stack_size(settings.stack)
    return Prepared(context, context.eval(settings.prelude))


def _job(job: list[bytes], settings: Settings, prepared: Prepared) -> list[bytes]:
    """The answer's parts: kind, text, console as JSON, and the number of the file that was being loaded."""
    clock = Clock(settings.seconds)
    peak = _peak_memory()
    if job[0] == b"syntax":
        kind, text, at = _parsed(job[1].decode(), settings, clock)
        return [kind, text, b"[]", at]
    kind, text, at = _ran(job, settings, prepared, clock)
    # The engine throws a bare null where it has no memory left for an error, and so may a script.
    if text in _THROWN_NULL and _peak_memory() - peak > settings.memory // 2:
        kind = b"memory"
    return [kind, text, _console(prepared), at]


def _ran(job: list[bytes], settings: Settings, prepared: Prepared, clock: Clock) -> tuple[bytes, bytes, bytes]:
    _, function, arguments, now, output, *sources = job
    context, host = prepared
    loading = 0
    try:
        host("now", float(now))
        for loading, source in enumerate(sources):  # noqa: B007
            context.set_time_limit(clock.left())
            # The value of the last statement is the script's; what reaches the binding must not be.
            context.eval(source.decode() + "\n;0")
        loading = len(sources)
        context.set_time_limit(clock.left())
        found = context.eval(_lookup(function.decode()))
        context.set_time_limit(clock.left())
        text = host("run", found, arguments.decode(), float(output))
        if text is not None:
            return b"value", text.encode(), b""
        return b"failure", host("failure").encode(), b""
    except MemoryError:
        return b"memory", b"", b""
    except settings.engine.JSException as thrown:
        kind = _kind_of(str(thrown), clock)
        return kind, str(thrown).encode(errors="replace"), str(loading).encode()


def _lookup(name: str) -> str:
    """A pair of the function and what it is called on: of `module.exports` first, else by its own name."""
    exported = f"typeof module==='object'&&module&&module.exports&&typeof module.exports.{name}==='function'"
    return f"{exported}?[module.exports.{name},module.exports]:[typeof {name}==='function'?{name}:null,undefined]"


def _kind_of(text: str, clock: Clock) -> bytes:
    """What ended the script, by the engine's own words."""
    first = text.split("\n", 1)[0]
    if first == _INTERRUPTED and clock.ran_out():
        return b"timeout"
    if first == _NO_MEMORY:
        return b"memory"
    if first == "RangeError: Maximum call stack size exceeded":
        return b"stack"
    return b"thrown"


def _parsed(source: str, settings: Settings, clock: Clock) -> tuple[bytes, bytes, bytes]:
    """Whether the source parses as a function's body, nothing of it run.

    Two frames around it, because a source can close the one and go on in it: after `}` the first wants a statement, the
    second a comma or its end.
    """
    for before, after in (("throw 0;function f(){\n", "\n}"), ("throw 0;({f(){\n", "\n}})")):
        context = settings.engine.Context()
        context.set_memory_limit(settings.memory)
        context.set_max_stack_size(settings.stack)
        context.set_time_limit(clock.left())
        try:
            context.eval(before + source + after)
        except MemoryError:
            return b"memory", b"", b""
        except settings.engine.JSException as thrown:
            text = str(thrown)
            if text.split("\n", 1)[0] != "0":
                return _kind_of(text, clock), text.encode(errors="replace"), b"0"
    return b"value", b"null", b""


def _console(prepared: Prepared) -> bytes:
    """What was logged, as JSON; after a failure there may be no memory left to say it."""
    try:
        prepared.context.set_time_limit(_DRAIN_SECONDS)
        text = prepared.host("console")
    except Exception:  # whatever the engine makes of its own ruins
        return b"[]"
    return text.encode() if isinstance(text, str) else b"[]"


def _peak_memory() -> int:
    """The most bytes that this process ever held, 0 where that is unknown."""
    if sys.platform != "linux":
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
