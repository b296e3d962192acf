"""Hockney's model of a message: T(n) = t_s + t_b n, of n bytes. Times in us."""

from dataclasses import dataclass

import numpy as np

from experiments.fits.least_squares import LeastSquares, least_squares
from experiments.fits.names import Errors
from experiments.fits.problems import NoFit


@dataclass(frozen=True)
class Hockney:
    start_up: float  # t_s, us
    per_byte: float  # t_b, us

    def at(self, length: object) -> np.ndarray:
        return self.start_up + self.per_byte * np.asarray(length, dtype=float)


@dataclass(frozen=True)
class FittedHockney:
    model: Hockney
    lengths: np.ndarray
    times: np.ndarray
    squares: LeastSquares  # of t_s and t_b


def fit_hockney(lengths: object, times: object, what: str, errors: Errors = "absolute") -> FittedHockney:
    n, t = np.asarray(lengths, dtype=float), np.asarray(times, dtype=float)
    if len(n) == 0:
        raise NoFit(f"{what}: there are no points")
    if len(np.unique(n)) < 2:
        raise NoFit(f"{what}: a line needs two lengths or more, and all points have {n[0]:g} bytes")
    if (t <= 0).any():
        raise NoFit(f"{what}: a time has to be above 0, and at {n[t <= 0][0]:g} bytes it is {t[t <= 0][0]:g} us")
    squares = least_squares(np.column_stack([np.ones_like(n), n]), t, what, errors)
    return FittedHockney(Hockney(*map(float, squares.coefficients)), n, t, squares)
