"""What runs have measured: one tidy table, a row for each rank that reported; as CSV, with its origin in its head."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.problems import Problem
from experiments.units import column_factor

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

# How the values of several ranks become one point of a curve.
OVER_RANKS = ("max", "mean", "min")


@dataclass(frozen=True)
class Results:
    table: "pl.DataFrame"
    size: str  # the column that curves are drawn over
    head: tuple[str, ...] = ()  # where the table comes from, line by line

    def points(self, curve: str, quantity: str, over: str = "max") -> "tuple[np.ndarray, np.ndarray]":
        """A curve: sizes, rising, and the quantity at each, in the first unit of its sort (a time in us)."""
        import polars as pl

        reduced = (
            self.table.filter(pl.col("curve") == curve)
            .group_by(self.size)
            .agg(getattr(pl.col(quantity).cast(pl.Float64), over)())
            .sort(self.size)
        )
        return reduced[self.size].to_numpy().astype(float), reduced[quantity].to_numpy() * column_factor(quantity)

    def only(self, column: str, value: str) -> "Results":
        """Of one of the values that a changed parameter was given."""
        import polars as pl

        return Results(self.table.filter(pl.col(column) == value).drop(column), self.size, self.head)

    def text(self) -> str:
        return "".join(f"# {line}\n" for line in self.head) + self.table.write_csv()


def read_results(path: Path, size: str) -> Results:
    import polars as pl

    head = []
    with path.open() as file:
        for line in file:
            if not line.startswith("# "):
                break
            head.append(line[2:].rstrip("\n"))
    try:
        table = pl.read_csv(path, comment_prefix="#", schema_overrides={"curve": pl.String}, infer_schema_length=None)
    except pl.exceptions.PolarsError as error:
        raise Problem(f"{path}: not a table of results: {str(error).splitlines()[0]}") from error
    if missing := {"curve", size} - set(table.columns):
        raise Problem(f"{path}: no column '{min(missing)}': not results of this experiment; run it again")
    return Results(table, size, tuple(head))


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
        raise Problem(f"{error.filename}: cannot be written: {error.strerror}") from error
    finally:
        for aside in written:
            aside.unlink(missing_ok=True)
