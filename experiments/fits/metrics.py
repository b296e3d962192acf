"""What a fitted model says of an operation. Rates are in bytes a us, which are 10^6 bytes a second.

By p, the number of processors: the specific performance 1/t_s, the asymptotic bandwidth 1/t_b, both also aggregated,
that is times the number of messages that the operation carries from one processor to another; the half-peak length
t_s/t_b; and r_cc, the time to carry a byte by the time to compute with it. Of all p: peaks, and the least length.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from experiments.fits.collective import FittedCollective
from experiments.fits.expressions import Expression
from experiments.fits.names import Metric
from experiments.fits.problems import NoFit

AS_GOOD = 1e-9  # relative: values that differ by less differ by how a computer rounds


@dataclass(frozen=True)
class Extreme:
    """The largest or the least value, and at how many processors it is."""

    value: float
    ranks: int


@dataclass(frozen=True)
class Metrics:
    model: FittedCollective
    carries: Expression  # how many times n bytes go from one processor to another: of a broadcast p - 1
    what: str

    def values(self, metric: Metric, ranks: Iterable[int]) -> np.ndarray:
        p = np.asarray(list(ranks), dtype=float)
        if len(p) == 0:
            raise NoFit(f"{self.what}: a metric needs a number of processors")
        of: dict[Metric, Callable[[np.ndarray], np.ndarray]] = {
            "specific performance": lambda p: 1 / self._start_up(p),
            "bandwidth": lambda p: 1 / self._per_byte(p),
            "aggregated specific performance": lambda p: self.carries.at(p) / self._start_up(p),
            "aggregated bandwidth": lambda p: self.carries.at(p) / self._per_byte(p),
            "half-peak length": lambda p: self._start_up(p) / self._per_byte(p),
            "r_cc": lambda p: self._per_byte(p) / self._computing(p),
        }
        return of[metric](p)

    def value(self, metric: Metric, ranks: int) -> float:
        return float(self.values(metric, [ranks])[0])

    def extreme(self, metric: Metric, ranks: Iterable[int]) -> Extreme:
        """The peak of a rate, or the least half-peak length; of equal ones that of the fewest processors."""
        every = list(ranks)
        values = self.values(metric, every)
        best = values.min() if metric == "half-peak length" else values.max()
        place = int(np.flatnonzero(np.isclose(values, best, rtol=AS_GOOD, atol=0))[0])
        return Extreme(float(values[place]), every[place])

    def _start_up(self, p: np.ndarray) -> np.ndarray:
        return self._above_0(self.model.start_up.at(p), p, "t_s")

    def _per_byte(self, p: np.ndarray) -> np.ndarray:
        return self._above_0(self.model.per_byte.at(p), p, "t_b")

    def _computing(self, p: np.ndarray) -> np.ndarray:
        if self.model.computing is None:
            raise NoFit(f"{self.what}: r_cc needs t_c, and arithmetic was not told from carrying")
        return self._above_0(self.model.computing.at(p), p, "t_c")

    def _above_0(self, values: np.ndarray, p: np.ndarray, name: str) -> np.ndarray:
        if (values <= 0).any():
            where = values <= 0
            raise NoFit(
                f"{self.what}: the fitted {name} is {values[where][0]:.4g} us at p = {p[where][0]:g}, not above 0"
            )
        return values
