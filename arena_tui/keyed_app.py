"""What every app of the arena has: themes, keys that can be remapped, help, the clipboard, and the way out."""

from __future__ import annotations

from typing import Any

from textual.app import App

from arena_tui.screens import base
from arena_tui.screens.keyed import KeyedScreen
from arena_tui.themes import CSS, NAMES, role_defaults, themes
from arena_tui.view import ViewSettings

INTERRUPTED = 130


def _commands() -> type[Any]:
    from arena_tui.screens.palette import Commands

    return Commands


class KeyedApp(App[None], inherit_bindings=False):
    """An app whose keys come from the registry of actions and whose colours are those of the four themes."""

    CSS = CSS
    COMMANDS = {_commands}  # noqa: RUF012 - Textual's own declaration
    ALLOW_SELECT = False
    TITLE = "arena"

    def __init__(self, settings: ViewSettings | None = None) -> None:
        super().__init__()
        self.settings = settings or ViewSettings()
        self.animation_level = "none"
        if self.no_color:
            from arena_tui.no_colour import without_colour

            without_colour(self)
        for theme in themes():
            self.register_theme(theme)
        self.set_keymap(dict(self.settings.keys))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Colours of the roles for themes that do not know them."""
        return role_defaults()

    def on_copy_text(self, message: base.CopyText) -> None:
        """Put a text on the clipboard."""
        self.copy_to_clipboard(message.text)
        self.notify(message.text, title="Copied", markup=False)

    def action_theme(self) -> None:
        """The next theme."""
        self.theme = NAMES[(NAMES.index(self.theme) + 1) % len(NAMES)] if self.theme in NAMES else NAMES[0]
        self.notify(self.theme, title="Theme", timeout=2, markup=False)

    def action_help(self) -> None:
        """What keys do and what signs mean."""
        from arena_tui.screens.help import HelpScreen

        screen = self.screen
        if isinstance(screen, KeyedScreen):
            self.push_screen(HelpScreen(screen.NAME, self.settings.keys, screen.can))

    async def action_quit(self) -> None:
        """Leave."""
        self.exit()

    def action_interrupt(self) -> None:
        """Leave at once."""
        self.exit(return_code=INTERRUPTED)
