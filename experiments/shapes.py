"""The ways to hold results to a shape that a paper claims: straight, flat, close together, ... See measures.py."""

from collections.abc import Mapping
from itertools import pairwise
from typing import ClassVar, Literal

from pydantic import Field

from experiments.measures import NoValue, OfCurve, OfCurves, OfTwoCurves, Shape, apart, fit_line, left_of
from experiments.results import Results


class Straight(OfCurves):
    """No point of these curves lies further from its fitted line than the tolerance, as a share of the line's value."""

    how: Literal["straight"]
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        worst, where = 0.0, ""
        for curve in self.curves:
            x, y = self.points(results, curve)
            expected = self.line(results, curve).at(x)
            far = abs(y / expected - 1)
            if far.max() >= worst:
                worst, where = float(far.max()), f"{curve}, {results.size} = {x[far.argmax()]:g}"
        seen = f"at most {worst:.2%} off a straight line ({where})"
        return Shape(worst <= tolerance, seen, left_of(tolerance, worst))


class Pieces(OfCurve):
    """Between these sizes, and before the first and behind the last, the curve is straight: no point lies further from
    the line fitted to its piece than the tolerance, as a share of the line's value."""

    how: Literal["pieces"]
    at: list[float] = Field(min_length=1)
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        x, y = self.points(results, self.curve)
        ends = [x[0], *self.at, x[-1]]
        worst, where = 0.0, x[0]
        for low, high in pairwise(ends):
            chosen = (x >= low) & (x <= high)
            far = abs(y[chosen] / fit_line(x[chosen], y[chosen]).at(x[chosen]) - 1)
            if far.max() >= worst:
                worst, where = float(far.max()), x[chosen][far.argmax()]
        seen = f"pieces at most {worst:.2%} off straight lines (at {where:g})"
        return Shape(worst <= tolerance, seen, left_of(tolerance, worst))


class Flat(OfCurves):
    """The largest value of each of these curves exceeds its smallest by no more than the tolerance."""

    how: Literal["flat"]
    from_: float = Field(default=0, alias="from")  # only sizes from this one on
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        spreads = {}
        for curve in self.curves:
            x, y = self.points(results, curve)
            y = y[x >= self.from_]
            if len(y) < 2:
                raise NoValue(f"curve '{curve}' has a single size")
            spreads[curve] = float(y.max() / y.min() - 1)
        worst = max(spreads, key=spreads.get)
        seen = f"largest over smallest differs by {spreads[worst]:.2%} ({worst})"
        return Shape(spreads[worst] <= tolerance, seen, left_of(tolerance, spreads[worst]))


class NoGain(OfTwoCurves):
    """At no size is the first curve below the second by more than the tolerance."""

    how: Literal["no-gain"]
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        x, first, second = self.points_of_both(results)
        gain = 1 - first / second
        worst = int(gain.argmax())
        seen = f"at most {gain[worst]:.2%} of the time saved ({results.size} = {x[worst]:g})"
        return Shape(float(gain[worst]) <= tolerance, seen, left_of(tolerance, float(gain[worst])))


class FurtherBelow(OfTwoCurves):
    """Up to one size the first curve is further below the second, in proportion, than anywhere beyond."""

    how: Literal["further-below"]
    until: float
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        x, first, second = self.points_of_both(results)
        share = first / second
        before, beyond = share[x <= self.until], share[x > self.until]
        if not len(before) or not len(beyond):
            raise NoValue(f"no sizes on both sides of {self.until:g}")
        seen = (
            f"up to {self.until:g} at most {before.max():.1%} of '{self.curves[1]}', beyond {beyond.min():.1%} or more"
        )
        most, allowed = float(before.max()), (1 + tolerance) * float(beyond.min())
        return Shape(most <= allowed, seen, apart(allowed, most))


class Widens(OfTwoCurves):
    """From each of these sizes to the next the first curve gets further above the second, but for the tolerance."""

    how: Literal["widens"]
    at: list[float] = Field(min_length=2)
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        above = [
            self.value(results, self.curves[0], size) - self.value(results, self.curves[1], size) for size in self.at
        ]
        margin = min(apart(after, before * (1 - tolerance)) for before, after in pairwise(above))
        seen = f"{above[0]:.4g} us above at {self.at[0]:g}, {above[-1]:.4g} us at {self.at[-1]:g}"
        return Shape(margin > 0, seen, margin)


class Falls(OfCurves):
    """From one size to the next none of these curves rises by more than the tolerance, and in all it falls."""

    how: Literal["falls"]
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        rises, falls = {}, []
        for curve in self.curves:
            _, y = self.points(results, curve)
            if len(y) < 2:
                raise NoValue(f"curve '{curve}' has a single size")
            rises[curve] = float((y[1:] / y[:-1] - 1).max())
            falls.append(apart(float(y[0]), float(y[-1])))
        worst = max(rises, key=rises.get)
        seen = f"rises by at most {rises[worst]:.2%} from size to size ({worst})"
        holds = min(falls) > 0 and rises[worst] <= tolerance
        return Shape(holds, seen, min(*falls, left_of(tolerance, rises[worst])))


class Drops(OfCurve):
    """From the first size to the second it falls to the tolerance or less, as a share."""

    how: Literal["drops"]
    at: list[float] = Field(min_length=2, max_length=2)
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        before, after = (self.value(results, self.curve, size) for size in self.at)
        seen = f"to {after / before:.1%} from {self.at[0]:g} to {self.at[1]:g}"
        return Shape(after <= tolerance * before, seen, left_of(tolerance, after / before))


class Together(OfCurves):
    """At each size the ranks' values lie within the tolerance below the largest; `without` leaves out a rank."""

    how: Literal["together"]
    without: int | None = None
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        worst, where = 0.0, ""
        for curve in self.curves:
            for size, values in results.by_rank(curve, self.quantity).items():
                of_others = [value for rank, value in values.items() if rank != self.without]
                spread = 1 - min(of_others) / max(of_others)
                if spread >= worst:
                    worst, where = spread, f"{curve}, {results.size} = {size}"
        seen = f"ranks at most {worst:.2%} below the largest ({where})"
        return Shape(worst <= tolerance, seen, left_of(tolerance, worst))


class Least(OfCurve):
    """At each size this rank's value is the least of all ranks'."""

    how: Literal["least"]
    rank: int
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        every = results.by_rank(self.curve, self.quantity)
        least = {size: min(values, key=values.get) for size, values in every.items()}
        others = ", ".join(f"rank {rank} at {size}" for size, rank in least.items() if rank != self.rank)
        margin = min(
            apart(min(value for rank, value in values.items() if rank != self.rank), values[self.rank])
            for values in every.values()
        )
        return Shape(not others, f"not everywhere: {others}" if others else f"rank {self.rank} everywhere", margin)


class OneApart(OfCurve):
    """At each size the mean over g ranks is (least + (g - 1) largest) / g: all but one are at the largest."""

    how: Literal["one-apart"]
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        worst, where = 0.0, 0
        for size, values in results.by_rank(self.curve, self.quantity).items():
            least, largest, ranks = min(values.values()), max(values.values()), len(values)
            expected = (least + (ranks - 1) * largest) / ranks
            off = abs(sum(values.values()) / ranks / expected - 1)
            if off >= worst:
                worst, where = off, size
        seen = f"mean at most {worst:.2%} off ({results.size} = {where})"
        return Shape(worst <= tolerance, seen, left_of(tolerance, worst))


class Doubles(OfCurve):
    """At each size from `from` on of which the double was measured too, the value doubles, within the tolerance."""

    how: Literal["doubles"]
    from_: float = Field(default=0, alias="from")
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        x, y = self.points(results, self.curve)
        at = dict(zip(x, y, strict=True))
        ratios = {size: at[2 * size] / at[size] for size in x if size >= self.from_ and 2 * size in at}
        if not ratios:
            raise NoValue(f"no size of curve '{self.curve}' and its double were measured")
        worst = max(ratios, key=lambda size: abs(ratios[size] / 2 - 1))
        off = float(abs(ratios[worst] / 2 - 1))
        return Shape(
            off <= tolerance, f"{ratios[worst]:.3g} times at worst, from {worst:g} on", left_of(tolerance, off)
        )


class Bends(OfCurve):
    """The slope changes most at these sizes, to one size; elsewhere by no more than the tolerance of the least."""

    how: Literal["bends"]
    at: list[int] = Field(min_length=1)
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        import numpy as np

        x, y = self.points(results, self.curve)
        changes = abs(np.diff(np.diff(y) / np.diff(x))).tolist()  # at all sizes but the first and the last
        largest = sorted(sorted(range(len(changes)), key=changes.__getitem__)[-len(self.at) :])
        places = [int(x[1:][index]) for index in largest]
        others = max((change for index, change in enumerate(changes) if index not in largest), default=0.0)
        step = float(np.diff(x).max())
        off = max(abs(place - at) for place, at in zip(places, sorted(self.at), strict=True))
        allowed = tolerance * min(changes[index] for index in largest)
        seen = f"the slope changes most at {', '.join(map(str, places))}"
        return Shape(off <= step and others <= allowed, seen, min(left_of(step, off), left_of(allowed, others)))


class Rises(OfCurve):
    """The largest rises from one size to the next are right after these sizes, and nowhere else.

    Rises are told apart from what is none by their gap: each of these exceeds every other by a factor of 1 + tolerance.
    """

    how: Literal["rises"]
    after: list[int] = Field(min_length=1)
    below: float | None = None  # only sizes below this one
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        import numpy as np

        x, y = self.points(results, self.curve)
        chosen = x < (self.below or np.inf)
        x, y = x[chosen], y[chosen]
        rises = dict(zip(x[:-1].astype(int).tolist(), np.diff(y).tolist(), strict=True))
        largest = sorted(sorted(rises, key=rises.get)[-len(self.after) :])
        others = max((rise for size, rise in rises.items() if size not in self.after), default=0.0)
        least = min(rises.get(size, 0.0) for size in self.after)
        next_allowed = (1 + tolerance) * max(others, 0.0)
        seen = f"largest rises after {', '.join(map(str, largest))}; least {least:.4g} us, next {others:.4g} us"
        return Shape(largest == sorted(self.after) and least > next_allowed, seen, apart(least, next_allowed))


SHAPES = (
    Straight
    | Pieces
    | Flat
    | NoGain
    | FurtherBelow
    | Widens
    | Falls
    | Drops
    | Together
    | Least
    | OneApart
    | Doubles
    | Bends
    | Rises
)
