"""What every screen of the arena has: header, keys, the present snapshot, and the messages that travel up."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.app import ComposeResult
from textual.message import Message

from arena_tui.bindings import bindings
from arena_tui.screens.keyed import KeyedScreen
from arena_tui.snapshot import Snapshot
from arena_tui.viewing import ViewState
from arena_tui.widgets.header import Header

if TYPE_CHECKING:
    from arena_tui.feed.base import StepsAsked
    from arena_tui.pages import Want


class OpenAgent(Message):
    """Somebody wants to see an agent, and one of its versions first."""

    def __init__(self, agent_id: str, version_id: str = "") -> None:
        super().__init__()
        self.agent_id = agent_id
        self.version_id = version_id


class OpenRace(Message):
    """Somebody wants to see a race."""

    def __init__(self, race_id: str) -> None:
        super().__init__()
        self.race_id = race_id


class OpenRun(Message):
    """Somebody wants to see a validator's run."""

    def __init__(self, run_id: str) -> None:
        super().__init__()
        self.run_id = run_id


class OpenSteps(Message):
    """Somebody wants to see the steps of a match; `otherwise` is asked for where there are none."""

    def __init__(self, asked: StepsAsked, otherwise: Message | None = None) -> None:
        super().__init__()
        self.asked = asked
        self.otherwise = otherwise


class PinToggled(Message):
    """An agent becomes one's own, or stops being it."""

    def __init__(self, agent_id: str, agent: str) -> None:
        super().__init__()
        self.agent_id = agent_id
        self.agent = agent


class CopyText(Message):
    """A text for the clipboard."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Export(Message):
    """Texts to be written to files: suffix → content, beside a picture of the screen."""

    def __init__(self, stem: str, texts: Mapping[str, str]) -> None:
        super().__init__()
        self.stem = stem
        self.texts = texts


class ViewChanged(Message):
    """What the app should remember of a screen changed."""

    def __init__(self, name: str, remembered: dict[str, Any]) -> None:
        super().__init__()
        self.name = name
        self.remembered = remembered


class WantsChanged(Message):
    """Another set of pages is being looked at."""


class Subject(NamedTuple):
    """The agent that a row speaks of, and its version where it has one."""

    agent_id: str
    agent: str
    version_id: str = ""


class ArenaScreen(KeyedScreen, inherit_bindings=False):
    """A screen of the arena: a header, a body of its own and the line of keys."""

    def __init__(self) -> None:
        super().__init__()
        self.snapshot: Snapshot | None = None
        self.state = ViewState()
        self.pages: frozenset[str] = frozenset()
        self.sought = ""  # id of the agent to select when it comes into view
        self._ready = False
        self._header = Header()

    def compose(self) -> ComposeResult:
        """Header, body, keys."""
        yield self._header
        yield from self.body()
        yield self._keys

    @abstractmethod
    def body(self) -> ComposeResult:
        """The widgets between header and keys."""

    @abstractmethod
    def show_body(self) -> None:
        """Bring the body up to date with `self.snapshot` (not None) and `self.state`."""

    def wanted(self) -> frozenset[Want]:
        """The pages this screen needs kept in the snapshots."""
        return frozenset()

    def selected_agent(self) -> str:
        """The id of the agent that is selected here, if one is."""
        return ""

    def recall(self, remembered: Mapping[str, Any]) -> None:
        """Take up what was remembered of this screen; it was written by a stranger for all we know."""

    def exports(self) -> Mapping[str, str]:
        """What `export` writes of this screen: suffix → text."""
        from arena_tui.document import as_json

        return {} if self.snapshot is None else {"json": as_json(self.snapshot, self.state.pins)}

    def present(self, snapshot: Snapshot | None, state: ViewState) -> None:
        """Show this."""
        self.snapshot, self.state = snapshot, state
        if not self._ready:
            return
        self._header.present(snapshot, state)
        if snapshot is not None:
            self.show_body()
        self.present_keys()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What leads nowhere is not offered."""
        if action == "open":
            return "agent" in self.pages
        return super().check_action(action, parameters)

    def on_mount(self) -> None:
        """Show what is known already."""
        self._ready = True
        self.present(self.snapshot, self.state)

    def on_screen_resume(self) -> None:
        """Tell what is looked at now."""
        self.post_message(WantsChanged())

    def action_export(self) -> None:
        """Write what is shown to files."""
        self.post_message(Export(self.NAME, self.exports()))


def screen_bindings(name: str) -> list[Any]:
    """The bindings of the screen of that name."""
    return bindings("screen", name)
