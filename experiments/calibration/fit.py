"""Least squares over what is wanted, in parameters as multiples of what they were. The simulation is asked for every
value; how well each parameter is determined follows from how the values move."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from experiments.calibration.targets import NoNumber, Target
from experiments.problems import Problem
from experiments.runner import Show
from experiments.uncertainty.parameters import Parameter
from experiments.uncertainty.samples import Draw

if TYPE_CHECKING:
    import numpy as np

STEP = 0.01  # of a parameter, for how values move with it
FURTHEST = 10.0  # times as much or as little as it was
SETTLED = 1e-4
UNMOVED = 0.01  # of what is allowed: a parameter that moves no number so far if it is doubled stays as it is
LEAST = 1.0  # of what is allowed, by which numbers move with all of the parameters' values in a direction that is known
TOLD_APART = 0.95  # two parameters that are more alike than that cannot be


@dataclass(frozen=True)
class Fit:
    parameters: list[Parameter]
    multiples: "np.ndarray"  # of what each was
    before: "np.ndarray"  # what was simulated
    after: "np.ndarray"
    jacobian: "np.ndarray"  # of how far off, by multiples, where the fit ended
    evaluations: int

    def value(self, index: int) -> float:
        return self.parameters[index].value * float(self.multiples[index])

    def values(self) -> dict[str, float]:
        """Of those that moved: what nothing determines is no fit's."""
        return {one.key: self.value(index) for index, one in enumerate(self.parameters) if self.multiples[index] != 1}

    def followers(self) -> dict[str, float]:
        """What follows from these, and is not fitted itself."""
        values = self.values()
        return {
            follower.key: follower.after(values[one.key], one.value)
            for one in self.parameters
            if one.key in values
            for follower in one.followers
            if follower.key not in values
        }

    def ranges(self) -> dict[str, tuple[float, float]]:
        """Two deviations either way, of those whose deviation is known."""
        import numpy as np

        deviations, found = self.deviations(), {}
        for index, one in enumerate(self.parameters):
            away = 2 * float(deviations[index]) * one.value
            if self.multiples[index] != 1 and np.isfinite(away):
                found[one.key] = (max(self.value(index) - away, one.value / FURTHEST), self.value(index) + away)
        return found

    def is_at_its_bound(self, index: int) -> bool:
        times = float(self.multiples[index])
        return times > 0.999 * FURTHEST or times < 1.001 / FURTHEST

    def covariance(self) -> "np.ndarray":
        """With one step off for each number as its standard deviation. What nothing determines is infinite."""
        import numpy as np

        _, lengths, directions = np.linalg.svd(self.jacobian, full_matrices=False)
        known = lengths > LEAST
        scaled = directions[known].T / lengths[known]
        covariance = scaled @ scaled.T
        if not known.all() or len(lengths) < len(self.parameters):
            unknown = np.ones(len(self.parameters)) - (directions[known] ** 2).sum(axis=0) > 1e-6
            covariance[unknown, :] = covariance[:, unknown] = np.inf
        return covariance

    def deviations(self) -> "np.ndarray":
        import numpy as np

        return np.sqrt(np.diag(self.covariance()))

    def alike(self) -> list[tuple[str, str, float]]:
        """Pairs of parameters that no number tells apart, with their correlation."""
        import numpy as np

        _, lengths, directions = np.linalg.svd(self.jacobian, full_matrices=False)
        scaled = directions.T / np.maximum(lengths, LEAST)  # what is unknown is so far only
        covariance, moved, found = scaled @ scaled.T, np.linalg.norm(self.jacobian, axis=0) > UNMOVED, []
        for first in range(len(self.parameters)):
            for second in range(first):
                if not (moved[first] and moved[second]):
                    continue
                product = covariance[first, first] * covariance[second, second]
                correlation = float(covariance[first, second] / np.sqrt(product))
                if abs(correlation) > TOLD_APART:
                    found.append((self.parameters[second].key, self.parameters[first].key, correlation))
        return found


def draw_of(parameters: list[Parameter], multiples) -> Draw:
    """Six digits of each, so that the same values are the same draw."""
    pairs = zip(parameters, multiples, strict=True)
    return Draw(tuple((one, float(f"{one.value * float(times):.6g}")) for one, times in pairs))


class _Distances:
    """How far off each number is, at multiples of the parameters, and how that moves with them."""

    def __init__(self, target: Target, parameters: list[Parameter], show: Show | None) -> None:
        self._target = target
        self._parameters = parameters
        self._show = show
        self.evaluations = 0

    def simulated(self, multiples) -> "np.ndarray":
        self.evaluations += 1
        if self._show:
            self._show(self.evaluations, None)
        return self._target.simulated(draw_of(self._parameters, multiples))

    def at(self, multiples) -> "np.ndarray":
        return offs(self._target, self.simulated(multiples))

    def tried_at(self, multiples) -> "np.ndarray":
        """Infinitely far off where a number is none: a shorter way is tried then."""
        import numpy as np

        try:
            return self.at(multiples)
        except NoNumber:
            return np.full(len(self._target.wanted), np.inf)

    def slopes(self, multiples, of) -> "np.ndarray":
        """By each of these parameters, in a column of its own; 0 in the others'."""
        import numpy as np

        here = self.at(multiples)
        columns = np.zeros((len(here), len(self._parameters)))
        for index in of:
            columns[:, index] = self._slope(multiples, index, here)
        return columns

    def _slope(self, multiples, index: int, here) -> "np.ndarray":
        """Between here and a step up, or, if a number is none there, a step down."""
        try:
            return (self.at(_stepped(multiples, index, STEP)) - here) / STEP
        except NoNumber:
            return (here - self.at(_stepped(multiples, index, -STEP))) / STEP


def fit(target: Target, parameters: list[Parameter], show: Show | None = None) -> Fit:
    import numpy as np
    from scipy.optimize import least_squares

    if len(target.wanted) < len(parameters):
        raise Problem(f"{len(parameters)} parameters cannot be fitted to {len(target.wanted)} numbers")
    distances = _Distances(target, parameters, show)
    start = np.ones(len(parameters))
    moving = np.flatnonzero(np.linalg.norm(distances.slopes(start, range(len(parameters))), axis=0) > UNMOVED)
    if not moving.size:
        raise Problem("no parameter moves any of the numbers")
    steps = {one.key: draw_of(parameters, _stepped(start, index, STEP)) for index, one in enumerate(parameters)}
    target.learn(draw_of(parameters, start), steps)

    def whole(multiples) -> "np.ndarray":
        every = start.copy()
        every[moving] = multiples
        return every

    ended = least_squares(
        lambda some: distances.tried_at(whole(some)),
        start[moving],
        jac=lambda some: distances.slopes(whole(some), moving)[:, moving],
        bounds=(start[moving] / FURTHEST, start[moving] * FURTHEST),
        xtol=SETTLED,
        ftol=SETTLED,
        gtol=SETTLED,
    )
    jacobian = np.zeros((len(target.wanted), len(parameters)))
    jacobian[:, moving] = ended.jac
    found = whole(ended.x)
    before, after = distances.simulated(start), distances.simulated(found)
    return Fit(parameters, found, before, after, jacobian, distances.evaluations)


def _stepped(multiples, index: int, step: float) -> "np.ndarray":
    import numpy as np

    moved = np.array(multiples, dtype=float)
    moved[index] += step
    return moved


def offs(target: Target, simulated) -> "np.ndarray":
    import numpy as np

    return np.array([wanted.off(value) for wanted, value in zip(target.wanted, simulated, strict=True)])


def left_out(target: Target, found: Fit, show: Show | None = None) -> list[float]:
    """What each number comes to if the parameters are fitted to all others. The others' fit is one step of Gauss and
    Newton from the whole fit; the number is simulated there, and is none (NaN) if there is no such number."""
    import numpy as np

    here, values = offs(target, found.after), []
    for index in range(len(target.wanted)):
        others = [other for other in range(len(target.wanted)) if other != index]
        step = _step(found.jacobian[others], -here[others])
        multiples = np.clip(found.multiples + step, 1 / FURTHEST, FURTHEST)
        try:
            values.append(target.one(index, draw_of(found.parameters, multiples)))
        except NoNumber:
            values.append(math.nan)
        if show:
            show(index + 1, len(target.wanted))
    return values


@dataclass(frozen=True)
class Profile:
    """How much worse the fit gets where a parameter is held two deviations away and the others follow: 4 each way if
    the numbers move in proportion; without end if there a number is none."""

    key: str
    below: float
    above: float


def profiles(target: Target, found: Fit, show: Show | None = None) -> list[Profile]:
    import numpy as np

    least, deviations, profiled = float((offs(target, found.after) ** 2).sum()), found.deviations(), []
    for index, parameter in enumerate(found.parameters):
        if show:
            show(index, len(found.parameters))
        if not np.isfinite(deviations[index]):
            profiled.append(Profile(parameter.key, 0.0, 0.0))
            continue
        worse = [_worse(target, found, index, way * 2 * deviations[index]) - least for way in (-1, 1)]
        profiled.append(Profile(parameter.key, *worse))
    return profiled


def _worse(target: Target, found: Fit, index: int, away: float) -> float:
    import numpy as np

    others = [other for other in range(len(found.parameters)) if other != index]
    multiples = np.array(found.multiples, dtype=float)
    multiples[index] += away
    if others:
        after = offs(target, found.after) + found.jacobian[:, index] * away
        multiples[others] += _step(found.jacobian[:, others], -after)
    multiples = np.clip(multiples, 1 / FURTHEST, FURTHEST)
    try:
        return float((offs(target, target.simulated(draw_of(found.parameters, multiples))) ** 2).sum())
    except NoNumber:
        return math.inf


def _step(jacobian, wanted) -> "np.ndarray":
    """Of least squares; nothing goes in directions that are not known."""
    import numpy as np

    most = np.linalg.norm(jacobian, 2)
    return np.linalg.lstsq(jacobian, wanted, rcond=LEAST / most if most > LEAST else 1.0)[0]
