"""Least squares for what is linear in its coefficients, with what is left over and how sure each coefficient is."""

from dataclasses import dataclass

import numpy as np

from experiments.fits.names import Errors
from experiments.fits.problems import NoFit
from experiments.fits.students_t import quantile

CONFIDENCE = 0.95
INDEPENDENT_MIN = 1e-10  # least singular value, of columns of length 1, of terms that can be told apart


@dataclass(frozen=True)
class LeastSquares:
    """The coefficients for which the sum of the squares of the errors is least."""

    coefficients: np.ndarray
    half_widths: np.ndarray | None  # of their intervals; None if there are no more points than coefficients
    residuals: np.ndarray  # what was measured less what is fitted
    relative: np.ndarray  # the same, as shares of what was measured

    @property
    def freedom(self) -> int:
        return len(self.residuals) - len(self.coefficients)

    @property
    def worst(self) -> float:
        """The largest relative error."""
        return float(np.abs(self.relative).max())


def least_squares(
    columns: np.ndarray, values: np.ndarray, what: str, errors: Errors = "absolute", fixed: np.ndarray | float = 0.0
) -> LeastSquares:
    """values = fixed + columns @ coefficients: `columns` has a row for each point and a column for each coefficient;
    `what` names the points in errors. With relative errors a point counts as a share of its value, so that small values
    count as much as large ones."""
    points, terms = columns.shape
    if points < terms:
        raise NoFit(f"{what}: {_counted(terms, 'coefficient')} as many points, and there {_are(points)}")
    if errors == "relative" and (values <= 0).any():
        raise NoFit(f"{what}: relative errors need values above 0, not {values[values <= 0][0]:g}")
    weights = 1 / values if errors == "relative" else np.ones(points)
    weighted, targets = columns * weights[:, None], (values - fixed) * weights
    lengths = np.linalg.norm(weighted, axis=0)
    if (lengths == 0).any():
        raise NoFit(f"{what}: a term is 0 at every point, so that any coefficient would do")
    u, singular, v = np.linalg.svd(weighted / lengths, full_matrices=False)
    if singular[-1] < INDEPENDENT_MIN:
        raise NoFit(f"{what}: these points cannot tell its terms apart")
    coefficients = v.T @ ((u.T @ targets) / singular) / lengths
    residuals = values - fixed - columns @ coefficients
    covariance = np.diag((v.T / singular**2) @ v) / lengths**2
    half_widths = None
    if points > terms:
        variance = float(((residuals * weights) ** 2).sum()) / (points - terms)
        half_widths = quantile(CONFIDENCE, points - terms) * np.sqrt(variance * covariance)
    relative = np.divide(residuals, values, out=np.zeros_like(residuals), where=values != 0)
    return LeastSquares(coefficients, half_widths, residuals, relative)


def _counted(count: int, word: str) -> str:
    return f"1 {word} needs" if count == 1 else f"{count} {word}s need"


def _are(points: int) -> str:
    return "is 1" if points == 1 else f"are {points}" if points else "are none"
