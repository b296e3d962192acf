"""What an experiment file may not say though each key of it is right: names of nothing, axes that show nothing, claims
that nothing can meet."""

import re
from collections.abc import Iterable
from pathlib import Path

from experiments.machines import is_file_name, machine_paths
from experiments.model_checks import wrong_in_models
from experiments.problems import did_you_mean, did_you_mean_file
from experiments.schema import SIZE_UNITS, AnyExperiment, Axis, Check, Comparison, Experiment, MachineTable, Steps
from experiments.shell.compilers import is_source
from experiments.toml_positions import Path as KeyPath
from experiments.units import UNITS, column_quantity


class Mistake(Exception):
    """In an experiment file, at a key."""

    def __init__(self, at: KeyPath, text: str):
        super().__init__(text)
        self.at = at


def check(experiment: AnyExperiment, path: Path) -> None:
    """What no type can say."""
    _check_machines(experiment.machine, path)
    if len(set(experiment.machine.names)) < max(1, len(experiment.machine.names)):
        raise Mistake(("machine", "name"), "has to be a machine, or a list of different ones")
    if len(experiment.machine.names) > 1 and (isinstance(experiment, Comparison) or experiment.claim):
        raise Mistake(("machine", "name"), "claims, and comparisons of algorithms, are of one machine")
    _check_sizes(experiment)
    if isinstance(experiment, Comparison):
        _check_algorithms(experiment, path)
        return
    _check_programs(experiment, path)
    if experiment.models:
        _check_steps(experiment.models.bytes, ("models", "bytes"))
    if wrong := wrong_in_models(experiment):
        raise Mistake(*wrong)
    _check_figure(experiment)
    _check_claims(experiment)


def _check_machines(machine: MachineTable, path: Path) -> None:
    known = machine_paths()
    for name in machine.names:
        if is_file_name(name) and not Path(machine.found(name)).is_file():
            beside = [file.name for file in path.parent.glob("*.toml") if file != path]
            raise Mistake(("machine", "name"), f"no file '{name}'{did_you_mean(name, beside)}")
        if not is_file_name(name) and name not in known:
            meant = did_you_mean_file(name, known, path.parent)
            raise Mistake(("machine", "name"), f"unknown machine '{name}'{meant}")


def _check_steps(values: list[int | Steps], at: KeyPath) -> None:
    for index, value in enumerate(values):
        if isinstance(value, int):
            continue
        if (value.step is None) == (value.times is None):
            raise Mistake((*at, index), "needs either 'step' or 'times'")
        if value.from_ > value.to:
            raise Mistake((*at, index, "from"), f"{value.from_} is above 'to', which is {value.to}")
        if value.times and value.from_ < 1:
            raise Mistake((*at, index, "from"), "with 'times' it has to be at least 1")


def _check_algorithms(experiment: Comparison, path: Path) -> None:
    _check_program(experiment.algorithms.program, path, ("algorithms",))
    _check_steps(experiment.algorithms.ranks, ("algorithms", "ranks"))
    if min(experiment.algorithms.all_ranks()) < 2:
        raise Mistake(("algorithms", "ranks"), "has to be whole numbers from 2 on")
    if not isinstance(experiment.machine.ranks, int) or experiment.machine.ranks < 2:
        raise Mistake(("machine", "ranks"), "has to be a whole number from 2 on")
    for operation in experiment.algorithms.also:
        if operation not in experiment.algorithms.operations:
            others = did_you_mean(operation, experiment.algorithms.operations)
            raise Mistake(("algorithms", "also", operation), f"no operation '{operation}' in 'operations'{others}")
    if any(size % 8 for size in (*experiment.sizes.all(), *experiment.algorithms.bytes)):
        raise Mistake(("sizes", "values"), "sizes have to be whole doubles of 8 bytes")


def _check_sizes(experiment: AnyExperiment) -> None:
    _check_steps(experiment.sizes.values, ("sizes", "values"))
    ranks, size = experiment.machine.ranks, experiment.sizes.name
    if ranks != size and (isinstance(ranks, str) or ranks < 1):
        raise Mistake(("machine", "ranks"), f"has to be a whole number from 1 on, or '{size}'")
    for index, setting in enumerate(experiment.machine.set):
        _check_setting(setting, ("machine", "set", index))


def _check_setting(setting: str, at: KeyPath) -> None:
    if not re.fullmatch(r"[^=\s]+=.+", setting):
        raise Mistake(at, f"'{setting}' is not 'key=value'")


def _check_program(program: str, path: Path, at: KeyPath) -> None:
    file = path.parent / program
    if not file.is_file():
        programs = [str(one.relative_to(path.parent)) for one in path.parent.rglob("*") if is_source(one)]
        raise Mistake((*at, "program"), f"no file '{program}'{did_you_mean(program, programs)}")
    if not is_source(file):
        known = "C (.c), C++ (.cc, .cpp, .cxx, .C) or Fortran (.f, .F, .f90, .F90, ...)"
        raise Mistake((*at, "program"), f"'{program}' is no source in {known}, by its ending")


def _check_programs(experiment: Experiment, path: Path) -> None:
    seen = set()
    for index, curve in enumerate(experiment.curve):
        at = ("curve", index)
        if curve.name in seen:
            raise Mistake((*at, "name"), f"there is a curve '{curve.name}' already")
        seen.add(curve.name)
        _check_program(curve.program, path, at)
        for key, texts in (("arguments", curve.arguments or []), ("set", curve.set)):
            for number, text in enumerate(texts):
                _check_size_in(text, experiment, (*at, key, number))
        for number, setting in enumerate(curve.set):
            _check_setting(setting, (*at, "set", number))


def _check_size_in(text: str, experiment: Experiment, at: KeyPath) -> None:
    """That a name in braces is the size's."""
    for name in re.findall(r"\{(.*?)\}", text):
        if name != experiment.sizes.name:
            raise Mistake(at, f"unknown name '{{{name}}}'{did_you_mean(name, [experiment.sizes.name])}")


def _check_curve_names(names: list[str], experiment: Experiment, at: KeyPath) -> None:
    known = [curve.name for curve in experiment.curve]
    for name in names:
        if name not in known:
            raise Mistake(at, f"no curve '{name}'{did_you_mean(name, known)}")


def _check_axis(axis: Axis, at: KeyPath) -> None:
    low, high = axis.range or (None, None)
    if axis.range and low >= high:
        raise Mistake((*at, "range"), f"is the wrong way round: [{high:g}, {low:g}]" if low > high else "is empty")
    if axis.range and axis.is_logarithmic and low <= 0:
        raise Mistake((*at, "range"), f"a logarithmic axis has only numbers above 0, not {low:g}")


def _check_x_axis(experiment: Experiment) -> None:
    axis, at = experiment.figure.x, ("figure", "x")
    _check_axis(axis, at)
    if axis.unit in SIZE_UNITS and experiment.sizes.name != "bytes":
        raise Mistake((*at, "unit"), f"sizes in {axis.unit} need a size called 'bytes', not '{experiment.sizes.name}'")
    if axis.is_logarithmic and not axis.range and min(experiment.sizes.all()) <= 0:
        smallest = min(experiment.sizes.all())
        raise Mistake((*at, "scale"), f"a logarithmic axis has only numbers above 0, and a size is {smallest}")


def _check_figure(experiment: Experiment) -> None:
    if experiment.figure:
        _check_x_axis(experiment)
    for index, panel in enumerate(experiment.figure.panel if experiment.figure else []):
        at = ("figure", "panel", index)
        _check_axis(panel.y, (*at, "y"))
        _check_curve_names(panel.curves, experiment, (*at, "curves"))
        _check_curve_names(panel.difference or [], experiment, (*at, "difference"))
        quantity = column_quantity(panel.quantity)
        if panel.y.unit not in UNITS[quantity]:
            raise Mistake((*at, "y", "unit"), _unknown_unit(panel.y.unit, quantity, UNITS[quantity]))
        for number, published in enumerate(panel.published):
            if published.curve:
                _check_curve_names([published.curve], experiment, (*at, "published", number, "curve"))
            if any(len(point) not in (2, 3) for point in published.points):
                raise Mistake(
                    (*at, "published", number, "points"), "each point is [size, value] or [size, value, error]"
                )


def _unknown_unit(unit: str, quantity: str, known: Iterable[str]) -> str:
    return f"unknown unit of a {quantity} '{unit}'{did_you_mean(unit, [other for other in known if other])}"


def _check_claims(experiment: Experiment) -> None:
    earlier: list[str] = []
    for index, claim in enumerate(experiment.claim):
        if claim.id in earlier:
            raise Mistake(("claim", index, "id"), f"there is a claim {claim.id} already")
        _check_claim(claim, experiment, earlier, ("claim", index))
        for number, also in enumerate(claim.also):
            _check_claim(also, experiment, earlier, ("claim", index, "also", number))
        earlier.append(claim.id)


def _check_claim(check: Check, experiment: Experiment, earlier: list[str], at: KeyPath) -> None:
    measure = check.measure
    for key in ("curve", "curves", "models"):
        if hasattr(measure, key):
            _check_curve_names(measure.named_curves(), experiment, (*at, "measure", key))
    for claim in measure.named_claims():
        if claim not in earlier:
            raise Mistake((*at, "measure", "of"), f"no earlier claim '{claim}'{did_you_mean(claim, earlier)}")
    if found := measure.mistake():
        raise Mistake((*at, "measure", found[0]), found[1])
    if check.between and check.between[0] >= check.between[1]:
        raise Mistake((*at, "between"), f"has nothing between {check.between[0]:g} and {check.between[1]:g}")
    bounds = [check.tolerance is not None, check.factor is not None, check.between is not None, check.exact]
    if measure.gives == "shape":
        if not isinstance(check.published, str):
            raise Mistake((*at, "published"), "a shape is published as a sentence")
        if bounds != [True, False, False, False]:
            raise Mistake((*at, "tolerance"), "a shape needs a 'tolerance', and nothing else")
        return
    if isinstance(check.published, str):
        raise Mistake((*at, "published"), f"has to be a number, as '{measure.how}' gives one")
    if sum(bounds) != 1:
        raise Mistake((*at, "tolerance"), "needs one of 'tolerance', 'factor', 'between', 'exact'")
    known = ["", experiment.sizes.name] if measure.gives == "number" else UNITS[measure.gives]
    if check.unit not in known:
        raise Mistake((*at, "unit"), _unknown_unit(check.unit, measure.gives, known))
