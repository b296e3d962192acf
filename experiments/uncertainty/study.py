"""A machine's uncertain parameters, as far as one experiment notices them, drawn at once: shares, bands, effects."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from experiments.changes import Changes
from experiments.load import LoadedExperiment, load, names
from experiments.problems import Problem
from experiments.results import Results
from experiments.runner import compiled
from experiments.score import Score, score_experiment
from experiments.uncertainty.bands import Band, Line, Place, bands
from experiments.uncertainty.design import Design, make_design
from experiments.uncertainty.effects import Effect, total_effects
from experiments.uncertainty.limits import Limits
from experiments.uncertainty.parameters import Parameter, limits_of, tied_numbers, uncertain_parameters
from experiments.uncertainty.samples import Draw, Samples, files_now
from experiments.uncertainty.shares import ClaimShare, claim_shares

AS_IT_IS = Draw(())
LinesOf = Callable[[LoadedExperiment, Results], dict[Place, Line]]  # what a figure shows of results


@dataclass(frozen=True)
class Request:
    method: str
    samples: int
    seed: int
    keys: tuple[str, ...] = ()  # only these parameters


@dataclass(frozen=True)
class Study:
    experiment: LoadedExperiment
    as_it_is: Results  # with no parameter changed
    changes: Changes
    design: Design
    parameters: list[Parameter]  # those that were drawn
    unnoticed: list[Parameter]  # those that change nothing at either end of their ranges
    draws: int  # that shares and bands count
    failures: list[str]  # of each draw whose runs failed
    shares: list[ClaimShare]
    bands: dict[Place, Band]
    effects: list[Effect]


def experiments_of(machine: str) -> list[LoadedExperiment]:
    """Those with claims about a machine."""
    every = [load(path) for path in names().values()]
    return [one for one in every if one.data.claim and one.data.machine.is_only(machine)]


def tolerances(besides: LoadedExperiment) -> dict[str, float]:
    """Of all claims that have a relative one, of the project's experiments and of one that may be the user's."""
    every = [*(load(path) for path in names().values()), besides]
    claims = [claim for experiment in every for claim in experiment.data.claim]
    return {claim.id: claim.tolerance for claim in claims if claim.tolerance}


def chosen_parameters(
    machine: str, keys: tuple[str, ...], experiment: LoadedExperiment, tied: bool = False
) -> list[Parameter]:
    """The uncertain ones; or those that are so many times another."""
    every = tied_numbers(machine) if tied else uncertain_parameters(machine, tolerances(experiment))
    sort = "number that is so many times another" if tied else "number that could be otherwise"
    known = {parameter.key for parameter in every}
    for key in keys:
        if key not in known:
            raise Problem(f"--only {key}: no {sort}, of {machine}")
    found = [parameter for parameter in every if not keys or parameter.key in keys]
    if not found:
        raise Problem(f"{machine} has no {sort}")
    return found


def study(
    experiment: LoadedExperiment,
    machine: str,
    request: Request,
    out: Path,
    lines_of: LinesOf,
    progress: Callable[[str], object],
) -> Study:
    files = files_now(experiment, machine)
    parameters = chosen_parameters(machine, request.keys, experiment)
    name = experiment.data.name
    sources = [experiment.path.parent / program for program in experiment.programs()]
    with compiled(sources) as programs:
        samples = Samples(experiment, machine, out / "samples", programs, limits_of(machine), files)
        samples.open()
        with progress(f"{name}: which parameters it notices") as show:
            noticed = _noticed(samples, parameters, show)
        design = make_design(request.method, [parameter.key for parameter in noticed], request.samples, request.seed)
        draws = [drawn(noticed, row, samples.limits) for row in design.draws]
        with progress(f"{name}: draws") as show:
            samples.take(draws, show)
        unnoticed = [parameter for parameter in parameters if parameter not in noticed]
        return _summary(samples, design, draws, noticed, unnoticed, lines_of)


def _noticed(samples: Samples, parameters: list[Parameter], show) -> list[Parameter]:
    """Those whose ends change anything that is measured. One that matters only beside others' changes is missed."""
    ends = {one: [Draw(((one, end),)) for end in (one.low, one.high)] for one in parameters}
    samples.take([AS_IT_IS, *(draw for draws in ends.values() for draw in draws)], show)
    if samples.results(AS_IT_IS) is None:
        raise Problem(samples.failure(AS_IT_IS))
    return [one for one, draws in ends.items() if any(samples.differs(AS_IT_IS, draw) for draw in draws)]


def drawn(parameters: list[Parameter], row, limits: Limits) -> Draw:
    """Those that others bound come last, each at its place in what these leave."""
    places = [(parameter, float(share)) for parameter, share in zip(parameters, row, strict=True)]
    free = Draw(tuple((one, one.at(share)) for one, share in places if one.key not in limits))
    most = {one.key: limits.most(one.key, free.settings()) for one in parameters if one.key in limits}
    return Draw((*free.values, *((one, one.at(share, most[one.key])) for one, share in places if one.key in most)))


def _summary(
    samples: Samples,
    design: Design,
    draws: list[Draw],
    noticed: list[Parameter],
    unnoticed: list[Parameter],
    lines_of: LinesOf,
) -> Study:
    experiment = samples.experiment
    results = [samples.results(draw) for draw in draws]
    scores = [score_experiment(experiment, one) if one else None for one in results]
    lines = [lines_of(experiment, one) if one else None for one in results]
    counted = [index for index in design.independent() if results[index] is not None]
    if not counted:
        raise Problem(f"{experiment.data.name}: every draw failed: {samples.failure(draws[0])}")
    return Study(
        experiment,
        samples.results(AS_IT_IS),
        Changes(),
        design,
        noticed,
        unnoticed,
        len(counted),
        list(filter(None, map(samples.failure, draws))),
        claim_shares([scores[index] for index in counted]),
        bands([lines[index] for index in counted]),
        total_effects(design, {**_values(scores), **_heights(lines)}),
    )


def _values(scores: list[list[Score] | None]) -> dict[str, list[float | None]]:
    """What each claim came to in each draw; of a shape whether it held."""
    known = next(one for one in scores if one is not None)
    return {claim.id: [_value(one, index) for one in scores] for index, claim in enumerate(known)}


def _value(scores: list[Score] | None, index: int) -> float | None:
    if scores is None:
        return None
    score = scores[index]
    return score.simulated if isinstance(score.simulated, float) else float(score.holds is True)


def _heights(lines: list[dict[Place, Line] | None]) -> dict[str, list[float | None]]:
    """The mean over all sizes of each line of the figure's first panel."""
    known = next(one for one in lines if one is not None)
    return {
        mean_of(label): [None if one is None else float(one[panel, label][1].mean()) for one in lines]
        for panel, label in known
        if panel == 0
    }


def mean_of(label: str) -> str:
    """What the effects on the mean of a line are told as."""
    return f"{label} (mean of the line)"
