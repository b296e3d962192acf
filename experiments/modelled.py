"""Models of all curves of an experiment that has [models]: what was fitted, and the metrics that follow."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from experiments.changes import Changes
from experiments.fits.choice import best_form
from experiments.fits.collective import FittedCollective, Lines, fit_lines
from experiments.fits.expressions import Expression, parse
from experiments.fits.forms import FittedForm, fit_form, form_of
from experiments.fits.metrics import Metrics
from experiments.fits.names import Errors
from experiments.fits.problems import NoFit
from experiments.fits.rows import OF_A_MESSAGE, points_of, with_ranks
from experiments.load import LoadedExperiment
from experiments.results import Results
from experiments.schema import Curve, Experiment, Models

LENGTH = "bytes"


@dataclass(frozen=True)
class Modelled:
    """An operation with its model."""

    name: str
    every: Lines  # of all numbers of processors that were measured
    model: FittedCollective  # its forms may be fitted to fewer
    carries: Expression
    ranks_max: int  # metrics are of 2 to so many

    @property
    def metrics(self) -> Metrics:
        return Metrics(self.model, self.carries, self.name)

    @property
    def of_measured(self) -> Metrics:
        """By the line of each number of processors."""
        return Metrics(FittedCollective.of_lines(self.every), self.carries, self.name)

    @property
    def ranks(self) -> range:
        """That peaks are looked for among: of an operation between two, these alone."""
        return range(2, self.ranks_max + 1) if len(self.every.with_all) > 1 else range(2, 3)

    def worst(self) -> float:
        """The largest relative error of the model at any measured point."""
        errors = [
            np.abs(self.model.time(line.lengths, np.full(len(line.lengths), p)) / line.times - 1).max()
            for p, line in self.every.with_all.items()
        ]
        return float(max(errors))


@dataclass(frozen=True)
class ModelSet:
    """All that was found for one choice of what is varied, such as one machine."""

    values: tuple[str, ...]  # of the keys that have several
    machine: str
    modelled: tuple[Modelled, ...]
    failures: tuple[str, ...]  # why there is no model of some


def model_sets(experiment: LoadedExperiment, results: Results, changes: Changes) -> list[ModelSet]:
    variants = changes.variants(experiment.data)
    return [
        _model_set(experiment.data, results.only(dict(zip(changes.varied, variant.values, strict=True))), variant)
        for variant in variants
    ]


def _model_set(data: Experiment, results: Results, variant) -> ModelSet:
    modelled, failures = [], []
    for curve in data.curve:
        if curve.model is None:
            continue
        try:
            modelled.append(_modelled(curve, data.models, results))
        except NoFit as reason:
            failures.append(str(reason))
    return ModelSet(variant.values, variant.machine, tuple(modelled), tuple(failures))


def _modelled(curve: Curve, models: Models, results: Results) -> Modelled:
    wanted, name = curve.model, curve.name
    table = results.table if results.size != LENGTH else with_ranks(results.table, "ranks", OF_A_MESSAGE)
    ranks = results.size if results.size != LENGTH else "ranks"
    sets = [points_of(table, of, ranks) for of in (name, wanted.without) if of]
    without = sets[1] if wanted.without else None
    every = fit_lines(sets[0], name, without, errors=models.errors)
    at = [p for p in models.at if p in every.with_all] or list(every.with_all)
    lines = fit_lines(sets[0], name, without, at, models.errors)
    parts = dict(_fitted_parts(curve, lines, models.errors))
    model = FittedCollective(lines, parts["t_s"], parts["t_b"], parts.get("t_c"))
    found = Modelled(name, every, model, parse(wanted.carries), models.up_to or max(every.with_all))
    found.metrics.values("half-peak length", found.ranks)  # has to be above 0 everywhere
    return found


def _fitted_parts(curve: Curve, lines: Lines, errors: Errors) -> Iterator[tuple[str, FittedForm]]:
    values = {"t_s": lines.start_ups(), "t_b": lines.per_byte()}
    if lines.without is not None:
        values["t_c"] = lines.computing()
    for part, found in values.items():
        what, form = f"{curve.name}, {part}", getattr(curve.model, part)
        # Differences of slopes may be 0 or below, so that they have no relative errors.
        of_part = "absolute" if (found <= 0).any() else errors
        if form:
            yield part, fit_form(form_of(form), lines.ranks, found, what, of_part)
        else:
            yield part, best_form(lines.ranks, found, what, of_part)
