"""One step of ATIF: who said it, its calls, and what came of them."""

from __future__ import annotations

from engine.trajectory.steps import Image, Run, Step
from engine.trajectory.writers.account import Account
from engine.trajectory.writers.atif_tree import is_observation
from engine.trajectory.writers.values import object_of, present, stamp, value_of

_IMAGES = {"image/jpeg", "image/png", "image/gif", "image/webp"}
_FAILED_RESULT, _FAILED_CALL = "tool_result_is_error", "tool_use_is_error"
_RESTORED = {"reasoning_effort", "llm_call_count", "extra", "metrics"}
"""What the metadata of a step hold that was read from ATIF."""


class StepWriter:
    """A step in the making: `call` adds to it, `finished` gives it."""

    def __init__(self, number: int, step: Step, run: Run, account: Account) -> None:
        self._step, self._run, self._account = step, run, account
        self._calls: list[dict[str, object]] = []
        self._results: list[dict[str, object]] = []
        self._fields: dict[str, object] = {"step_id": number, "timestamp": self._stamp(step)}
        self._ids: set[str] = set()

    def of_subagent(self, name: str) -> dict[str, object]:
        """The step that stands for a subagent, which has a trajectory of its own."""
        self._fields |= {"source": "agent", "message": self._step.output or "", "llm_call_count": 0}
        self._account.lose("what a subagent was told", self._step.input is not None)
        self._results.append({"subagent_trajectory_ref": [{"trajectory_id": name}]})
        return self.finished()

    def call(self, step: Step, subagents: list[str]) -> None:
        """Add a call, with the subagents that it started."""
        refs = [{"trajectory_id": name} for name in subagents] or None
        self._unplaced(step)
        if is_observation(step.name, step.input):
            self._account.lose("ids of calls that are not in the file", step.call_id is not None)
            self._results.append(present({**self._result(step), "subagent_trajectory_ref": refs}))
            return
        call_id = self._id(step)
        extra = _extra_of(step)
        when = None if step.time is None or step is self._step else stamp(step.time)
        own = {
            "timestamp": when,
            "duration_ms": None if step.duration_basis in {"none", "default"} else step.duration_ms,
            "start_or_end": step.time_kind if step.time_kind in {"start", "end"} else None,
        }
        self._account.keep("times and durations of calls", any(own.values()))
        result = self._result(step)
        if not result and not refs and step.failed is not None:
            own[_FAILED_CALL] = step.failed
        self._calls.append(
            present(
                {
                    "tool_call_id": call_id,
                    "function_name": step.name,
                    "arguments": self._arguments(step),
                    "extra": extra | present(own) or None,
                }
            )
        )
        if result or refs:
            self._results.append({"source_call_id": call_id, **present({**result, "subagent_trajectory_ref": refs})})

    def finished(self) -> dict[str, object]:
        """The step."""
        if "source" not in self._fields:
            self._say()
        return present(
            {
                **self._fields,
                "tool_calls": self._calls or None,
                "observation": {"results": self._results} if self._results else None,
                "is_copied_context": self._step.repeated or None,
            }
        )

    def _say(self) -> None:
        step = self._step
        if step.kind == "tool":
            self._account.assume("a call that no answer made is a step without a model")
            self._fields |= {"source": "agent", "message": "", "llm_call_count": 0}
            return
        if step.kind in {"llm", "agent"}:
            self._answer()
            return
        told = step.kind in {"user", "system"}
        self._account.keep(f"that a step is of the kind {step.kind}", not told)
        extra = _extra_of(step) if self._restored() is None else self._restored_extra()
        if not told:
            extra = present({"kind": step.kind, "name": step.name, "failed": step.failed} | _failure(step)) | extra
        text = step.input if told else step.output if step.output is not None else step.input
        self._fields |= {
            "source": "user" if step.kind == "user" else "system",
            "message": self._message(text, step.images),
            "extra": extra or None,
        }

    def _answer(self) -> None:
        """What a model said, or an agent without one."""
        step = self._step
        restored = self._restored() or {}
        scripted = step.kind == "agent"
        extra = self._restored_extra() if self._restored() is not None else _extra_of(step)
        measured = None if step.duration_basis != "measured" else step.duration_ms
        own = present({"duration_ms": measured, "failed": step.failed} | _failure(step))
        self._account.keep("durations and failures of answers", bool(own))
        self._account.lose("what models were told, where it stands with their answer", step.input is not None)
        self._account.lose("what a stamp is of, the start or the end", step.time_kind in {"start", "end"})
        effort = restored.get("reasoning_effort")
        self._fields |= {
            "source": "agent",
            "model_name": step.model if not scripted else None,
            "reasoning_effort": effort if isinstance(effort, (str, int, float)) else None,
            "reasoning_content": step.reasoning,
            "message": self._message(step.output, step.images),
            "metrics": self._metrics(restored.get("metrics")),
            "llm_call_count": 0 if scripted else restored.get("llm_call_count"),
            "extra": extra | own or None,
        }

    def _metrics(self, kept: object) -> dict[str, object] | None:
        step = self._step
        if step.tokens_in is not None and step.cache_basis == "unknown":
            self._account.assume("prompt tokens count the cached ones: the file does not say")
        if step.token_basis == "cumulative_diff":  # noqa: S105 - no password
            self._account.assume("tokens of a call are the rise of a running total")
        extra = (kept if isinstance(kept, dict) else {}) | present({"reasoning_tokens": step.tokens_reasoning})
        return (
            present(
                {
                    "prompt_tokens": step.tokens_in,
                    "completion_tokens": step.tokens_out,
                    "cached_tokens": step.tokens_in_cached,
                    "cost_usd": step.cost_usd,
                    "extra": extra or None,
                }
            )
            or None
        )

    def _restored(self) -> dict[str, object] | None:
        """What the metadata say in ATIF's own words, where they were read from it."""
        found = object_of(self._step.metadata) if self._run.format == "atif" else None
        return found if found is not None and found.keys() <= _RESTORED else None

    def _restored_extra(self) -> dict[str, object]:
        extra = (self._restored() or {}).get("extra")
        return extra if isinstance(extra, dict) else {}

    def _id(self, step: Step) -> str:
        """The call's id, once in its step."""
        named = step.call_id or f"call-{step.uid}"
        self._account.assume("a call without an id has one made of its place", not step.call_id)
        while named in self._ids:
            named += "+"
            self._account.assume("a second call of the same id has one of its own")
        self._ids.add(named)
        return named

    def _arguments(self, step: Step) -> dict[str, object]:
        if step.input is None:
            self._account.assume("a call that has no arguments has none")
            return {}
        found = object_of(step.input) if step.input_json or step.input.lstrip().startswith("{") else None
        if found is None:
            self._account.assume("arguments that are no object stand in one, under `input`")
        return {"input": value_of(step.input) if step.input_json else step.input} if found is None else found

    def _result(self, step: Step) -> dict[str, object]:
        if step.output is None and step.failed is None and not step.error and not step.images:
            return {}
        self._account.keep("words for what went wrong in a call", step.error is not None)
        failed = True if step.error else step.failed
        content = None if step.output is None and not step.images else self._message(step.output, step.images)
        extra = present({_FAILED_RESULT: failed} | _failure(step))
        return present({"content": content, "extra": extra or None})

    def _message(self, text: str | None, images: tuple[Image, ...]) -> str | list[dict[str, object]]:
        """A text, or it with the pictures that stand where others can find them."""
        named = [image for image in images if image.reference and image.media_type in _IMAGES]
        self._account.lose(
            "pictures and sounds that stood in the file, or are of a type it knows not", len(images) - len(named)
        )
        if not named:
            return text or ""
        parts: list[dict[str, object]] = [{"type": "text", "text": text}] if text is not None else []
        for image in named:
            parts.append({"type": "image", "source": {"media_type": image.media_type, "path": image.reference}})
        return parts

    def _stamp(self, step: Step) -> str | None:
        if step.time is None:
            return None
        written = stamp(step.time)
        self._account.lose("times that no calendar has", written is None)
        return written

    def _unplaced(self, step: Step) -> None:
        said = step.tokens_in is not None or step.tokens_out is not None or step.cost_usd is not None
        self._account.lose("tokens and costs of tools", said)
        self._account.lose("reasoning of tools", step.reasoning is not None)


def _failure(step: Step) -> dict[str, object]:
    return present({"error_code": step.error.code, "error_message": step.error.message}) if step.error else {}


def _extra_of(step: Step) -> dict[str, object]:
    """A step's metadata as they go into `extra`."""
    if step.metadata is None:
        return {}
    found = value_of(step.metadata)
    return found if isinstance(found, dict) else {"metadata": found}
