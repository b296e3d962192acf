"""What claims about a machine come to with one of its numbers changed, and what was fitted by arithmetic on it anew."""

from dataclasses import replace

from experiments.calibration.targets import taken
from experiments.score import score_experiment
from experiments.uncertainty.parameters import arithmetic_of, numbers_of
from experiments.uncertainty.samples import Draw
from experiments.uncertainty.study import AS_IT_IS


def scores_with(every, machine, key, value):
    """{id: score}, with a value in the unit of the file."""
    (number,) = [number for number in numbers_of(machine) if number.key == key]
    return _scores(every, Draw(((replace(number, arithmetic=arithmetic_of(machine)), value),)))


def scores_as_it_is(every):
    return _scores(every, AS_IT_IS)


def changed(was, becomes, fits):
    """Claims with another verdict; or, if the number was fitted to it, with another one of any of their checks."""
    return {
        claim
        for claim, score in becomes.items()
        if score.holds != was[claim].holds or (claim == fits and score.checks != was[claim].checks)
    }


def _scores(every, draw):
    return {
        score.id: score for samples in every for score in score_experiment(samples.experiment, taken(samples, draw))
    }
