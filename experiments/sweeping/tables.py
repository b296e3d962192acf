"""The tables of a sweep: a row for each run, and the rows of all tables that the runs printed."""

import csv
import io
from collections.abc import Iterable, Sequence

from experiments.runner import Outcome
from experiments.sweeping.axes import COLUMNS
from experiments.sweeping.combinations import Combination
from experiments.sweeping.printed_table import PrintedTable, table_in

Outcomes = Sequence[tuple[Combination, Outcome]]


def runs_csv(head: Iterable[str], outcomes: Outcomes) -> bytes:
    keys = list(outcomes[0][0].columns)
    rows = [[*combination.columns.values(), *_status_and_said(outcome)] for combination, outcome in outcomes]
    return _csv(head, [*keys, *COLUMNS], rows)


def _status_and_said(outcome: Outcome) -> tuple[str, str]:
    has_failed = outcome.status != 0 and outcome.said.strip()
    return str(outcome.status), outcome.telling_line() if has_failed else ""


def printed_csv(head: Iterable[str], outcomes: Outcomes) -> tuple[bytes | None, str]:
    """Of the runs that did not fail; or why there is no such table."""
    printed = [(combination, table_in(outcome.printed)) for combination, outcome in outcomes if outcome.status == 0]
    tables = [(combination, table) for combination, table in printed if table is not None]
    if not printed:
        return None, "all runs failed"
    if not any(table.rows for _, table in tables) or len(tables) < len(printed):
        return None, "the runs print no table as CSV, a line of names and rows of values, of which it would be made"
    different = list(dict.fromkeys(table.names for _, table in tables))
    if len(different) > 1:
        return None, f"one run's table has the columns {','.join(different[0])}, another's {','.join(different[1])}"
    titles, rows = _joined(tables)
    if twice := [title for title in titles if titles.count(title) > 1]:
        return None, f"two of its columns would be called {twice[0]}"
    return _csv(head, titles, rows), ""


def _joined(tables: Sequence[tuple[Combination, PrintedTable]]) -> tuple[list[str], list[list[str]]]:
    """The columns' titles, and the rows of all."""
    keys, names = list(tables[0][0].columns), tables[0][1].names
    rows = [(combination.columns, dict(zip(names, row))) for combination, table in tables for row in table.rows]
    shown = [name for name in names if not all(columns.get(name) == row[name] for columns, row in rows)]
    titles = [f"printed_{name}" if name in keys else name for name in shown]
    return keys + titles, [[*columns.values(), *(row[name] for name in shown)] for columns, row in rows]


def _csv(head: Iterable[str], names: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    text.writelines(f"# {line}\n" for part in head for line in part.splitlines())  # an argument may have several
    csv.writer(text, lineterminator="\n").writerows([names, *rows])
    return text.getvalue().encode()
