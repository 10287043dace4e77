"""What a worker process gives up before it touches untrusted code: files, network, other processes. Linux alone."""

from __future__ import annotations

import ctypes
import os
import sys

from engine.challenge.worker.seccomp import seccomp_filter

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
_SECCOMP_MODE_FILTER = 2
_SIGKILL = 9
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446  # the same numbers on every architecture
_LANDLOCK_VERSION = 1
_LANDLOCK_PATH_BENEATH = 1
_LANDLOCK_READ_FILE, _LANDLOCK_READ_FOLDER = 1 << 2, 1 << 3


def lock(level: int, readable: tuple[str, ...] = ()) -> list[str]:
    """Give up what the kernel lets a process give up; returns in words what holds from here on.

    Level 2 is all of it, 1 leaves out the filter of system calls, 0 is nothing. `readable` are the only paths that can
    still be opened, to read and to load libraries from.
    """
    if level == 0:
        return []
    library = ctypes.CDLL(None, use_errno=True)
    library.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    library.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    if library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return []
    holds = []
    if _landlock(library, readable):
        holds.append("landlock")
    if level > 1 and _seccomp(library, bool(readable)):
        holds.append("seccomp")
    return holds


def _landlock(library: ctypes.CDLL, readable: tuple[str, ...]) -> bool:
    """No file and no TCP port, but `readable`; no signal and no abstract socket that leaves this process."""
    syscall = library.syscall
    version = syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), _LANDLOCK_VERSION)
    if version < 1:
        return False
    files = (1 << (13 + (version >= 2) + (version >= 3) + (version >= 5))) - 1
    fields = [files, *([3] if version >= 4 else []), *([3] if version >= 6 else [])]
    attributes = (ctypes.c_uint64 * len(fields))(*fields)
    rules = syscall(_LANDLOCK_CREATE, attributes, ctypes.c_size_t(8 * len(fields)), 0)
    if rules < 0:
        return False
    for path in readable:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rights = _LANDLOCK_READ_FILE | (_LANDLOCK_READ_FOLDER if os.path.isdir(path) else 0)  # noqa: PTH112
        beneath = rights.to_bytes(8, sys.byteorder) + opened.to_bytes(4, sys.byteorder)
        added = syscall(_LANDLOCK_ADD, rules, _LANDLOCK_PATH_BENEATH, beneath, 0)
        os.close(opened)
        if added:
            return False
    restricted = syscall(_LANDLOCK_RESTRICT, rules, 0)
    os.close(rules)
    return not restricted


def _seccomp(library: ctypes.CDLL, importing: bool) -> bool:
    """No system call but the few that computing and answering need."""
    program = seccomp_filter(os.uname().machine, importing)
    if not program:
        return False

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    described = Program(len(program) // 8, program)
    prctl = library.prctl
    return not prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(described), 0, 0)
