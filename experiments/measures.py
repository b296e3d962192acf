"""The ways to get a claim's value from results. Each is a class: the keys it has in an experiment file, and `take`.

A number comes in the first unit of its quantity (units.py); a shape says whether it holds, and what was seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from experiments.results import OVER_RANKS, Results

if TYPE_CHECKING:
    import numpy as np


class NoValue(Exception):
    """The results have no such value; the text says why."""


@dataclass(frozen=True)
class Shape:
    holds: bool
    seen: str  # a sentence
    margin: float  # how far from failing: 1 where it is as claimed, 0 where it just holds, below 0 it fails


def left_of(allowed: float, off: float) -> float:
    """The share of what is allowed that is left. Where nothing is: 1 if it is exact, or how far within or beyond."""
    if not allowed:
        return 1.0 if off == 0 else -off
    return min(1.0, 1 - off / allowed)


def apart(more: float, less: float) -> float:
    """By which share of the larger one two values would have to change to be alike; below 0 if they are the wrong way
    round."""
    larger = max(abs(more), abs(less))
    return min(1.0, (more - less) / larger) if larger else 0.0


@dataclass(frozen=True)
class Line:
    """Fitted by least squares: y = intercept + slope * x."""

    intercept: float
    slope: float

    def at(self, x: "np.ndarray") -> "np.ndarray":
        return self.intercept + self.slope * x


def fit_line(x: "np.ndarray", y: "np.ndarray") -> Line:
    if len(x) < 2:
        raise NoValue("a line needs two sizes or more")
    dx = x - x.mean()
    slope = float((dx * (y - y.mean())).sum() / (dx * dx).sum())
    return Line(float(y.mean()) - slope * float(x.mean()), slope)


class Measure(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    gives: ClassVar[str]  # a quantity of units.py, "shape", or "number"

    quantity: str = "time_us"
    over: Literal[OVER_RANKS] = "max"

    def in_words(self) -> str:
        """What is to be said before a number that does not speak for itself."""
        return ""

    def named_curves(self) -> list[str]:
        return []

    def named_claims(self) -> list[str]:
        return []

    def sizes(self) -> list[float] | None:
        """The only ones that it looks at; None is all of them."""
        return None

    def mistake(self) -> tuple[str, str] | None:
        """A key that is wrong though each is right by itself, and why."""
        return None

    def points(self, results: Results, curve: str) -> "tuple[np.ndarray, np.ndarray]":
        x, y = results.points(curve, self.quantity, self.over)
        if len(x) == 0:
            raise NoValue(f"no results of curve '{curve}'")
        return x, y

    def value(self, results: Results, curve: str, at: float) -> float:
        x, y = self.points(results, curve)
        if at not in x:
            raise NoValue(f"curve '{curve}' was not measured at {at:g}")
        return float(y[x == at][0])

    def line(self, results: Results, curve: str) -> Line:
        return fit_line(*self.points(results, curve))


class OfCurve(Measure):
    curve: str

    def named_curves(self) -> list[str]:
        return [self.curve]


class OfCurves(Measure):
    curves: list[str] = Field(min_length=1)

    def named_curves(self) -> list[str]:
        return self.curves


class OfTwoCurves(Measure):
    curves: list[str] = Field(min_length=2, max_length=2)

    def named_curves(self) -> list[str]:
        return self.curves

    def points_of_both(self, results: Results) -> "tuple[np.ndarray, np.ndarray, np.ndarray]":
        """The sizes, which must be the same, and the values of the two curves there."""
        (x, first), (other_x, second) = (self.points(results, curve) for curve in self.curves)
        if list(x) != list(other_x):
            raise NoValue(f"'{self.curves[0]}' and '{self.curves[1]}' were measured at different sizes")
        return x, first, second


class Value(OfCurve):
    """A curve's value at one size."""

    how: Literal["value"]
    at: float
    gives: ClassVar[str] = "time"

    def sizes(self) -> list[float]:
        return [self.at]

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        return self.value(results, self.curve, self.at)


class Difference(OfTwoCurves):
    """The first curve's value less the second's, at one size."""

    how: Literal["difference"]
    at: float
    gives: ClassVar[str] = "time"

    def sizes(self) -> list[float]:
        return [self.at]

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        first, second = (self.value(results, curve, self.at) for curve in self.curves)
        return first - second


class Growth(OfCurve):
    """A curve's value at one size, as a multiple of that at another."""

    how: Literal["growth"]
    at: list[float] = Field(min_length=2, max_length=2)  # from the first to the second
    gives: ClassVar[str] = "number"

    def sizes(self) -> list[float]:
        return self.at

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        before, after = (self.value(results, self.curve, size) for size in self.at)
        return after / before

    def in_words(self) -> str:
        return f"from {self.at[0]:g} to {self.at[1]:g} times "


class Multiple(OfTwoCurves):
    """The first curve's value at one size, as a multiple of the second's."""

    how: Literal["multiple"]
    at: float
    gives: ClassVar[str] = "number"

    def sizes(self) -> list[float]:
        return [self.at]

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        first, second = (self.value(results, curve, self.at) for curve in self.curves)
        return first / second

    def in_words(self) -> str:
        return f"{self.curves[0]} by {self.curves[1]} at {self.at:g}: "


class MultipleOfLeast(OfCurve):
    """A curve's value at one size, as a multiple of its least at any size."""

    how: Literal["multiple-of-least"]
    at: float
    gives: ClassVar[str] = "number"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        _, y = self.points(results, self.curve)
        return self.value(results, self.curve, self.at) / float(y.min())

    def in_words(self) -> str:
        return f"{self.curve} at {self.at:g}, by its least: "


class Correlation(OfCurve):
    """How much of a curve's variance a fitted line explains (R squared), over sizes or over their logarithms."""

    how: Literal["correlation"]
    x: Literal["linear", "log"] = "linear"
    below: float | None = None  # only sizes below this one
    gives: ClassVar[str] = "number"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        import numpy as np

        x, y = self.points(results, self.curve)
        chosen = x < (self.below or np.inf)
        x, y = x[chosen], y[chosen]
        along = np.log(x) if self.x == "log" else x
        left = y - fit_line(along, y).at(along)
        return 1 - float((left**2).sum() / ((y - y.mean()) ** 2).sum())

    def in_words(self) -> str:
        return "R squared "


class Intercept(OfCurve):
    """Where the fitted line of a curve meets size 0, times a factor: 0.5 of a ping-pong's."""

    how: Literal["intercept"]
    times: float = 1.0
    gives: ClassVar[str] = "time"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        return self.times * self.line(results, self.curve).intercept


class Rate(OfCurve):
    """Bytes by time, from the slope of the fitted line; `bytes` is what one of the size is."""

    how: Literal["rate"]
    bytes: float = 1.0
    gives: ClassVar[str] = "bandwidth"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        slope = self.line(results, self.curve).slope
        if slope <= 0:
            raise NoValue(f"curve '{self.curve}' does not rise")
        return self.bytes / slope


class Crossing(OfTwoCurves):
    """The size at which the fitted lines of two curves cross; the first curve is above the second before it."""

    how: Literal["crossing"]
    gives: ClassVar[str] = "number"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        above, below = (self.line(results, curve) for curve in self.curves)
        start, growth = above.intercept - below.intercept, above.slope - below.slope
        if start <= 0 or growth >= 0:
            raise NoValue(
                f"no such crossing: '{self.curves[0]}' begins {start:.4g} above '{self.curves[1]}' and rises "
                f"{growth:.4g} faster per {results.size}"
            )
        return -start / growth


class Largest(OfCurves):
    """The largest value at any size of any of these curves, on any rank."""

    how: Literal["largest"]
    gives: ClassVar[str] = "number"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        return max(float(self.points(results, curve)[1].max()) for curve in self.curves)


class Reaches(OfCurve):
    """The size from which on a curve is at this share of its largest value or above, on a line between two sizes."""

    how: Literal["reaches"]
    share: float = Field(gt=0, lt=1)
    gives: ClassVar[str] = "number"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        x, y = self.points(results, self.curve)
        wanted = self.share * y.max()
        last = max((index for index in range(len(x)) if y[index] < wanted), default=-1)
        if last < 0 or last == len(x) - 1:
            raise NoValue(f"'{self.curve}' is {'always' if last < 0 else 'not in the end'} at that share")
        return float(x[last] + (wanted - y[last]) / (y[last + 1] - y[last]) * (x[last + 1] - x[last]))


class LeastOfAll(OfCurves):
    """The smallest value at any size of any of these curves, on any rank."""

    how: Literal["least-of-all"]
    over: Literal[OVER_RANKS] = "min"
    gives: ClassVar[str] = "number"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        return min(float(self.points(results, curve)[1].min()) for curve in self.curves)


class Steps(OfCurve):
    """How often a step was taken in a curve's run at one size, or how much it was about, such as bytes; `key`: where
    its time follows from that key; `per`: for each time that that one was; `less`: without what that curve has."""

    how: Literal["steps"]
    step: str  # its name, as `hindcast run --count` has it
    at: int
    key: str = ""
    rank: int | None = None  # all together unless given
    per: str = ""
    count: Literal["times", "amount"] = "times"
    less: str = ""
    gives: ClassVar[str] = "number"

    def named_curves(self) -> list[str]:
        return [self.curve, self.less] if self.less else [self.curve]

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        found = self.total(results, self.step, "count" if self.count == "times" else "amount")
        per = self.total(results, self.per, "count") if self.per else 1
        if not per:
            raise NoValue(f"no step '{self.per}' was taken")
        return found / per

    def total(self, results: Results, step: str, column: str) -> int:
        totals = [self.total_in(results, curve, step, column) for curve in self.named_curves()]
        return totals[0] - sum(totals[1:])

    def total_in(self, results: Results, curve: str, step: str, column: str) -> int:
        import polars as pl

        if results.steps is None:
            raise NoValue("the results have no counts of steps: run it again")
        run = results.steps.filter((pl.col("curve") == curve) & (pl.col(results.size) == self.at))
        if run.is_empty():
            raise NoValue(f"no steps recorded of curve '{curve}' at {self.at}")
        if self.rank is not None:
            run = run.filter(pl.col("rank") == self.rank)
        if self.key and step == self.step:
            run = run.filter(pl.col("parameter") == self.key)
        return int(run.filter(pl.col("name") == step)[column].sum())

    def in_words(self) -> str:
        of = "amount of " if self.count == "amount" else ""
        where = f"{self.curve} less {self.less}" if self.less else self.curve
        by = f" by {self.key}" if self.key else ""
        return f"{of}'{self.step}'{by}{f' per {self.per!r}' if self.per else ''}, {where}: "


NUMBERS = (
    Value
    | Difference
    | Growth
    | Multiple
    | MultipleOfLeast
    | Correlation
    | Intercept
    | Rate
    | Crossing
    | Largest
    | Reaches
    | LeastOfAll
    | Steps
)
