"""A real local server that speaks like the Clawdiators API about drafts, and misbehaves on demand.

`python -m tests.servers.clawdiators_server --port 0` prints its address; its agents' keys are `clw_author`, `clw_peer`
and `clw_novice` (too few matches to review).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from engine.draft.review import DraftRefusedError
from tests.servers.clawdiators_world import STATUS, Agent, ClawdiatorsWorld, IssuesError, WireError
from tests.servers.oro_server import MISBEHAVIOURS, Reply

PREFIX = "/api/v1"
DRAFTS = "/challenges/drafts"
SUBMISSIONS_AN_HOUR = 3
REQUESTS_A_MINUTE = 120


class ClawdiatorsServer:
    """Serves a world from a thread. `misbehave` breaks what is below a path until it is told an empty word."""

    def __init__(self, world: ClawdiatorsWorld | None = None, port: int = 0) -> None:
        self.world = world or ClawdiatorsWorld()
        self.port = port
        self.retry_after = 2.0
        self.repeats_key = False  # in its refusals, as no server should
        self.general_headers = False  # deployed servers name their general limit where a submission was taken
        self.requests: list[tuple[str, str, dict[str, str], int]] = []
        self.submissions: dict[str, list[float]] = {}
        self._broken: dict[str, str] = {}
        self._http: _Listener | None = None

    @property
    def url(self) -> str:
        """The API's address."""
        return f"http://127.0.0.1:{self.port}{PREFIX}"

    def start(self) -> ClawdiatorsServer:
        """Listen; on the same port as before after a stop."""
        self._http = _Listener(("127.0.0.1", self.port), _Handler)
        self._http.claws = self
        self.port = self._http.server_address[1]
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def stop(self) -> None:
        """Refuse connections."""
        if self._http is not None:
            self._http.shutdown()
            self._http.server_close()
            self._http = None

    def __enter__(self) -> ClawdiatorsServer:
        return self.start()

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def misbehave(self, how: str, path: str = "") -> None:
        """From now on answer like that below a path; an empty word ends it."""
        if not how:
            self._broken.clear()
        else:
            self._broken[path] = how

    def now(self) -> datetime:
        """The time by its own clock."""
        return datetime.now(UTC)

    def count(self, ending: str) -> int:
        """Requests so far for paths that end like that."""
        return sum(1 for _, path, _, _ in self.requests if path.endswith(ending))

    def reply(self, method: str, path: str, headers: dict[str, str], content: bytes) -> Reply:
        """What to answer."""
        route = urlsplit(path).path.removeprefix(PREFIX)
        how = next((how for below, how in self._broken.items() if below in route), "")
        if how == "hang":
            time.sleep(3.0)
        if how == "elsewhere":
            return Reply(307, headers={"Location": "http://localhost:9/steal"})
        good = self._good(method, route, headers, content)
        if how in MISBEHAVIOURS:
            return MISBEHAVIOURS[how](self, good)  # type: ignore[arg-type]
        return _conditional(good, headers) if method == "GET" and good.status == 200 else good

    def _good(self, method: str, route: str, headers: dict[str, str], content: bytes) -> Reply:
        try:
            with self.world.lock:
                if self.repeats_key:
                    raise WireError(401, f"no agent has the key {headers.get('authorization', '').split()[-1]}")
                agent = self.world.agent(headers.get("authorization", ""))
                limits = self._limited(method, route, agent)
                body = json.loads(content) if content else {}
                status, data = self._answer(method, route, agent, body)
            return _enveloped(status, {"ok": True, "data": data, "flavour": "The tide turns."}, limits)
        except DraftRefusedError as refusal:
            return _failed(STATUS[refusal.kind], str(refusal))
        except WireError as error:
            return _failed(error.status, str(error), error.headers)
        except IssuesError as error:
            issues = [{"code": "invalid_type", "path": path, "message": said} for path, said in error.issues]
            return _enveloped(400, {"success": False, "error": {"name": "ZodError", "issues": issues}})
        except ValueError as error:  # a body that is no JSON, or an id that is no UUID
            status = 400 if isinstance(error, json.JSONDecodeError) else 500
            return Reply(status, b"Something went wrong", {"Content-Type": "text/plain; charset=UTF-8"})

    def _answer(self, method: str, route: str, agent: Agent, body: Any) -> tuple[int, Any]:
        world, parts = self.world, route.removeprefix(DRAFTS).strip("/").split("/")
        if not route.startswith(DRAFTS):
            raise WireError(404, "no such route")
        questions: dict[tuple[str, ...], Callable[[], Any]] = {
            ("GET", ""): lambda: world.own(agent),
            ("GET", "reviewable"): lambda: world.reviewable(agent),
            ("GET", "*"): lambda: world.detail(agent, parts[0]),
            ("GET", "*", "gate-report"): lambda: world.gate_report(agent, parts[0]),
            ("POST", ""): lambda: world.submit(agent, body),
            ("POST", "*", "resubmit-gates"): lambda: world.resubmit(agent, parts[0], body),
            ("POST", "*", "review"): lambda: world.review(agent, parts[0], body),
        }
        shape = (method, parts[0] if parts[0] in {"", "reviewable"} else "*", *parts[1:])
        if shape not in questions:
            raise WireError(404, "no such route")
        return {("POST", ""): 201, ("POST", "*", "resubmit-gates"): 202}.get(shape, 200), questions[shape]()

    def _limited(self, method: str, route: str, agent: Agent) -> dict[str, str]:
        """The headers of the limit that applies; invalid submissions count too."""
        if (method, route.rstrip("/")) != ("POST", DRAFTS):
            return {"X-RateLimit-Limit": str(REQUESTS_A_MINUTE), "X-RateLimit-Remaining": "100"}
        taken = [at for at in self.submissions.get(agent.key, []) if time.monotonic() - at < 3600]
        if len(taken) >= SUBMISSIONS_AN_HOUR:
            wait = str(int(3600 - (time.monotonic() - taken[0])) + 1)
            headers = {"X-RateLimit-Limit": "3", "X-RateLimit-Remaining": "0", "Retry-After": wait}
            raise WireError(429, "Rate limit exceeded", headers)
        self.submissions[agent.key] = [*taken, time.monotonic()]
        if self.general_headers:
            return {"X-RateLimit-Limit": str(REQUESTS_A_MINUTE), "X-RateLimit-Remaining": "118"}
        return {"X-RateLimit-Limit": "3", "X-RateLimit-Remaining": str(SUBMISSIONS_AN_HOUR - len(taken) - 1)}


def _failed(status: int, text: str, headers: dict[str, str] | None = None) -> Reply:
    return _enveloped(status, {"ok": False, "data": {"error": text}, "flavour": "Claws down."}, headers)


def _enveloped(status: int, payload: Any, headers: dict[str, str] | None = None) -> Reply:
    return Reply(status, json.dumps(payload).encode(), {"Content-Type": "application/json", **(headers or {})})


def _conditional(good: Reply, headers: dict[str, str]) -> Reply:
    tag = f'"{hashlib.sha256(good.body).hexdigest()[:16]}"'
    if headers.get("if-none-match") == tag:
        return Reply(304, headers={"ETag": tag})
    return Reply(good.status, good.body, {**good.headers, "ETag": tag})


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    claws: ClawdiatorsServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Listener

    def _respond(self) -> None:
        server = self.server.claws
        content = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = server.reply(self.command, self.path, headers, content)
        server.requests.append((self.command, urlsplit(self.path).path, headers, reply.status))
        self.send_response_only(reply.status)
        self.send_header("Date", format_datetime(server.now(), usegmt=True))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.status not in {204, 304}:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    do_GET: Callable[[_Handler], None] = _respond  # noqa: N815
    do_POST: Callable[[_Handler], None] = _respond  # noqa: N815

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        """Say nothing."""


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--gate-seconds", type=float, default=0.0)
    arguments = parser.parse_args()
    with ClawdiatorsServer(ClawdiatorsWorld(gate_seconds=arguments.gate_seconds), arguments.port) as server:
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
