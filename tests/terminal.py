"""A program on a real pseudo-terminal: what it paints, what it is told, how it ends."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping

import pyte


class Terminal:
    """A child process whose terminal this is; `raw` is every byte it has written."""

    def __init__(
        self, command: tuple[str, ...], environment: Mapping[str, str], columns: int = 120, lines: int = 36
    ) -> None:
        self.raw = b""
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.pid, self._handle = pty.fork()
        if self.pid == 0:
            self._size(columns, lines, 0)
            os.execvpe(command[0], list(command), dict(environment))  # noqa: S606
        self.code: int | None = None
        self.resize(columns, lines)

    def resize(self, columns: int, lines: int) -> None:
        """Another size of the window."""
        self._size(columns, lines, self._handle)
        self.screen.resize(lines, columns)

    def _size(self, columns: int, lines: int, handle: int) -> None:
        fcntl.ioctl(handle, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def read(self, seconds: float = 0.05) -> None:
        """Take in what has been written, waiting for so long at most."""
        if self._handle < 0 or not select.select([self._handle], [], [], seconds)[0]:
            return
        try:
            written = os.read(self._handle, 65536)
        except OSError:
            return
        self.raw += written
        # pyte knows fewer sequences than Textual sends; what it cannot place it may complain of.
        self._stream.feed(written)

    @property
    def text(self) -> str:
        """The screen as it is now."""
        return "\n".join(self.screen.display)

    def wait_for(self, text: str, seconds: float = 20.0) -> None:
        """Read until the text stands on the screen."""
        deadline = time.monotonic() + seconds
        while text not in self.text:
            if time.monotonic() > deadline or self.ended():
                raise AssertionError(f"{text!r} did not show:\n{self.text}\nexit code {self.code}")
            self.read()

    def settle(self, seconds: float) -> None:
        """Read for so long."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.read()

    def type(self, keys: str) -> None:
        """Send keys."""
        os.write(self._handle, keys.encode())

    def tell(self, number: signal.Signals) -> None:
        """Send a signal."""
        os.kill(self.pid, number)

    def hang_up(self) -> None:
        """Close the window."""
        os.close(self._handle)
        self._handle = -1

    def ended(self) -> bool:
        """Whether the process has ended; then `code` is its exit code."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None

    def wait(self, seconds: float = 10.0) -> int:
        """Read to the end of the process and give its exit code."""
        deadline = time.monotonic() + seconds
        while not self.ended():
            if time.monotonic() > deadline:
                raise AssertionError(f"still running after {seconds} s:\n{self.text}")
            self.read()
        self.read()
        assert self.code is not None
        return self.code

    def close(self) -> None:
        """End the process, whatever it does."""
        if not self.ended():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self._handle >= 0:
            os.close(self._handle)
