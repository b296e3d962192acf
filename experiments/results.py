"""What runs have measured: one tidy table, a row for each rank that reported; as CSV, with its origin in its head."""

import contextlib
import os
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.problems import Problem
from experiments.units import column_factor

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

# How the values of several ranks become one point of a curve.
OVER_RANKS = ("max", "mean", "min")


def over_rows(quantity: str, over: str) -> "pl.Expr":
    """One value of a group's rows. A mean's last bits hang on the order of its sum, which is that of the rows here and
    not that in which threads come to parts of the group.
    """
    import polars as pl

    return pl.col(quantity).implode().list.mean() if over == "mean" else getattr(pl.col(quantity), over)()


@dataclass(frozen=True)
class Results:
    table: "pl.DataFrame"
    size: str  # the column that curves are drawn over
    head: tuple[str, ...] = ()  # where the table comes from, line by line
    steps: "pl.DataFrame | None" = None  # how often each step was taken, if a claim asks for it

    def points(self, curve: str, quantity: str, over: str = "max") -> "tuple[np.ndarray, np.ndarray]":
        """A curve: sizes, rising, and the quantity at each, in the first unit of its sort (a time in us)."""
        import polars as pl

        reduced = (
            self._with_numbers(quantity)
            .filter(pl.col("curve") == curve)
            .group_by(self.size)
            .agg(over_rows(quantity, over))
            .sort(self.size)
        )
        return reduced[self.size].to_numpy().astype(float), reduced[quantity].to_numpy() * column_factor(quantity)

    def by_rank(self, curve: str, quantity: str) -> dict[int, dict[int, float]]:
        """For each size, rising, what each rank reported, in the first unit of its sort."""
        import polars as pl

        found: dict[int, dict[int, float]] = {}
        self._refuse_missing("rank")
        rows = self._with_numbers(quantity).filter(pl.col("curve") == curve).sort(self.size)
        for size, rank, value in rows.select(self.size, "rank", quantity).iter_rows():
            found.setdefault(size, {})[int(rank)] = value * column_factor(quantity)
        return found

    def _with_numbers(self, quantity: str) -> "pl.DataFrame":
        import polars as pl

        self._refuse_missing(quantity)
        numbers = self.table[quantity].cast(pl.Float64, strict=False)
        wrong = self.table[quantity].filter(numbers.is_null())
        if len(wrong):
            raise Problem(f"a program's column '{quantity}' holds '{wrong[0] or ''}', which is no number")
        return self.table.with_columns(numbers)

    def _refuse_missing(self, column: str) -> None:
        if column not in self.table.columns:
            there = ", ".join(name for name in self.table.columns if name != "curve")
            raise Problem(f"no program prints a column '{column}', which a panel or a claim is of, but {there}")

    def only(self, values: dict[str, str]) -> "Results":
        """Of one value of each of some columns: of parameters that were given several."""
        import polars as pl

        def part(table: "pl.DataFrame") -> "pl.DataFrame":
            for column, value in values.items():
                table = table.filter(pl.col(column) == value).drop(column)
            return table

        return Results(part(self.table), self.size, self.head, None if self.steps is None else part(self.steps))

    def files(self, path: Path) -> dict[Path, bytes]:
        tables = {path: self.table} | ({_steps_path(path): self.steps} if self.steps is not None else {})
        head = "".join(f"# {line}\n" for line in self.head)
        return {file: (head + table.write_csv()).encode() for file, table in tables.items()}


def _steps_path(path: Path) -> Path:
    return path.with_name(f"{path.stem}.steps.csv")


def read_results(path: Path, size: str) -> Results:
    try:
        lines = path.read_text().splitlines()
    except UnicodeDecodeError as error:
        raise Problem(f"{path}: not a table of results: not UTF-8: {error.reason}") from error
    head = [line[2:] for line in takewhile(lambda line: line.startswith("# "), lines)]
    steps = _read_table(_steps_path(path), size) if _steps_path(path).exists() else None
    return Results(_read_table(path, size), size, tuple(head), steps)


def _read_table(path: Path, size: str) -> "pl.DataFrame":
    import polars as pl

    try:
        table = pl.read_csv(path, comment_prefix="#", schema_overrides={"curve": pl.String}, infer_schema_length=None)
    except pl.exceptions.PolarsError as error:
        raise Problem(f"{path}: not a table of results: {str(error).splitlines()[0]}") from error
    if missing := {"curve", size} - set(table.columns):
        raise Problem(f"{path}: no column '{min(missing)}': not results of this experiment; run it again")
    return table


def write_whole(files: dict[Path, bytes]) -> None:
    """All of these files or none: each is written beside its place first."""
    written = []
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            aside = path.with_name(f".{path.name}.{os.getpid()}")
            written.append(aside)
            aside.write_bytes(content)
        for aside, path in zip(written, files, strict=True):
            aside.replace(path)
    except OSError as error:
        meant = {str(aside): path for aside, path in zip(written, files, strict=False)}
        path = meant.get(error.filename, error.filename)
        raise Problem(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        for aside in written:
            with contextlib.suppress(OSError):
                aside.unlink()


def refuse_unwritable(option: str, path: Path) -> None:
    """Before what is to be written there is computed."""
    if path.is_dir():
        raise Problem(f"{option} {path}: is a folder: name a file")
    if not path.parent.is_dir():
        raise Problem(f"{option} {path}: there is no folder {path.parent}: make it first, or name another")
    if not os.access(path.parent, os.W_OK):
        raise Problem(f"{option} {path}: the folder {path.parent} cannot be written to")
