"""The ways to hold a claim to a model that is fitted to results anew (fits/): a coefficient of a form, a metric, and
how metrics compare. See measures.py.

The results have a row for each number of processors and of bytes. Forms are fitted to the processors that `at` lists.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from experiments.fits.names import GIVES, Errors, Metric
from experiments.fits.problems import NoFit
from experiments.measures import Measure, NoValue, Shape, apart, left_of
from experiments.results import Results

if TYPE_CHECKING:
    from experiments.fits.collective import Lines, Points
    from experiments.fits.metrics import Metrics


class ModelKeys(BaseModel):
    """Which model of which curve."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    curve: str
    without: str = ""  # the same operation without arithmetic, if that is told apart
    t_s: str = ""  # forms; unless given, the values at each number of processors count as they were measured
    t_b: str = ""
    t_c: str = ""
    carries: str = "p - 1"  # how often its bytes go from one processor to another
    at: list[int] = []  # the numbers of processors that are fitted to; all unless given
    bytes_from: float = 0
    bytes_to: float = float("inf")
    errors: Errors = "absolute"  # whose squares are least
    ranks: str = ""  # the column of the processors; unless given the size, or "ranks" if the sizes are the bytes; if
    # there is no such column, the results are of messages between two
    bytes: str = "bytes"  # the column of the bytes

    def named_curves(self) -> list[str]:
        return [self.curve, self.without] if self.without else [self.curve]

    def mistake(self) -> tuple[str, str] | None:
        """The key that is wrong, and why."""
        from experiments.fits.expressions import parse
        from experiments.fits.forms import form_of

        given = {key: getattr(self, key) for key in ("t_s", "t_b", "t_c", "carries") if getattr(self, key)}
        for key, text in given.items():
            try:
                if key != "carries":
                    form_of(text)
                elif parse(text).letters:
                    return key, f"'{text}' has a letter other than p"
            except NoFit as reason:
                return key, str(reason)
        return ("t_c", "needs 'without', the curve without arithmetic") if self.t_c and not self.without else None

    def mistake_of_metric(self) -> tuple[str, str] | None:
        """Where both forms are needed, or none."""
        if bool(self.t_s) != bool(self.t_b):
            return "t_b" if self.t_s else "t_s", "missing: a metric needs both forms, or none"
        return ModelKeys.mistake(self)

    def points_by_ranks(self, results: Results, curve: str, quantity: str, over: str) -> "Points":
        from experiments.fits.rows import OF_A_MESSAGE, points_of, with_ranks

        ranks = self.ranks or ("ranks" if results.size == self.bytes else results.size)
        table = results.table
        if not self.ranks and ranks not in table.columns:
            table = with_ranks(table, ranks, OF_A_MESSAGE)
        found = points_of(table, curve, ranks, self.bytes, quantity, over)
        inside = {p: (n >= self.bytes_from) & (n <= self.bytes_to) for p, (n, _) in found.items()}
        return {p: (n[inside[p]], t[inside[p]]) for p, (n, t) in found.items() if inside[p].any()}

    def fitted_lines(self, results: Results, quantity: str, over: str, at: list[int] | None = None) -> "Lines":
        from experiments.fits.collective import fit_lines

        sets = [self.points_by_ranks(results, curve, quantity, over) for curve in ModelKeys.named_curves(self)]
        return fit_lines(sets[0], self.curve, sets[1] if self.without else None, at or self.at, self.errors)

    def metrics(self, results: Results, quantity: str, over: str, wanted: list[int]) -> "Metrics":
        """For these numbers of processors, which have to be measured if there are no forms."""
        from experiments.fits.collective import FittedCollective, Forms, fit_collective
        from experiments.fits.expressions import parse
        from experiments.fits.forms import form_of
        from experiments.fits.metrics import Metrics

        if not self.t_s:
            model = FittedCollective.of_lines(self.fitted_lines(results, quantity, over, wanted))
        else:
            forms = Forms(form_of(self.t_s), form_of(self.t_b), form_of(self.t_c) if self.t_c else None)
            model = fit_collective(self.fitted_lines(results, quantity, over), forms, self.curve, self.errors)
        return Metrics(model, parse(self.carries), self.curve)


class Fitted(Measure, ModelKeys):
    """A coefficient of a form fitted to the start-ups (t_s), the costs of a byte (t_b), or those of arithmetic on a
    byte (t_c); or the form's value for `p` processors."""

    how: Literal["fitted"]
    coefficient: str = ""
    p: int | None = None

    @property
    def gives(self) -> str:
        return "time" if self.t_s else "time per byte"

    def named_curves(self) -> list[str]:
        return ModelKeys.named_curves(self)

    def mistake(self) -> tuple[str, str] | None:
        given = [key for key in ("t_s", "t_b", "t_c") if getattr(self, key)]
        if len(given) != 1:
            return "t_s", "needs one of 't_s', 't_b', 't_c'"
        if found := ModelKeys.mistake(self):
            return found
        if (self.p is None) == (not self.coefficient):
            return "coefficient", "needs either 'coefficient' or 'p'"
        from experiments.fits.forms import form_of

        form = form_of(getattr(self, given[0]))
        if self.coefficient and self.coefficient not in form.letters:
            return "coefficient", f"'{form.text}' has no coefficient '{self.coefficient}'"
        return None

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        from experiments.fits.forms import fit_form, form_of

        try:
            lines = self.fitted_lines(results, self.quantity, self.over)
            values = lines.start_ups() if self.t_s else lines.per_byte() if self.t_b else lines.computing()
            form = form_of(self.t_s or self.t_b or self.t_c)
            fitted = fit_form(form, lines.ranks, values, self.curve, self.errors)
            return fitted.coefficient(self.coefficient) if self.coefficient else float(fitted.at([self.p])[0])
        except NoFit as reason:
            raise NoValue(str(reason)) from None

    def in_words(self) -> str:
        of = f"{self.coefficient} of {self.t_s or self.t_b or self.t_c}" if self.coefficient else f"at p = {self.p}"
        return f"{self.curve}, {of}{_at_in_words(self.at)}: "


def _at_in_words(at: list[int]) -> str:
    return f" by p = {', '.join(map(str, at))}" if at else ""


class OfMetric(Measure, ModelKeys):
    metric: Metric

    def named_curves(self) -> list[str]:
        return ModelKeys.named_curves(self)

    def mistake(self) -> tuple[str, str] | None:
        if self.metric == "r_cc" and not self.without:
            return "without", "missing: r_cc needs the curve without arithmetic"
        if self.metric == "r_cc" and self.t_b and not self.t_c:
            return "t_c", "missing: r_cc needs its form"
        return self.mistake_of_metric()


class MetricValue(OfMetric):
    """A metric of the fitted model for `p` processors; or its peak for 2 to `up_to`, or the least half-peak length."""

    how: Literal["metric"]
    p: int | None = None
    up_to: int | None = None

    @property
    def gives(self) -> str:
        return GIVES[self.metric]

    def mistake(self) -> tuple[str, str] | None:
        if (self.p is None) == (self.up_to is None):
            return "p", "needs either 'p' or 'up_to'"
        return OfMetric.mistake(self)

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        every = [self.p] if self.p is not None else list(range(2, self.up_to + 1))
        try:
            return self.metrics(results, self.quantity, self.over, every).extreme(self.metric, every).value
        except NoFit as reason:
            raise NoValue(str(reason)) from None

    def in_words(self) -> str:
        where = f"at p = {self.p}" if self.p is not None else f"of p up to {self.up_to}"
        return f"{self.curve}, {self.metric} {where}: "


class MetricFlat(OfMetric):
    """A metric's largest value for these numbers of processors exceeds its least by no more than the tolerance."""

    how: Literal["metric-flat"]
    p: list[int] = Field(min_length=2)
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        try:
            values = self.metrics(results, self.quantity, self.over, self.p).values(self.metric, self.p)
        except NoFit as reason:
            raise NoValue(str(reason)) from None
        spread = float(values.max() / values.min() - 1)
        seen = f"largest over smallest differs by {spread:.2%} ({self.curve})"
        return Shape(spread <= tolerance, seen, left_of(tolerance, spread))


class OfTwoModels(Measure):
    metric: Metric
    models: list[ModelKeys] = Field(min_length=2, max_length=2)

    def named_curves(self) -> list[str]:
        return [curve for model in self.models for curve in model.named_curves()]

    def mistake(self) -> tuple[str, str] | None:
        found = [model.mistake_of_metric() for model in self.models]
        return next((mistake for mistake in found if mistake), None)

    def shares(self, results: Results, every: list[int]) -> list[float]:
        """The first model's metric as a multiple of the second's."""
        try:
            first, second = (
                model.metrics(results, self.quantity, self.over, every).values(self.metric, every)
                for model in self.models
            )
        except NoFit as reason:
            raise NoValue(str(reason)) from None
        return (first / second).tolist()


class MetricOvertakes(OfTwoModels):
    """The number of processors, of those from 2 to `up_to`, from which on the first model's metric is nowhere below the
    second's."""

    how: Literal["metric-overtakes"]
    up_to: int
    gives: ClassVar[str] = "number"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> float:
        every = list(range(2, self.up_to + 1))
        below = [p for p, share in zip(every, self.shares(results, every), strict=True) if share < 1]
        if not below or below[-1] == self.up_to:
            never = "never below" if not below else f"below at p = {self.up_to}"
            raise NoValue(f"'{self.models[0].curve}' is {never} '{self.models[1].curve}'")
        return float(below[-1] + 1)

    def in_words(self) -> str:
        return f"{self.models[0].curve} above {self.models[1].curve} from p = "


class MetricGains(OfTwoModels):
    """From each of these numbers of processors to the next, the first model's metric grows as a multiple of the
    second's, but for the tolerance."""

    how: Literal["metric-gains"]
    p: list[int] = Field(min_length=2)
    gives: ClassVar[str] = "shape"

    def take(self, results: Results, claims: Mapping[str, float], tolerance: float) -> Shape:
        shares = self.shares(results, self.p)
        margin = min(apart(after, before * (1 - tolerance)) for before, after in pairwise(shares))
        seen = f"{shares[0]:.4g} times '{self.models[1].curve}' at {self.p[0]}, {shares[-1]:.4g} at {self.p[-1]}"
        return Shape(margin > 0, seen, margin)


REFITS = Fitted | MetricValue | MetricFlat | MetricOvertakes | MetricGains
