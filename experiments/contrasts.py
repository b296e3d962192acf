"""The ways to hold one thing that was measured against another: claims, curves, or the values over ranks of one curve.
See measures.py."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from experiments.measures import Measure, NoValue, OfCurve, OfCurves, OfTwoCurves, Shape, apart, fit_line, left_of
from experiments.results import OVER_RANKS, Results


class OfTwoClaims(Measure):
    """Of what two claims gave that stand earlier in the same file."""

    of: list[str] = Field(min_length=2, max_length=2)

    def named_claims(self) -> list[str]:
        return self.of

    def both(self, claims: Mapping[str, float]) -> tuple[float, float]:
        for claim in self.of:
            if claim not in claims:
                raise NoValue(f"{claim} has no value")
        return claims[self.of[0]], claims[self.of[1]]


class Ratio(OfTwoClaims):
    """Of one claim's simulated value to another's."""

    how: Literal["ratio"]
    gives: ClassVar[str] = "number"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        first, second = self.both(claims)
        return first / second


class Less(OfTwoClaims):
    """One claim's simulated time less another's."""

    how: Literal["less"]
    gives: ClassVar[str] = "time"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        first, second = self.both(claims)
        return first - second

    def in_words(self) -> str:
        return f"{self.of[0]} less {self.of[1]}: "


class WidestAt(OfTwoCurves):
    """At this size the first curve is further above the second than at any other; or, `least`, the least far."""

    how: Literal["widest-at"]
    at: float
    least: bool = False
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        x, first, second = self.points_of_both(results)
        above = (second - first) if self.least else (first - second)
        if self.at not in x:
            raise NoValue(f"curve '{self.curves[0]}' was not measured at {self.at:g}")
        where = float(x[above.argmax()])
        word = "least" if self.least else "furthest"
        margin = apart(float(above[x == self.at][0]), float(above[x != self.at].max()))
        return Shape(where == self.at, f"{word} apart at {where:g}", margin)


class Slopes(OfTwoCurves):
    """The slope of the first curve's fitted line, as a multiple of the second's."""

    how: Literal["slopes"]
    from_: float = Field(default=0, alias="from")  # only sizes from this one on
    gives: ClassVar[str] = "number"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        first, second = (self.slope(results, curve) for curve in self.curves)
        if second <= 0:
            raise NoValue(f"curve '{self.curves[1]}' does not rise")
        return first / second

    def slope(self, results: Results, curve: str) -> float:
        x, y = self.points(results, curve)
        return fit_line(x[x >= self.from_], y[x >= self.from_]).slope


class Overtakes(OfTwoCurves):
    """The size from which on the first curve is nowhere above the second."""

    how: Literal["overtakes"]
    gives: ClassVar[str] = "number"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        x, first, second = self.points_of_both(results)
        above = [index for index in range(len(x)) if first[index] > second[index]]
        if not above or above[-1] == len(x) - 1:
            raise NoValue(f"'{self.curves[0]}' is {'always' if above else 'never'} above '{self.curves[1]}' in the end")
        return float(x[above[-1] + 1])

    def in_words(self) -> str:
        return f"{self.curves[0]} from "


class Cross(OfTwoCurves):
    """The first curve is above the second at the least size, and below it at the largest."""

    how: Literal["cross"]
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        x, first, second = self.points_of_both(results)
        below = [float(size) for size, one, other in zip(x, first, second, strict=True) if one < other]
        margin = min(apart(float(first[0]), float(second[0])), apart(float(second[-1]), float(first[-1])))
        return Shape(margin > 0, f"below from {min(below):g} on" if below else "never below", margin)


class Grows(OfCurves):
    """From one size to the next each of these curves rises."""

    how: Literal["grows"]
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        least, where = float("inf"), ""
        for curve in self.curves:
            _, y = self.points(results, curve)
            if len(y) < 2:
                raise NoValue(f"curve '{curve}' has a single size")
            if (growth := float((y[1:] / y[:-1]).min())) < least:
                least, where = growth, curve
        return Shape(least > 1, f"by {least:.3g} times at least from size to size ({where})", apart(least, 1))


class GrowsSlower(OfCurve):
    """From one size to another it grows by no more than the tolerance allows, as a share of what it grows over ranks in
    another way: the mean as a share of the largest."""

    how: Literal["grows-slower"]
    at: list[float] = Field(min_length=2, max_length=2)
    than: Literal[OVER_RANKS] = "max"
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        growth = {}
        for over in (self.over, self.than):
            x, y = results.points(self.curve, self.quantity, over)
            at = dict(zip(x, y, strict=True))
            if any(size not in at for size in self.at):
                raise NoValue(f"curve '{self.curve}' was not measured at {self.at[0]:g} and {self.at[1]:g}")
            growth[over] = at[self.at[1]] / at[self.at[0]]
        share = float(growth[self.over] / growth[self.than])
        return Shape(
            share <= tolerance,
            f"{self.over} {growth[self.over]:.3g} times, {self.than} {growth[self.than]:.3g} times "
            f"from {self.at[0]:g} to {self.at[1]:g}",
            left_of(tolerance, share),
        )


CONTRASTS = Ratio | Less | WidestAt | Slopes | Overtakes | Cross | Grows | GrowsSlower
