"""--set operation=, ranks=, bytes= of an experiment with models: which curves are run, among how many processors, and
for which lengths. Several values are several points of one model, and no variants of the experiment."""

from dataclasses import replace

from experiments.changes import Changes
from experiments.load import LoadedExperiment
from experiments.problems import Problem, did_you_mean
from experiments.schema import Experiment

KEYS = ("operation", "ranks", "bytes")


def chosen(experiment: LoadedExperiment, changes: Changes) -> tuple[LoadedExperiment, Changes]:
    """The experiment as it is to be run, and what else is changed."""
    if experiment.is_comparison or experiment.data.models is None:
        return experiment, changes
    given = {key: (value,) for key, value in changes.fixed if key in KEYS}
    given |= {key: values for key, values in changes.grid if key in KEYS}
    if experiment.data.is_of_messages and "ranks" in given:
        raise Problem(f"--set ranks={','.join(given['ranks'])}: {experiment.data.name} is of messages between two")
    data = experiment.data
    for key, values in given.items():
        data = _CHOOSE[key](data, values)
    left = replace(
        changes,
        fixed=tuple(pair for pair in changes.fixed if pair[0] not in KEYS),
        grid=tuple(pair for pair in changes.grid if pair[0] not in KEYS),
        chosen=tuple((key, ",".join(given[key])) for key in KEYS if key in given),
    )
    return replace(experiment, data=data), left


def _operations(data: Experiment, names: tuple[str, ...]) -> Experiment:
    known = [curve.name for curve in data.curve if curve.model]
    for name in names:
        if name not in known:
            raise Problem(f"--set operation={name}: {data.name} has no such operation{did_you_mean(name, known)}")
    wanted = {curve.name: curve for curve in data.curve if curve.name in names}
    without = {curve.model.without for curve in wanted.values()}
    curves = [
        curve if curve.name in wanted else curve.model_copy(update={"model": None})
        for curve in data.curve
        if curve.name in wanted or curve.name in without
    ]
    return data.model_copy(update={"curve": curves, "claim": []})


def _ranks(data: Experiment, values: tuple[str, ...]) -> Experiment:
    sizes = data.sizes.model_copy(update={"values": _numbers("ranks", values, 2)})
    models = data.models.model_copy(update={"up_to": None})
    return data.model_copy(update={"sizes": sizes, "models": models, "claim": []})


def _bytes(data: Experiment, values: tuple[str, ...]) -> Experiment:
    if len(values) < 2:
        raise Problem(f"--set bytes={values[0]}: a line needs two lengths or more")
    lengths = _numbers("bytes", values, 0)
    if data.is_of_messages:
        return data.model_copy(update={"sizes": data.sizes.model_copy(update={"values": lengths}), "claim": []})
    models = data.models.model_copy(update={"bytes": lengths})
    return data.model_copy(update={"models": models, "claim": []})


_CHOOSE = {"operation": _operations, "ranks": _ranks, "bytes": _bytes}


def _numbers(key: str, values: tuple[str, ...], least: int) -> list[int]:
    for value in values:
        if not value.isdecimal() or int(value) < least:
            raise Problem(f"--set {key}={','.join(values)}: has to be whole numbers from {least} on")
    return [int(value) for value in values]
