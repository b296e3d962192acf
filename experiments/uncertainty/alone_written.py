"""What is kept and shown of parameters that were changed one at a time."""

import csv
import io
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table

from experiments.tables import console
from experiments.uncertainty.alone import Alone, Moved

MOST = 4  # claims that are shown for a parameter


def files_of(folder: Path, machine: str, found: list[Alone]) -> dict[Path, bytes]:
    moves = [
        ["parameter", "at", "unit", "claim", "kind", "published", "was", "becomes", "of_what_is_allowed", "verdict"]
    ]
    ranges = [["parameter", "kind", "unit", "value", "low", "high", "holds_low", "holds_high"]]
    for one in found:
        parameter = one.parameter
        numbers = (parameter.value, parameter.low, parameter.high, *one.holds)
        ranges.append([parameter.key, parameter.kind, parameter.unit, *(f"{number:.6g}" for number in numbers)])
        for end, moved in zip((parameter.low, parameter.high), one.at_ends, strict=True):
            moves += [[parameter.key, f"{end:.6g}", parameter.unit, *_row(claim)] for claim in moved]
    return {folder / f"{machine}.moves.csv": _csv(moves), folder / f"{machine}.ranges.csv": _csv(ranges)}


def _row(moved: Moved) -> list[str]:
    was, becomes, steps = moved.was, moved.becomes, moved.steps()
    return [
        was.id,
        was.kind,
        str(was.published),
        _shown(was.simulated),
        _shown(becomes.simulated),
        "" if steps is None else f"{steps:.3g}",
        "" if not moved.changes_verdict() else "holds" if becomes.holds else "fails",
    ]


def print_alone(machine: str, found: list[Alone]) -> None:
    title = f"{machine}: each parameter by itself, at the ends of its range"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in ("parameter", "kind", "value", "range", "no verdict changes in", "claims that move most"):
        table.add_column(column, no_wrap=column == "parameter")
    for one in found:
        parameter = one.parameter
        value = f"{parameter.value:.6g} {parameter.unit}".rstrip()
        drawn = f"{parameter.low:.6g} to {parameter.high:.6g}"
        is_all = one.holds == (parameter.low, parameter.high)
        holds = "all of it" if is_all else f"{one.holds[0]:.6g} to {one.holds[1]:.6g}"
        table.add_row(parameter.key, parameter.kind, value, drawn, holds, most_moved(one))
    console().print(table)


def most_moved(one: Alone) -> str:
    """Claims whose verdict changes first, then those whose numbers move furthest."""
    furthest: dict[str, tuple[bool, float]] = {}
    for moved in [*one.at_ends[0], *one.at_ends[1]]:
        reach = (moved.changes_verdict(), moved.steps() or 0.0)
        furthest[moved.was.id] = max(reach, furthest.get(moved.was.id, (False, 0.0)))
    ordered = sorted(furthest.items(), key=lambda item: (not item[1][0], -item[1][1], item[0]))
    told = [f"{claim}{' (verdict)' if reach[0] else ''}" for claim, reach in ordered[:MOST]]
    more = f" and {len(ordered) - MOST} more" if len(ordered) > MOST else ""
    return ", ".join(told) + more or "none"


def _shown(value: float | str | None) -> str:
    return f"{value:.6g}" if isinstance(value, float | int) else value or ""


def _csv(rows: list[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
