"""A plain list of chat messages, of any provider, also inside an object; mini-swe-agent's first generation is one."""

from __future__ import annotations

from engine.trajectory.formats.conversation import Conversation
from engine.trajectory.formats.document import Document, listed
from engine.trajectory.formats.fields import at, clean, scalars, some
from engine.trajectory.formats.lazy import BuiltSteps, no_steps
from engine.trajectory.formats.records import Records, Stop
from engine.trajectory.formats.times import moment
from engine.trajectory.steps import Findings, Run

FORMAT = "chat"
_AROUND = ("messages", "history", "conversations", "conversation", "trajectory")


def read(document: Document) -> list[Run]:
    """The run of a list of messages, or of an object that holds one."""
    root = document.members()
    key = next((key for key in _AROUND if key in root), None)
    records = listed(document, root[key] if key else document.value, f"{key}/")
    steps = conversation_steps(document, records, Conversation()) if records is not None else no_steps(document.stop)
    rest = {key: value for key, value in root.items() if key not in _AROUND and not isinstance(value, Records)}
    return [
        Run(
            FORMAT,
            steps,
            name=some(root.get("id") or root.get("instance_id") or root.get("conversation_id")),
            model=some(root.get("model") or at(root, "metadata", "model")),
            started=moment(root.get("created_at") or root.get("created") or root.get("timestamp")),
            details=scalars(rest),
            assumed=("the messages' order is the order of the run; whether a tool failed is not said",),
            warnings=tuple(f"the key {clean(key)!r} is given twice: the last one counts" for key in document.twice),
        )
    ]


def conversation_steps(document: Document, records: Records, conversation: Conversation) -> BuiltSteps:
    """The steps of the messages of a document."""
    findings = Findings()

    def stop() -> Stop | None:
        if records.stop is None:
            for name in document.late():
                findings.skip(f"what stands behind the messages: {clean(name)}")
        return document.stop or records.stop

    return BuiltSteps(conversation.changes(records), document.source, stop, findings)
