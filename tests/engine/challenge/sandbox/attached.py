"""System calls made in the name of another process: as a debugger attaches to it. Linux on x86_64 alone."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from pathlib import Path

_ATTACH, _DETACH, _SINGLE_STEP, _GET_REGISTERS, _SET_REGISTERS = 16, 17, 9, 12, 13
_NAMES = """
    r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base ds es fs gs
""".split()  # noqa: SIM905
_ARGUMENTS = ("rdi", "rsi", "rdx", "r10", "r8", "r9")
_SYSCALL_INSTRUCTION = 2  # bytes
_READ = "0"
_WAIT = 5.0
_SCRATCH = 8192  # bytes below the stack pointer, which nothing uses
_library = ctypes.CDLL(None, use_errno=True)
_library.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
_library.ptrace.restype = ctypes.c_long


class Registers(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in _NAMES)


class Attached:
    """A process that waits to read; raises PermissionError where it may not be attached to."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        until = time.monotonic() + _WAIT
        while Path(f"/proc/{pid}/syscall").read_text().split()[0] != _READ and time.monotonic() < until:
            time.sleep(0.001)
        self._trace(_ATTACH)
        os.waitpid(pid, 0)
        self._registers = Registers()
        self._trace(_GET_REGISTERS, ctypes.addressof(self._registers))

    def call(self, number: int, *arguments: int | bytes) -> int:
        """What the call returns (below 0: an error number); raises InterruptedError where it ends the process."""
        at = self._registers.rsp - _SCRATCH
        now = Registers.from_buffer_copy(self._registers)
        with Path(f"/proc/{self._pid}/mem").open("r+b", buffering=0) as memory:
            for register, argument in zip(_ARGUMENTS, arguments, strict=False):
                if isinstance(argument, bytes):
                    memory.seek(at)
                    memory.write(argument + b"\0")
                    setattr(now, register, at)
                    at += len(argument) + 64
                else:
                    setattr(now, register, argument % 2**64)
        now.rip -= _SYSCALL_INSTRUCTION
        now.rax, now.orig_rax = number, 2**64 - 1
        self._trace(_SET_REGISTERS, ctypes.addressof(now))
        self._trace(_SINGLE_STEP)
        _, status = os.waitpid(self._pid, 0)
        if os.WIFSIGNALED(status):
            raise InterruptedError(signal.Signals(os.WTERMSIG(status)).name)
        self._trace(_GET_REGISTERS, ctypes.addressof(now))
        return ctypes.c_int64(now.rax).value

    def _trace(self, request: int, data: int = 0) -> None:
        if _library.ptrace(request, self._pid, None, data) < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
