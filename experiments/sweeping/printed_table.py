"""A table in what a program printed: a line of names, and rows with as many values."""

import csv
import io
import re
from dataclasses import dataclass

from experiments.sweeping.numbers import is_number

NAME = re.compile(r"[^\W\d][\w./%-]*")


@dataclass(frozen=True)
class PrintedTable:
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_in(printed: str) -> PrintedTable | None:
    """A row has a number in it and a line of names has none, which tells them apart: ranks print in the order of
    simulated time, so that the names may come after rows. Equal lines of names count once."""
    lines_with_ends = io.StringIO(printed, newline="")  # a value in quotes may hold the end of a line
    try:
        lines = [tuple(cell.strip() for cell in cells) for cells in csv.reader(lines_with_ends) if cells]
    except csv.Error:
        return None
    heads = dict.fromkeys(cells for cells in lines if _are_names(cells))
    if len(heads) != 1:
        return None
    (names,) = heads
    rows = tuple(cells for cells in lines if cells != names)
    are_rows = all(len(cells) == len(names) and any(map(is_number, cells)) for cells in rows)
    return PrintedTable(names, rows) if are_rows else None


def _are_names(cells: tuple[str, ...]) -> bool:
    are_words = all(NAME.fullmatch(cell) and not is_number(cell) for cell in cells)
    return are_words and len(set(cells)) == len(cells)
