"""Forms of what depends on the number of processors, such as "a log2 p + b", and their fits to measured values."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from experiments.fits.expressions import RANKS, Expression, parse
from experiments.fits.least_squares import LeastSquares, least_squares
from experiments.fits.names import Errors
from experiments.fits.problems import NoFit

DIGITS = 4  # of a coefficient, as it is written
SOME_RANKS = np.array([2.0, 3.0, 8.0, 12.0])


@dataclass(frozen=True)
class Form:
    """Linear in its coefficients, which are letters; the rest is fixed."""

    expression: Expression

    @property
    def text(self) -> str:
        return self.expression.text

    @property
    def letters(self) -> tuple[str, ...]:
        return self.expression.letters

    def fixed(self, ranks: np.ndarray) -> np.ndarray:
        return self.expression.at(ranks, dict.fromkeys(self.letters, 0.0))

    def columns(self, ranks: np.ndarray) -> np.ndarray:
        """What each coefficient is multiplied with, a column each."""
        fixed = self.fixed(ranks)
        units = [{other: float(other == letter) for other in self.letters} for letter in self.letters]
        return np.column_stack([self.expression.at(ranks, unit) - fixed for unit in units])

    def at(self, ranks: object, coefficients: Sequence[float]) -> np.ndarray:
        return self.expression.at(ranks, dict(zip(self.letters, coefficients, strict=True)))

    def written(self, coefficients: Sequence[float]) -> str:
        """With numbers in the place of letters: "90.02 log2 p - 15"."""
        of = {letter: f"{x:.{DIGITS}g}" for letter, x in zip(self.letters, coefficients, strict=True)}
        text = re.sub(r"(?<![a-z])([a-z])(?![a-z0-9])", lambda found: of.get(found[1], found[1]), self.text)
        return re.sub(r"\+\s*-", "- ", text)


def form_of(text: str) -> Form:
    form = Form(parse(text))
    if not form.letters:
        raise NoFit(f"'{text}' has no coefficient: a letter other than {RANKS}, such as 'a log2 p'")
    if not _is_linear(form):
        raise NoFit(f"'{text}' is not linear in {', '.join(form.letters)}")
    return form


def _is_linear(form: Form) -> bool:
    some = [1.5 + index for index in range(len(form.letters))]
    expected = form.fixed(SOME_RANKS) + form.columns(SOME_RANKS) @ np.array(some)
    return bool(np.allclose(form.at(SOME_RANKS, some), expected))


@dataclass(frozen=True)
class FittedForm:
    form: Form
    ranks: np.ndarray  # that it was fitted to
    values: np.ndarray  # measured there
    squares: LeastSquares

    def at(self, ranks: object) -> np.ndarray:
        return self.form.at(ranks, self.squares.coefficients)

    @cached_property
    def coefficients(self) -> dict[str, float]:
        return dict(zip(self.form.letters, map(float, self.squares.coefficients), strict=True))

    def coefficient(self, letter: str) -> float:
        if letter not in self.coefficients:
            raise NoFit(f"'{self.form.text}' has no coefficient '{letter}'")
        return self.coefficients[letter]

    def written(self) -> str:
        return self.form.written(self.squares.coefficients)


def fit_form(form: Form, ranks: object, values: object, what: str, errors: Errors = "absolute") -> FittedForm:
    p, measured = np.asarray(ranks, dtype=float), np.asarray(values, dtype=float)
    squares = least_squares(form.columns(p), measured, f"{what} as {form.text}", errors, form.fixed(p))
    return FittedForm(form, p, measured, squares)
