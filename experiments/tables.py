"""Tables that the user sees: claims, and counts of what was fitted, calibrated and predicted."""

import sys

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from experiments.score import MachineCount, Score

WIDTH_IN_A_PIPE = 150


def console() -> Console:
    return Console(width=None if sys.stdout.isatty() else WIDTH_IN_A_PIPE, highlight=False)


def claims_table(scores: list[Score], title: str | None = None) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in ("claim", "experiment", "kind"):
        table.add_column(column, no_wrap=True)
    table.add_column("published", justify="right")
    table.add_column("simulated", justify="right")
    table.add_column("unit", no_wrap=True)
    table.add_column("error", justify="right", no_wrap=True)
    table.add_column("allowed", justify="right", no_wrap=True)
    table.add_column("holds", no_wrap=True)
    table.add_column("note", overflow="fold")
    for score in scores:
        table.add_row(
            score.id, score.experiment, score.kind, _cell(score.published), _cell(score.simulated), score.unit,
            "" if score.error is None else f"{score.error:+.2%}",
            "" if score.tolerance is None else f"{score.tolerance:.0%}",
            _verdict(score.holds), Text(score.note),
        )  # fmt: skip
    return table


def counts_table(counts: list[MachineCount]) -> Table:
    table = Table(title="What was fitted, and what follows", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in ("machine", "fitted parameters", "claims that calibrate", "claims predicted", "inputs"):
        table.add_column(column, justify="left" if column == "machine" else "right")
    for count in counts:
        table.add_row(
            count.machine, str(count.fitted), *(_held(count, kind) for kind in ("calibrates", "predicts", "input"))
        )
    return table


def _held(count: MachineCount, kind: str) -> str:
    total, held, open_ = count.claims[kind], count.claims[kind, True], count.claims[kind, None]
    return f"{total}" + (f": {held} hold" if total else "") + (f", {open_} not run" if open_ else "")


def _cell(value: float | str | None) -> Text:
    if isinstance(value, str):
        return Text(value, justify="left")
    return Text("" if value is None else f"{value:.5g}")


def _verdict(holds: bool | None) -> str:
    return "" if holds is None else "[green]yes[/green]" if holds else "[red]no[/red]"
