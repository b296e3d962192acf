"""The mean of what ranks report has the same bits each time, however many threads sum it up."""

import random

import polars as pl

from experiments.fits.rows import points_of
from experiments.results import Results

SIZES, RANKS, TIMES = 25, 128, 200


def table():
    numbers = random.Random(7)
    return pl.DataFrame(
        [
            {"curve": "scatter", "bytes": size, "ranks": RANKS, "rank": rank, "time_us": numbers.uniform(1, 1000)}
            for size in range(SIZES)
            for rank in range(RANKS)
        ]
    )


def test_a_curve_of_means_is_the_same_each_time():
    results = Results(table(), "bytes")
    assert len({results.points("scatter", "time_us", "mean")[1].tobytes() for _ in range(TIMES)}) == 1


def test_points_that_are_fitted_are_the_same_each_time():
    rows = table()
    assert len({points_of(rows, "scatter", over="mean")[RANKS][1].tobytes() for _ in range(TIMES)}) == 1


def test_a_mean_is_one():
    rows = [{"curve": "a", "bytes": 8, "rank": rank, "time_us": value} for rank, value in enumerate((1.0, 2.0, 6.0))]
    results = Results(pl.DataFrame(rows), "bytes")
    assert [float(results.points("a", "time_us", over)[1][0]) for over in ("max", "mean", "min")] == [6, 3, 1]
