"""What every screen of the arena has: header, keys, the present snapshot, and the messages that travel up."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen

from arena_tui.actions import Action
from arena_tui.bindings import bindings
from arena_tui.snapshot import Snapshot
from arena_tui.viewing import ViewState
from arena_tui.widgets.footer import Keys
from arena_tui.widgets.header import Header
from arena_tui.widgets.lines import Lines

if TYPE_CHECKING:
    from arena_tui.pages import Want

LEAST_WIDTH, LEAST_HEIGHT = 40, 12

WIDTHS = ((0, "-tiny"), (60, "-narrow"), (80, "-normal"), (120, "-wide"), (160, "-wider"))
HEIGHTS = ((0, "-flat"), (16, "-low"), (24, "-medium"), (36, "-tall"), (45, "-taller"))
"""Least size → the class a screen has from there on up to the next. Textual's own breakpoints set theirs one by one, \
each with a pass over all styles; a screen here changes all its classes in one."""


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


class ArenaScreen(Screen[None], inherit_bindings=False):
    """A screen with a header, a body of its own and the line of keys. `NAME` is its name in the registry of actions."""

    NAME: ClassVar[str]
    DEFAULT_CSS = """
    ArenaScreen { layout: vertical; }
    ArenaScreen #too-small { display: none; width: 1fr; height: 1fr; }
    ArenaScreen.-unusable > * { display: none; }
    ArenaScreen.-unusable > #too-small { display: block; }
    ArenaScreen.-flat #header { height: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.snapshot: Snapshot | None = None
        self.state = ViewState()
        self.remapped: Mapping[str, str] = {}
        self.pages: frozenset[str] = frozenset()
        self.sought = ""  # id of the agent to select when it comes into view
        self._ready = False
        self._header = Header()
        self._keys = Keys()
        self._too_small: Lines | None = None

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

        return {} if self.snapshot is None else {"json": as_json(self.snapshot)}

    def present(self, snapshot: Snapshot | None, state: ViewState) -> None:
        """Show this."""
        self.snapshot, self.state = snapshot, state
        if not self._ready:
            return
        self._header.present(snapshot, state)
        if snapshot is not None:
            self.show_body()
        self.present_keys()

    def present_keys(self) -> None:
        """Show which keys do something here."""
        self._keys.present(self.NAME, self.remapped, self.can)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What leads nowhere is not offered."""
        if action == "open":
            return "agent" in self.pages
        return super().check_action(action, parameters)

    def can(self, one: Action) -> bool:
        """Whether an action does something at present."""
        owner = self.app if one.owner == "app" else self
        return bool(owner.check_action(one.method, ()))

    def on_mount(self) -> None:
        """Show what is known already."""
        self._ready = True
        self.present(self.snapshot, self.state)

    def on_screen_resume(self) -> None:
        """Tell what is looked at now."""
        self.post_message(WantsChanged())

    def size_classes(self, width: int, height: int) -> dict[str, bool]:
        """The classes that go with a size, and those that do not."""
        classes = {name: False for _, name in (*WIDTHS, *HEIGHTS)}
        for least, sizes in ((width, WIDTHS), (height, HEIGHTS)):
            classes[max(size for size in sizes if size[0] <= least)[1]] = True
        return {**classes, "-unusable": width < LEAST_WIDTH or height < LEAST_HEIGHT}

    def prepare(self, width: int, height: int) -> None:
        """Be laid out for this size from the first."""
        self.update_classes(self.size_classes(width, height), update=False)

    def on_resize(self) -> None:
        """Lay out for the new size; below the least say so and nothing else."""
        width, height = self.app.size
        self.update_classes(self.size_classes(width, height), animate=False)
        if self.has_class("-unusable"):
            self._say_too_small(width, height)

    def _say_too_small(self, width: int, height: int) -> None:
        if self._too_small is None:
            self._too_small = Lines(id="too-small")
            self.mount(self._too_small)
        said = f"arena: needs {LEAST_WIDTH}×{LEAST_HEIGHT}, has {width}×{height} (one shot: arena watch --once)"
        blank = ((),) * ((height - 1) // 2)
        self._too_small.show((*blank, ((" " * max(0, (width - len(said)) // 2), "plain"), (said, "warn"))))

    # Actions

    async def action_back(self) -> None:
        """One level back; the last screen stays."""
        if len(self.app.screen_stack) > 1:
            await self.app.pop_screen()

    def action_next_panel(self) -> None:
        """To the next panel."""
        self.focus_next()

    def action_previous_panel(self) -> None:
        """To the previous panel."""
        self.focus_previous()

    def action_export(self) -> None:
        """Write what is shown to files."""
        self.post_message(Export(self.NAME, self.exports()))


def screen_bindings(name: str) -> list[Any]:
    """The bindings of the screen of that name."""
    return bindings("screen", name)
