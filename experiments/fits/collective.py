"""Xu's and Hwang's model of a collective operation among p processors, T(n, p) = t_s(p) + t_b(p) n, where t_b is also
written 1/Bw, and its extension by the cost of arithmetic, t_c(p) n. Times in us.

First a line is fitted over the lengths for each p; then forms of p to the start-ups and the costs of a byte. What is
arithmetic is told by a second measurement, in which the operation does none.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from experiments.fits.forms import Form, fit_form
from experiments.fits.hockney import FittedHockney, fit_hockney
from experiments.fits.names import Errors
from experiments.fits.problems import NoFit

Points = Mapping[int, tuple[np.ndarray, np.ndarray]]  # lengths and times, for each number of processors


@dataclass(frozen=True)
class Lines:
    """A line over lengths for each number of processors, rising; `without` are those without arithmetic."""

    with_all: dict[int, FittedHockney]
    without: dict[int, FittedHockney] | None = None

    @property
    def ranks(self) -> np.ndarray:
        return np.array(list(self.with_all), dtype=float)

    def start_ups(self) -> np.ndarray:
        return np.array([line.model.start_up for line in self.with_all.values()])

    def per_byte(self) -> np.ndarray:
        return np.array([line.model.per_byte for line in (self.without or self.with_all).values()])

    def computing(self) -> np.ndarray:
        """Of a byte: what it costs with arithmetic less what it costs without."""
        if self.without is None:
            raise NoFit("arithmetic is told by a measurement without it, and there is none")
        return np.array([line.model.per_byte for line in self.with_all.values()]) - self.per_byte()


def fit_lines(
    points: Points, what: str, without: Points | None = None, at: Iterable[int] = (), errors: Errors = "absolute"
) -> Lines:
    """At these numbers of processors, or at all that were measured."""
    chosen = sorted(set(at)) or sorted(points)
    if not chosen:
        raise NoFit(f"{what}: there are no points")
    sets = [points] if without is None else [points, without]
    for several in sets:
        if missing := [p for p in chosen if p not in several]:
            raise NoFit(f"{what}: nothing was measured at p = {missing[0]}, but at {_listed(several)}")
    fitted = [{p: fit_hockney(*several[p], f"{what}, p = {p}", errors) for p in chosen} for several in sets]
    return Lines(fitted[0], fitted[1] if without is not None else None)


def _listed(points: Points) -> str:
    return ", ".join(map(str, sorted(points))) or "none"


@dataclass(frozen=True)
class Forms:
    start_up: Form
    per_byte: Form
    computing: Form | None = None


class OfRanks(Protocol):
    """What depends on the number of processors."""

    def at(self, ranks: object) -> np.ndarray: ...


@dataclass(frozen=True)
class Measured:
    """As it was found for each number of processors, without a form."""

    ranks: np.ndarray
    values: np.ndarray

    def at(self, ranks: object) -> np.ndarray:
        known = dict(zip(self.ranks.tolist(), self.values.tolist(), strict=True))
        wanted = np.atleast_1d(np.asarray(ranks, dtype=float)).tolist()
        if missing := [p for p in wanted if p not in known]:
            raise NoFit(f"nothing was measured at p = {missing[0]:g}, and there is no form to say it by")
        return np.array([known[p] for p in wanted])


@dataclass(frozen=True)
class FittedCollective:
    lines: Lines
    start_up: OfRanks  # t_s(p)
    per_byte: OfRanks  # t_b(p), without arithmetic if that was measured
    computing: OfRanks | None  # t_c(p)

    @staticmethod
    def of_lines(lines: Lines) -> "FittedCollective":
        """By the line of each number of processors alone."""
        computing = None if lines.without is None else Measured(lines.ranks, lines.computing())
        start_up, per_byte = Measured(lines.ranks, lines.start_ups()), Measured(lines.ranks, lines.per_byte())
        return FittedCollective(lines, start_up, per_byte, computing)

    def time(self, length: object, ranks: object) -> np.ndarray:
        of_byte = self.per_byte.at(ranks) + (self.computing.at(ranks) if self.computing else 0.0)
        return self.start_up.at(ranks) + of_byte * np.asarray(length, dtype=float)


def fit_collective(lines: Lines, forms: Forms, what: str, errors: Errors = "absolute") -> FittedCollective:
    computing = None
    if forms.computing is not None:
        computing = fit_form(forms.computing, lines.ranks, lines.computing(), f"{what}, t_c", errors)
    return FittedCollective(
        lines,
        fit_form(forms.start_up, lines.ranks, lines.start_ups(), f"{what}, t_s", errors),
        fit_form(forms.per_byte, lines.ranks, lines.per_byte(), f"{what}, t_b", errors),
        computing,
    )
