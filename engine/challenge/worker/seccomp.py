"""The filter of system calls: which numbers pass on which architecture, as a program for the kernel."""

from __future__ import annotations

# name: (x86_64, aarch64); what computing, allocating and answering over open pipes needs.
_COMPUTING = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "poll": (7, None),
    "ppoll": (271, 73),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "getpid": (39, 172),
    "exit": (60, 93),
    "gettimeofday": (96, 169),
    "getrusage": (98, 165),
    "times": (100, 153),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "time": (201, None),
    "futex": (202, 98),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "set_robust_list": (273, 99),
    "membarrier": (324, 283),
    "rseq": (334, 293),
}
_RANDOM = {"getrandom": (318, 278)}
# Beside them, to import modules of the standard library; Landlock says from where.
_READING = {
    "open": (2, None),
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "lseek": (8, 62),
    "pread64": (17, 67),
    "getcwd": (79, 17),
    "readlink": (89, None),
    "getuid": (102, 174),
    "getgid": (104, 176),
    "geteuid": (107, 175),
    "getegid": (108, 177),
    "getdents64": (217, 61),
    "openat": (257, 56),
    "newfstatat": (262, 79),
    "readlinkat": (267, 78),
    "faccessat": (269, 48),
    "uname": (63, 160),
    "statx": (332, 291),
    "faccessat2": (439, 439),
    "sched_getaffinity": (204, 123),
}
_MAPPING = {"mmap": (9, 222), "mprotect": (10, 226)}
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000
_PROT_EXEC = 4
_KILL, _EPERM, _ALLOW = 0x80000000, 0x00050001, 0x7FFF0000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _THIRD_ARGUMENT = 0, 4, 32


def seccomp_filter(machine: str, importing: bool) -> bytes:
    """The program as the kernel reads it, empty where the machine is none of those known.

    Any other call ends the process, and memory cannot be made executable. Where it is `importing`, files can be opened
    and libraries mapped, any other call is refused as not permitted, and there is no randomness.
    """
    if machine not in _ARCHITECTURES:
        return b""
    column, audited = _ARCHITECTURES[machine]
    named = _COMPUTING | (_READING | _MAPPING if importing else _RANDOM)
    program = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_EQUAL, audited, 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NUMBER),
        _instruction(_AT_LEAST, _X32, 0, 1),
        _instruction(_RETURN, _KILL),
    ]
    for number in (numbers[column] for numbers in named.values()):
        if number is not None:
            program += [_instruction(_EQUAL, number, 0, 1), _instruction(_RETURN, _ALLOW)]
    for number in () if importing else (numbers[column] for numbers in _MAPPING.values()):
        program += [
            _instruction(_EQUAL, number, 0, 4),
            _instruction(_LOAD, _THIRD_ARGUMENT),
            _instruction(_ANY_BIT, _PROT_EXEC, 0, 1),
            _instruction(_RETURN, _EPERM),
            _instruction(_RETURN, _ALLOW),
        ]
    program.append(_instruction(_RETURN, _EPERM if importing else _KILL))
    return b"".join(program)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One `struct sock_filter`: code, two jumps, operand; both architectures are little-endian."""
    return code.to_bytes(2, "little") + bytes((if_true, if_false)) + value.to_bytes(4, "little")
