"""Which form suits measured values best, where nobody says: the one that best foretells each value from the others.

Costs add up: a form with two terms that grow with p is none of what was measured if one has to be taken off the other.
"""

from collections.abc import Iterable

import numpy as np

from experiments.fits.forms import FittedForm, Form, fit_form, form_of
from experiments.fits.names import Errors
from experiments.fits.problems import NoFit

# Simple ones first.
CANDIDATES = (
    *("a", "a log2 p", "a (p - 1)", "a p", "a p log2 p", "a p^1.5", "a p^2"),
    *("a + b log2 p", "a + b (p - 2)", "a p + b log2 p"),
)
# Another coefficient has to be worth it: errors that are larger by no more than these are as good.
AS_GOOD = 1.1
HARDLY_OFF = 1e-3


def best_form(ranks: object, values: object, what: str, errors: Errors = "absolute") -> FittedForm:
    """Of the forms with as few coefficients as can be."""
    p, measured = np.asarray(ranks, dtype=float), np.asarray(values, dtype=float)
    if len(p) < 2:
        return fit_form(form_of("a"), p, measured, what, errors)
    weight = 1 / np.abs(measured) if (measured > 0).all() else np.full(len(p), 1 / (np.abs(measured).max() or 1.0))
    judged = list(_judged([form_of(text) for text in CANDIDATES], p, measured, weight, errors))
    if not judged:
        raise NoFit(f"{what}: too few points to choose a form by")
    enough = AS_GOOD * min(error for error, _ in judged) + HARDLY_OFF
    fewest = min(len(form.letters) for error, form in judged if error <= enough)
    _, best = min(((error, form) for error, form in judged if len(form.letters) == fewest), key=lambda pair: pair[0])
    return fit_form(best, p, measured, what, errors)


def _judged(
    forms: Iterable[Form], p: np.ndarray, values: np.ndarray, weight: np.ndarray, errors: Errors
) -> Iterable[tuple[float, Form]]:
    """The root of the mean square of the weighted errors when each value is left out in turn, of each form that can be
    fitted to the others."""
    for form in forms:
        try:
            if not _adds_up(fit_form(form, p, values, "it", errors)):
                continue
            missed = [_missed(form, p, values, index, errors) for index in range(len(p))]
        except NoFit:
            continue
        yield float(np.sqrt(np.mean((np.array(missed) * weight) ** 2))), form


def _adds_up(fitted: FittedForm) -> bool:
    columns = fitted.form.columns(fitted.ranks)
    growing = fitted.squares.coefficients[(columns != columns[0]).any(axis=0)]
    return bool((growing >= 0).all() or (growing <= 0).all())


def _missed(form: Form, p: np.ndarray, values: np.ndarray, index: int, errors: Errors) -> float:
    others = np.arange(len(p)) != index
    fitted = fit_form(form, p[others], values[others], "it", errors)
    return float(fitted.at(p[index : index + 1])[0] - values[index])
