"""How a signal ends the program: its exit code is 128 and the signal's number, and the terminal is given back."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import NoReturn

SIGNAL_CODE = 128
"""130 for Ctrl+C, 143 for SIGTERM, 129 for SIGHUP."""


def end_on(*names: str) -> None:
    """End the program on these signals."""
    for name in names:
        number = getattr(signal, name, None)  # Windows knows no SIGHUP
        # A program started under nohup must go on when its terminal goes.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _told)


def _told(number: int, frame: FrameType | None) -> None:
    del frame
    # A terminal that goes sends SIGCONT too, on which Textual would start to draw again on what is no more.
    if hasattr(signal, "SIGCONT"):
        signal.signal(signal.SIGCONT, signal.SIG_IGN)
    loop = asyncio._get_running_loop() if (asyncio := sys.modules.get("asyncio")) else None
    if loop is None:
        _end(number)
    # Raised wherever the signal happened to arrive, it could be lost: in a finaliser, or where errors are only noted.
    loop.call_soon_threadsafe(_end, number)


def _end(number: int) -> NoReturn:
    raise SystemExit(SIGNAL_CODE + number)
