"""A pane: lines that scroll, and a bar that says where one is."""

from __future__ import annotations

from textual.app import App, ComposeResult

from arena_tui.widgets.lines import Pane


class PaneApp(App[None]):
    """One pane of seven lines."""

    CSS = "Pane { height: 7; scrollbar-gutter: stable; }"

    def compose(self) -> ComposeResult:
        """The pane."""
        yield Pane()


async def test_the_bar_is_right_where_one_scrolled_before_it_was_there() -> None:
    async with PaneApp().run_test(size=(40, 12)) as pilot:
        pane = pilot.app.query_one(Pane)
        pane.show(tuple(((f"line {number}", "plain"),) for number in range(35)))
        pane.scroll_to(y=28, animate=False, force=True, immediate=True)
        await pilot.pause()
        assert pane.scroll_y == 28
        assert pane.vertical_scrollbar.position == 28
