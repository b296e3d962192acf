"""Points of a curve out of a table of results: a row has the number of processors, the bytes, and a time."""

from typing import TYPE_CHECKING

from experiments.fits.collective import Points
from experiments.fits.problems import NoFit
from experiments.results import over_rows
from experiments.units import column_factor

if TYPE_CHECKING:
    import polars as pl

OF_A_MESSAGE = 2  # processors


def points_of(
    table: "pl.DataFrame", curve: str, ranks: str = "ranks", length: str = "bytes", quantity: str = "time_us",
    over: str = "max",
) -> Points:  # fmt: skip
    """Of several rows with the same processors and bytes, as where each rank reports its own, one value counts."""
    import polars as pl

    for column in (ranks, length, quantity):
        if column not in table.columns:
            raise NoFit(f"the results have no column '{column}', but {', '.join(table.columns)}")
    rows = (
        table.filter(pl.col("curve") == curve)
        .select(pl.col(ranks).cast(pl.Int64), pl.col(length).cast(pl.Float64), pl.col(quantity).cast(pl.Float64))
        .group_by(ranks, length)
        .agg(over_rows(quantity, over))
        .sort(ranks, length)
    )
    return {
        int(part[ranks][0]): (part[length].to_numpy(), part[quantity].to_numpy() * column_factor(quantity))
        for part in rows.partition_by(ranks, maintain_order=True)
    }


def with_ranks(table: "pl.DataFrame", column: str, ranks: int) -> "pl.DataFrame":
    """All rows as of so many processors."""
    import polars as pl

    return table.with_columns(pl.lit(ranks).alias(column))
