"""Tables that the user sees: claims, and counts of what was fitted, calibrated and predicted."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from experiments.score import MachineCount, Score

if TYPE_CHECKING:
    from experiments.modelled import ModelSet

WIDTH_IN_A_PIPE = 150
A_PIPE_HAS_ROOM = 1000
WIDE = 120  # room for all columns
VALUE_WIDTH = 14


def console() -> Console:
    """Shows names and titles as they are written: what stands in brackets is no style."""
    width = None if sys.stdout.isatty() else WIDTH_IN_A_PIPE
    return Console(width=width, highlight=False, markup=False, emoji=False)


def print_whole(table: Table, *, even_beyond_a_terminal: bool = False) -> None:
    """With nothing cut off, unless a terminal has no room."""
    out = console()
    if even_beyond_a_terminal or not sys.stdout.isatty():
        out.width = A_PIPE_HAS_ROOM
        out.width = out.measure(table).maximum
    out.print(table)


def print_claims(scores: list[Score], title: str | None = None) -> None:
    """With everything in one table if there is room for it, else with the notes below."""
    out = console()
    is_wide = out.width >= WIDE
    out.print(_claims_table(scores, title, is_wide))
    for score in () if is_wide else scores:
        if score.note:
            out.print(f"{score.id}, {score.experiment}: {score.note}", style="dim")


def _claims_table(scores: list[Score], title: str | None, is_wide: bool) -> Table:
    table = Table(
        title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 2 if is_wide else 1, 0, 0)
    )
    table.add_column("claim", no_wrap=True)
    if is_wide:
        table.add_column("experiment", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    table.add_column("published", justify="right", min_width=VALUE_WIDTH)
    table.add_column("simulated", justify="right", min_width=VALUE_WIDTH)
    table.add_column("error", justify="right", no_wrap=True)
    table.add_column("allowed", justify="right", no_wrap=True)
    table.add_column("holds", no_wrap=True)
    table.add_column("margin", justify="right", no_wrap=True)
    has_shares = any(score.share is not None for score in scores)
    if has_shares:
        table.add_column("of draws", justify="right", no_wrap=True)
    if is_wide:
        table.add_column("note", overflow="fold")
    for score in scores:
        cells = [score.kind, _value(score.published, score.unit), _value(score.simulated, score.unit)]
        cells.append("" if score.error is None else f"{score.error:+.2%}")
        cells += ["" if score.tolerance is None else f"{score.tolerance:.0%}", _verdict(score.holds)]
        cells.append("" if score.margin is None else f"{score.margin:.0%}")
        if has_shares:
            cells.append(score.of_draws())
        table.add_row(score.id, *([score.experiment, *cells, Text(score.note)] if is_wide else cells))
    return table


def counts_table(counts: list[MachineCount]) -> Table:
    table = Table(title="What was fitted, and what follows", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in ("machine", "fitted parameters", "claims that calibrate", "claims predicted", "inputs", "held out"):
        table.add_column(column, justify="left" if column == "machine" else "right")
    for count in counts:
        table.add_row(
            count.machine,
            str(count.fitted),
            *(_held(count, kind) for kind in ("calibrates", "predicts", "input", "held-out")),
        )
    return table


def print_closest(scores: list[Score]) -> None:
    """Where the next change of the model will tell first."""
    table = Table(title="Nearest to failing, of those that hold", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in ("claim", "kind", "published", "simulated", "left of what is allowed"):
        table.add_column(column, justify="left" if column in ("claim", "kind") else "right")
    for score in scores:
        values = (_value(score.published, score.unit), _value(score.simulated, score.unit))
        table.add_row(score.id, score.kind, *values, f"{score.margin:.0%}")
    console().print(table)


def print_times(times: dict[str, float]) -> None:
    """How long each experiment took on this computer, in the order in which they ran."""
    table = Table(title="Wall time, with the figure", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("experiment")
    table.add_column("seconds", justify="right")
    for name, seconds in times.items():
        table.add_row(name, f"{seconds:.1f}")
    table.add_section()
    table.add_row("in all", f"{sum(times.values()):.1f}")
    console().print(table)


def print_models(models: "ModelSet") -> None:
    """One choice of what is varied: a line or a column for each operation."""
    from experiments.model_tables import DOWN_TO, rows

    title = ", ".join([Path(models.machine).stem, *(value for value in models.values if value != models.machine)])
    head, *body = rows(models)
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    is_wide = len(models.modelled) > DOWN_TO
    for index, name in enumerate(head):
        shown = name.replace(" (", "\n(").replace("ag. ", "ag.\n") if is_wide else name
        table.add_column(shown, justify="left" if index == 0 else "right")
    for line in body:
        table.add_row(*line)
    if models.modelled:
        print_whole(table)
    for failure in models.failures:
        print(f"no model: {failure}")


def _held(count: MachineCount, kind: str) -> str:
    total, held, open_ = count.claims[kind], count.claims[f"{kind}_holds"], count.claims[f"{kind}_open"]
    return f"{total}" + (f": {held} hold" if total else "") + (f", {open_} not run" if open_ else "")


def _value(value: float | str | None, unit: str) -> Text:
    if isinstance(value, str):
        return Text(value, justify="left")
    return Text("" if value is None else f"{value:.5g} {unit}".rstrip())


def _verdict(holds: bool | None) -> Text:
    return Text() if holds is None else Text("yes", "green") if holds else Text("no", "red")
