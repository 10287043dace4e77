"""A real local server that speaks like the ORO public API, and misbehaves on demand.

`python -m tests.servers.oro_server --port 0 --world running_open` prints its address; `POST /_control` with
`{"misbehave": "html", "path": "/leaderboard"}` switches it at run time (`{"misbehave": ""}` makes it good again).
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from tests.servers import oro_runs
from tests.servers.oro_world import WORLDS, World

PREFIX = "/v1/public"
HTML = b"<!DOCTYPE html><html><title>Just a moment...</title></html>"
HUGE = 10_000_000


@dataclass
class Reply:
    """What goes over the wire."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


def _json_reply(payload: object) -> Reply:
    return Reply(200, json.dumps(payload).encode(), {"Content-Type": "application/json"})


def _limited_by_date(server: OroServer) -> str:
    return format_datetime(server.now() + timedelta(seconds=server.retry_after), usegmt=True)


MISBEHAVIOURS: dict[str, Callable[[OroServer, Reply], Reply]] = {
    "html": lambda server, good: Reply(200, HTML, {"Content-Type": "text/html"}),
    "html as json": lambda server, good: Reply(200, HTML, {"Content-Type": "application/json"}),
    "bad gateway": lambda server, good: Reply(502, HTML, {"Content-Type": "text/html"}),
    "half json": lambda server, good: Reply(200, good.body[: len(good.body) // 2], good.headers),
    "empty": lambda server, good: Reply(204),
    "nothing": lambda server, good: Reply(200, b"", {"Content-Type": "application/json"}),
    "not ok": lambda server, good: _json_reply({"ok": False, "data": {"error": "x\x1b[31m broke"}}),
    "other object": lambda server, good: _json_reply({"detail": "moved"}),
    "gzip garbage": lambda server, good: Reply(
        200, b"\x1f\x8b\x08garbage", {**good.headers, "Content-Encoding": "gzip"}
    ),
    "gzip": lambda server, good: Reply(200, gzip.compress(good.body), {**good.headers, "Content-Encoding": "gzip"}),
    "gzip bomb": lambda server, good: Reply(
        200, gzip.compress(b" " * (HUGE * 4)), {**good.headers, "Content-Encoding": "gzip"}
    ),
    "huge": lambda server, good: Reply(200, good.body + b" " * HUGE, good.headers),
    "deep": lambda server, good: Reply(200, b"[" * 200_000, good.headers),
    "image": lambda server, good: Reply(200, b"\x89PNG....", {"Content-Type": "image/png"}),
    "limited": lambda server, good: Reply(
        429,
        b'{"detail":"slow down","error_code":"RATE_LIMIT_EXCEEDED"}',
        {"Content-Type": "application/json", "Retry-After": f"{server.retry_after:.0f}"},
    ),
    "limited until": lambda server, good: Reply(429, b"", {"Retry-After": _limited_by_date(server)}),
    "unavailable": lambda server, good: Reply(503, b'{"detail":"database"}', {"Content-Type": "application/json"}),
    "missing": lambda server, good: Reply(
        404, b'{"detail":"no such race","error_code":"RACE_NOT_FOUND"}', {"Content-Type": "application/json"}
    ),
    "invalid": lambda server, good: Reply(
        422,
        b'{"detail":[{"loc":["query","limit"],"msg":"too large","type":"x"}]}',
        {"Content-Type": "application/json"},
    ),
    "unasked 304": lambda server, good: Reply(304),
}


class OroServer:
    """Serves `world` from a thread. `misbehave` breaks what is below a path; `edit` rewrites payloads."""

    def __init__(self, world: World | None = None, port: int = 0) -> None:
        self.world = world or WORLDS["running_sealed"]()
        self.port = port
        self.etags = "strong"  # or weak, changing, frozen, dates, none
        self.modified = datetime(2026, 3, 1, 12, tzinfo=UTC)
        self.clock_off = timedelta()
        self.delay: dict[str, float] = {}  # seconds by path ending
        self.slow_once: dict[str, float] = {}  # the same, for the next request alone
        self.retry_after: float = 2.0
        self.requests: list[tuple[str, dict[str, str], int]] = []
        self.page_limit = 500
        self.strict = False  # refuse a limit or a score type that the API's own description does not name
        self.connections = 0
        self.in_flight: dict[str, int] = {}
        self.most_in_flight: dict[str, int] = {}
        self._broken: dict[str, str] = {}
        self._edits: list[tuple[str, Callable[[Any], Any]]] = []
        self._lock = threading.Lock()
        self._http: _Listener | None = None

    # ---- its life

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> OroServer:
        """Listen; on the same port as before after a stop."""
        self._http = _Listener(("127.0.0.1", self.port), _Handler)
        self._http.oro = self
        self.port = self._http.server_address[1]
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def stop(self) -> None:
        """Refuse connections, and cut those that are open."""
        if self._http is not None:
            self._http.shutdown()
            self._http.cut()
            self._http.server_close()
            self._http = None

    def __enter__(self) -> OroServer:
        return self.start()

    def __exit__(self, *exception: object) -> None:
        self.stop()

    # ---- its moods

    def misbehave(self, how: str, path: str = "") -> None:
        """From now on answer like that below a path (all of them by default); an empty word ends it."""
        if not how:
            self._broken.clear()
        elif how in {"hang", "redirect loop"} or how in MISBEHAVIOURS:
            self._broken[path] = how
        else:
            raise ValueError(f"misbehave: {how!r} is none of hang, redirect loop, {', '.join(MISBEHAVIOURS)}")

    def edit(self, path: str, change: Callable[[Any], Any]) -> None:
        """Rewrite every payload below a path before it goes."""
        self._edits.append((path, change))

    def forget_edits(self) -> None:
        """Send what the world says."""
        self._edits.clear()

    def now(self) -> datetime:
        """The time by its own clock."""
        return datetime.now(UTC) + self.clock_off

    def count(self, ending: str) -> int:
        """Requests so far for paths that end like that."""
        return sum(1 for path, _, _ in self.requests if urlsplit(path).path.endswith(ending))

    # ---- its answers

    def reply(self, path: str, headers: dict[str, str]) -> Reply:
        """What to answer to a GET."""
        parts = urlsplit(path)
        how = next((how for below, how in self._broken.items() if below in parts.path), "")
        if how == "hang":
            time.sleep(3.0)
        if how == "redirect loop":
            return Reply(302, headers={"Location": path})
        self._wait(parts.path)
        if self.strict and "score_type" in parts.query:
            return MISBEHAVIOURS["invalid"](self, Reply(200))
        good = self._good(
            parts.path.removeprefix(PREFIX), {key: values[-1] for key, values in parse_qs(parts.query).items()}
        )
        if how in MISBEHAVIOURS:
            return MISBEHAVIOURS[how](self, good)
        return self._conditional(good, headers) if good.status == 200 else good

    def _wait(self, path: str) -> None:
        seconds = next((seconds for ending, seconds in self.delay.items() if path.endswith(ending)), 0.0)
        once = next((ending for ending in self.slow_once if path.endswith(ending)), None)
        if once is not None:
            seconds = self.slow_once.pop(once)
        time.sleep(seconds)

    def _conditional(self, good: Reply, headers: dict[str, str]) -> Reply:
        digest = hashlib.sha256(good.body).hexdigest()[:16]
        modified = format_datetime(self.modified, usegmt=True)
        tags = {
            "strong": {"ETag": f'"{digest}"'},
            "weak": {"ETag": f'W/"{digest}"'},
            "changing": {"ETag": f'"{time.monotonic_ns()}"'},
            "frozen": {"ETag": '"frozen"', "Last-Modified": modified},
            "dates": {"Last-Modified": modified},
            "none": {},
        }[self.etags]
        same_tag = "ETag" in tags and headers.get("if-none-match") == tags["ETag"]
        same_date = self.etags == "dates" and headers.get("if-modified-since") == modified
        if same_tag or same_date:
            return Reply(304, headers=tags)
        return Reply(good.status, good.body, {**good.headers, **tags})

    def _good(self, path: str, query: dict[str, str]) -> Reply:
        with self._lock:
            self.world.forget()
            payload = self._payload(path.strip("/").split("/"), query)
            for below, change in self._edits:
                if below in path and payload is not None:
                    payload = change(payload)
        if payload is None:
            body = b'{"detail":"not found","error_code":"RACE_NOT_FOUND"}'
            return Reply(404, body, {"Content-Type": "application/json"})
        return _json_reply(payload)

    def _payload(self, path: list[str], query: dict[str, str]) -> Any:
        world = self.world
        limit, offset = min(int(query.get("limit", "100")), self.page_limit), int(query.get("offset", "0"))
        plain: dict[str, Callable[[], Any]] = {
            "races/current": world.current,
            "races/history": lambda: world.history(limit, offset),
            "leaderboard": lambda: world.leaderboard(limit, offset),
            "top": world.top,
            "top-miner-payout": lambda: oro_runs.payout(world),
            "evaluations/running": world.running,
        }
        found = plain.get("/".join(path))
        return found() if found else self._page(path)

    def _page(self, path: list[str]) -> Any:
        world, pages = self.world, {"status": oro_runs.status, "runs": oro_runs.runs, "problems": oro_runs.problems}
        match path:
            case ["races", race_id, *rest] if (number := oro_runs.race_number(world, UUID(race_id))) is not None:
                return world.variance(number) if rest else world.detail(number)
            case ["agent-versions", version_id, what] if agent := oro_runs.find_agent(world, version_id):
                return pages[what](world, agent)
            case ["evaluation-runs", run_id] if found := oro_runs.find_run(world, run_id):
                return oro_runs.run(world, found[0], found[1])
        return None


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    oro: OroServer

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._open: set[socket.socket] = set()
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        self.oro.connections += 1
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def cut(self) -> None:
        """End all connections."""
        for connection in tuple(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Listener

    def do_GET(self) -> None:
        oro = self.server.oro
        headers = {name.lower(): value for name, value in self.headers.items()}
        path = urlsplit(self.path).path
        with oro._lock:
            oro.in_flight[path] = oro.in_flight.get(path, 0) + 1
            oro.most_in_flight[path] = max(oro.most_in_flight.get(path, 0), oro.in_flight[path])
        try:
            reply = oro.reply(self.path, headers)
        finally:
            with oro._lock:
                oro.in_flight[path] -= 1
        oro.requests.append((self.path, headers, reply.status))
        self._send(reply)

    def do_POST(self) -> None:
        order = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))) or b"{}")
        self.server.oro.misbehave(order.get("misbehave", ""), order.get("path", ""))
        if order.get("world") in WORLDS:
            self.server.oro.world = WORLDS[order["world"]]()
        self._send(_json_reply({"ok": True}))

    def _send(self, reply: Reply) -> None:
        self.send_response_only(reply.status)
        self.send_header("Date", format_datetime(self.server.oro.now(), usegmt=True))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.status not in {204, 304}:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        """Say nothing."""


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--world", choices=sorted(WORLDS), default="running_open")
    parser.add_argument("--misbehave", default="")
    arguments = parser.parse_args()
    with OroServer(WORLDS[arguments.world](), arguments.port) as server:
        server.misbehave(arguments.misbehave)
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
