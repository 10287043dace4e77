"""Everything a user can do, once: keys, footer, help, palette and the README's key table derive from this list.

`owner` says who does it: the `app`, the `screen` in front, or the `panel` (a board, a pane) that has the focus.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

EVERYWHERE = "*"
"""Stands in `Action.screens` for every screen that shows the arena; help and dialogues name theirs."""

BOARDS = ("race", "overall", "results", "elo", "agent", "race-page", "run-page")
"""The screens that consist of a board, or have one as their last part."""


RACES = ("results", "race-page")
"""The screens that show one race of several."""


class Action(NamedTuple):
    """One thing a user can do. `footer` ranks it in the footer (the lowest stays longest), 0 keeps it out."""

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: str
    screens: tuple[str, ...] = (EVERYWHERE,)
    palette: bool = True
    owner: str = "screen"
    footer: int = 0
    urgent: bool = False  # its key reaches the owner before any widget in focus
    without: tuple[str, ...] = ()  # screens on which its keys do something else

    @property
    def method(self) -> str:
        """The name of the owner's method without its `action_`."""
        return self.id.replace("-", "_")


VIEW, MOVE, ROWS, TIME, OUTPUT, ARENA = "View", "Move", "Rows", "Time", "Output", "Arena"

GROUPS = (VIEW, MOVE, ROWS, TIME, OUTPUT, ARENA)
"""The groups in the order help shows them."""

PANELS = (EVERYWHERE, "help")

CELLS = ("race-page",)
"""The screens on which a row has cells to choose from."""

STEPS = ("replay",)
"""The screen that shows the steps of a run, from a file: no feed, and no view of a race."""

ALONE = (*STEPS, "picker", "compare", "drafts", "draft", "season")
"""The screens of files, drafts and seasons: nobody polls for them, and there is no race to view."""

LISTS = (*BOARDS, "picker")
"""The screens that consist of a board, whether or not a feed drives them."""

WALKED = (*STEPS, "compare")
"""The screens on which one goes from step to step."""

DRAFTS = ("drafts", "draft")
"""The screens of challenge drafts: the list, and one of them."""

SEASONS = ("season",)
"""The screen of simulated seasons."""

ASIDE = (*CELLS, *ALONE)
"""The screens on which left and right go elsewhere than sideways."""

ACTIONS: tuple[Action, ...] = (
    Action("view-race", ("1",), "views", "the race view", VIEW, owner="app", footer=4, without=ALONE),
    Action("view-overall", ("2",), "views", "the Overall leaderboard", VIEW, owner="app", footer=4, without=ALONE),
    Action("view-results", ("3",), "views", "the raw results of a race", VIEW, owner="app", footer=4, without=ALONE),
    Action("view-elo", ("4",), "views", "the Elo leaderboard", VIEW, owner="app", footer=4, without=ALONE),
    Action("earlier-race", ("comma",), "race", "the race before", VIEW, RACES, footer=5),
    Action("later-race", ("full_stop",), "race", "the race after", VIEW, RACES, footer=5),
    Action(
        "tier",
        ("f",),
        "tier",
        "count all matches, verified ones, or benchmark-grade ones alone",
        ROWS,
        ("elo",),
        footer=5,
    ),
    Action("memoryless", ("M",), "memoryless", "count memoryless matches alone, or all", ROWS, ("elo",), footer=6),
    Action("detail", ("d",), "detail", "show or hide the detail pane", VIEW, ("race",), footer=10),
    Action("open-race", ("o",), "race page", "open the page of the race", VIEW, ("race", "results"), footer=6),
    Action("verbose", ("v",), "all events", "show or hide small events in the feed", VIEW, ("race",)),
    Action("theme", ("t",), "theme", "the next theme", VIEW, owner="app", footer=14, without=ALONE),
    Action("back", ("escape",), "back", "one level back", VIEW, palette=False),
    Action("up", ("k", "up"), "up", "the row above", MOVE, PANELS, palette=False, owner="panel"),
    Action("down", ("j", "down"), "down", "the row below", MOVE, PANELS, palette=False, owner="panel"),
    Action("page-up", ("pageup",), "page up", "up by a screenful", MOVE, PANELS, palette=False, owner="panel"),
    Action("page-down", ("pagedown",), "page down", "down by a screenful", MOVE, PANELS, palette=False, owner="panel"),
    Action("first", ("g", "home"), "top", "to the first row", MOVE, PANELS, palette=False, owner="panel"),
    Action("last", ("G", "end"), "bottom", "to the last row", MOVE, PANELS, palette=False, owner="panel"),
    Action("left", ("left",), "left", "columns further left", MOVE, palette=False, owner="panel", without=ASIDE),
    Action("right", ("right",), "right", "columns further right", MOVE, palette=False, owner="panel", without=ASIDE),
    Action("run-before", ("left",), "run", "choose the run to the left, in the end the agent", MOVE, CELLS, footer=6),
    Action("run-after", ("right",), "run", "choose the run to the right", MOVE, CELLS, footer=6),
    Action("next-panel", ("tab",), "next panel", "to the next panel", MOVE, palette=False),
    Action("previous-panel", ("shift+tab",), "previous panel", "to the previous panel", MOVE, palette=False),
    Action("open", ("enter",), "open", "open what is selected", ROWS, LISTS, palette=False, footer=3),
    Action(
        "filter",
        ("/",),
        "filter",
        "show only rows that match text, re:pattern or !text",
        ROWS,
        LISTS,
        footer=7,
    ),
    Action("next-match", ("n",), "next match", "to the next row that matches the filter", ROWS, LISTS),
    Action("previous-match", ("N",), "previous match", "to the previous row that matches", ROWS, LISTS),
    Action("sort", ("s",), "sort", "sort by the next column", ROWS, LISTS, footer=8),
    Action("reverse", ("S",), "reverse", "turn the order round", ROWS, LISTS),
    Action("columns", ("c",), "columns", "choose the columns", ROWS, LISTS, footer=12),
    Action("pin", ("m",), "pin", "mark the selected agent as one's own, or no more", ROWS, BOARDS, footer=13),
    Action(
        "pause",
        ("p", "space"),
        "pause",
        "freeze the view, or catch up; collection goes on",
        TIME,
        owner="app",
        footer=9,
        without=ALONE,
    ),
    Action("slower", ("[",), "speed", "halve the speed of simulated time", TIME, owner="app", footer=11, without=ALONE),
    Action(
        "faster", ("]",), "speed", "double the speed of simulated time", TIME, owner="app", footer=11, without=ALONE
    ),
    Action("refresh", ("r",), "refresh", "ask the source now", TIME, owner="app", without=ALONE),
    Action("copy", ("y",), "copy", "copy the selected row as text", OUTPUT, LISTS, footer=15),
    Action("export", ("E",), "export", "write the view as CSV, JSON and SVG", OUTPUT, footer=16, without=ALONE),
    Action("search", ("/",), "search", "look for text, or re:pattern, in all steps", MOVE, STEPS, footer=4),
    Action("next-hit", ("n",), "hit", "to the next step that holds it", MOVE, STEPS, footer=5),
    Action("previous-hit", ("N",), "hit", "to the step before that holds it", MOVE, STEPS, footer=5),
    Action("only-models", ("1",), "kinds", "calls of a model, or all kinds again", ROWS, STEPS, footer=6),
    Action("only-tools", ("2",), "kinds", "calls of a tool", ROWS, STEPS, footer=6),
    Action("only-messages", ("3",), "kinds", "messages of users, system and agents", ROWS, STEPS, footer=6),
    Action("only-scores", ("4",), "kinds", "scores", ROWS, STEPS, footer=6),
    Action("only-others", ("5",), "kinds", "errors and notes", ROWS, STEPS, footer=6),
    Action("only-failures", ("e",), "errors", "steps that failed alone, or all", ROWS, STEPS, footer=6),
    Action("step-before", ("h", "left"), "step", "the step before", MOVE, WALKED, footer=3),
    Action("step-after", ("l", "right"), "step", "the next step", MOVE, WALKED, footer=3),
    Action("first-step", ("0",), "ends", "to what the file holds, before the first step", MOVE, WALKED, footer=10),
    Action("last-step", ("$",), "ends", "to the last step", MOVE, WALKED, footer=10),
    Action("previous-run", ("H",), "file", "the run before in the file, or the file before", MOVE, STEPS, footer=11),
    Action("next-run", ("L",), "file", "the next run in the file, or the next file", MOVE, STEPS, footer=11),
    Action("wrap", ("w",), "wrap", "fold long lines, or cut them", VIEW, WALKED, footer=9),
    Action(
        "further-left", ("less_than_sign",), "aside", "what lies to the left of a cut line", VIEW, WALKED, footer=19
    ),
    Action("further-right", ("greater_than_sign",), "aside", "what lies to the right of it", VIEW, WALKED, footer=19),
    Action("raw", ("v",), "raw", "the step as the file holds it, or laid out", VIEW, WALKED, footer=8),
    Action("in-full", ("enter",), "in full", "long texts whole, or their beginnings", VIEW, WALKED, footer=7),
    Action("other-theme", ("T",), "theme", "the next theme", VIEW, ALONE, footer=17),
    Action("play", ("space",), "play", "play on from here at the run's own speed, or stop", TIME, STEPS, footer=13),
    Action("play-slower", ("[",), "speed", "halve the speed, down to 0.5", TIME, STEPS, footer=14),
    Action("play-faster", ("]",), "speed", "double the speed, up to 64", TIME, STEPS, footer=14),
    Action("jump", ("t",), "time", "to the step at a time after the beginning", TIME, STEPS, footer=15),
    Action("reload", ("R",), "reload", "read the file again, or the folder", TIME, (*STEPS, "picker")),
    Action("follow", ("f",), "follow", "read the file again whenever it grows, or leave it", TIME, STEPS, footer=16),
    Action("pager", ("o",), "pager", "the whole step in a pager ($PAGER, else less)", OUTPUT, STEPS, footer=18),
    Action("copy-step", ("y",), "copy", "copy what is shown of the step", OUTPUT, WALKED, footer=12),
    Action("open-draft", ("enter",), "open", "open the draft", ROWS, ("drafts",), palette=False, footer=3),
    Action("check-again", ("r",), "check", "run its gates again, or ask its server now", TIME, DRAFTS, footer=6),
    Action("page-gates", ("1",), "pages", "what the selected gate found", VIEW, ("draft",), footer=4),
    Action("page-workspace", ("2",), "pages", "the workspace of a seed", VIEW, ("draft",), footer=4),
    Action("page-scores", ("3",), "pages", "how scores are spread", VIEW, ("draft",), footer=4),
    Action("seed-before", ("comma",), "seed", "the workspace of the seed before", VIEW, ("draft",), footer=5),
    Action("seed-after", ("full_stop",), "seed", "the workspace of the next seed", VIEW, ("draft",), footer=5),
    Action("copy-draft", ("y",), "copy", "copy what is shown of the draft", OUTPUT, DRAFTS, footer=12),
    Action("page-setup", ("1",), "pages", "what is simulated: change its values", VIEW, SEASONS, footer=4),
    Action("page-crown", ("2",), "pages", "the crown over all seasons, and every figure", VIEW, SEASONS, footer=4),
    Action("page-season", ("3",), "pages", "one season: Overall by race, and reigns", VIEW, SEASONS, footer=4),
    Action("page-ranks", ("4",), "pages", "one season: ranks by race", VIEW, SEASONS, footer=4),
    Action("page-policies", ("5",), "pages", "policies over the same seasons", VIEW, SEASONS, footer=4),
    Action("choose", ("enter",), "choose", "change the value, or watch the chosen race", ROWS, SEASONS, footer=5),
    Action("usual-value", ("backspace",), "default", "the default in place of the value", ROWS, SEASONS, footer=9),
    Action("run-seasons", ("space",), "run", "simulate the seasons, pause, or go on", TIME, SEASONS, footer=3),
    Action("stop-seasons", ("x",), "stop", "no more seasons than are done", TIME, SEASONS, footer=6),
    Action("season-before", ("comma",), "season", "the season before", MOVE, SEASONS, footer=7),
    Action("season-after", ("full_stop",), "season", "the next season", MOVE, SEASONS, footer=7),
    Action("seek-season", ("/",), "number", "the season of a number", MOVE, SEASONS, footer=10),
    Action("race-before", ("h", "left"), "race", "choose the race before", MOVE, SEASONS, footer=8),
    Action("race-after", ("l", "right"), "race", "choose the race after", MOVE, SEASONS, footer=8),
    Action("most-changes", ("c",), "changes", "the seasons with most changes of the crown", MOVE, SEASONS, footer=11),
    Action("most-regret", ("w",), "regret", "the seasons with the costliest wrong crowns", MOVE, SEASONS, footer=11),
    Action("copy-season", ("y",), "copy", "copy what is shown as text", OUTPUT, SEASONS, footer=12),
    Action("export-season", ("E",), "export", "write CSV, JSON and SVG of what is done", OUTPUT, SEASONS, footer=13),
    Action("next-difference", ("n",), "difference", "to the next difference", MOVE, ("compare",), footer=5),
    Action("previous-difference", ("N",), "difference", "to the difference before", MOVE, ("compare",), footer=5),
    Action("only-differences", ("e",), "only", "what differs alone, or all", ROWS, ("compare",), footer=6),
    Action("other-side", ("x",), "side", "the other run, where one alone fits", VIEW, ("compare",), footer=4),
    Action("help", ("?",), "help", "what keys do and what signs mean", ARENA, owner="app", footer=1),
    Action("command-palette", ("ctrl+p", ":"), "commands", "find a command by name", ARENA, palette=False, owner="app"),
    Action("quit", ("q",), "quit", "leave", ARENA, owner="app", footer=2),
    Action("interrupt", ("ctrl+c",), "stop", "leave at once", ARENA, PANELS, palette=False, owner="app", urgent=True),
    Action("close", ("escape", "q", "?"), "close", "close this page", VIEW, ("help",), palette=False, footer=1),
    Action(
        "toggle-column",
        ("space", "enter"),
        "toggle",
        "show or hide this column",
        ROWS,
        ("columns",),
        False,
        footer=1,
    ),
    Action("automatic", ("a",), "automatic", "show the columns that fit", ROWS, ("columns",), False, footer=2),
    Action("done", ("escape", "c", "q"), "done", "back to the board", VIEW, ("columns",), palette=False, footer=3),
)


def action(identity: str) -> Action:
    """The action of that id."""
    return next(one for one in ACTIONS if one.id == identity)


def on_screen(one: Action, screen: str) -> bool:
    """Whether an action is there on the screen of that name."""
    if screen in one.without:
        return False
    return screen in one.screens or (EVERYWHERE in one.screens and screen not in DIALOGUES)


DIALOGUES = ("help", "columns")
"""The screens that lie over another one and have only what names them."""


def actions_on(screen: str) -> tuple[Action, ...]:
    """Everything that can be done on the screen of that name."""
    return tuple(one for one in ACTIONS if on_screen(one, screen))


def keys_of(one: Action, remapped: Mapping[str, str]) -> tuple[str, ...]:
    """The keys of an action, as the settings remap them."""
    given = remapped.get(one.id)
    return one.keys if not given else tuple(key.strip() for key in given.split(","))


_KEY_NAMES = {
    "escape": "esc",
    "enter": "⏎",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "question_mark": "?",
    "colon": ":",
    "comma": ",",
    "full_stop": ".",
    "slash": "/",
    "dollar_sign": "$",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
}


def key_name(key: str) -> str:
    """A key as it is written on the screen: `^p`, `⏎`, `esc`, `?`."""
    *modifiers, last = key.split("+") if len(key) > 1 else (key,)
    prefix = "".join("^" if modifier == "ctrl" else f"{modifier}-" for modifier in modifiers)
    return prefix + _KEY_NAMES.get(last, last)
