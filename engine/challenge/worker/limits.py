"""Limits of the operating system on a worker process, wherever there is `resource`."""

from __future__ import annotations

import resource
import sys

_STACK = 96 << 20


def limit_resources(addresses: int, cpu_seconds: int, descriptors: int) -> int:
    """Limits of the operating system on this process; returns the bytes of stack that it may use.

    `addresses` is what it may map, in bytes, its interpreter and libraries included.
    """
    stack = _limit(resource.RLIMIT_STACK, _STACK, hard=False)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CPU, cpu_seconds)
    _limit(resource.RLIMIT_NOFILE, descriptors)
    if hasattr(resource, "RLIMIT_NPROC"):
        _limit(resource.RLIMIT_NPROC, 0)
    if sys.platform == "linux":
        _limit(resource.RLIMIT_AS, addresses)
    return stack


def _limit(name: int, value: int, hard: bool = True) -> int:
    soft, most = resource.getrlimit(name)
    wanted = value if most == resource.RLIM_INFINITY else min(value, most)
    try:
        resource.setrlimit(name, (wanted, wanted if hard else most))
    except (ValueError, OSError):
        return soft
    return wanted
