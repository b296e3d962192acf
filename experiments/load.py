"""Reads an experiment file and checks it; what is wrong is said with file, line, column and key."""

import hashlib
import os
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ValidationError

from experiments.machines import machine_paths
from experiments.problems import Problem, did_you_mean
from experiments.schema import AnyExperiment, Check, Claim, Comparison, Curve, Experiment, Header, Steps
from experiments.toml_positions import Path as KeyPath
from experiments.toml_positions import Positions, positions_in
from experiments.units import UNITS, column_quantity

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class LoadedExperiment:
    path: Path
    data: AnyExperiment

    @property
    def is_comparison(self) -> bool:
        return isinstance(self.data, Comparison)

    def programs(self) -> list[str]:
        if isinstance(self.data, Comparison):
            return [self.data.algorithms.program]
        return list(dict.fromkeys(curve.program for curve in self.data.curve))

    def program(self, curve: Curve) -> Path:
        return self.path.parent / curve.program

    def runs_sha256(self) -> str:
        """Of what the results depend on: not of figure and claims."""
        parts = self.data.model_dump_json(include={"name", "machine", "sizes", "curve", "algorithms"}, by_alias=True)
        return hashlib.sha256(parts.encode()).hexdigest()


class Mistake(Exception):
    """In an experiment file, at a key."""

    def __init__(self, at: KeyPath, text: str):
        super().__init__(text)
        self.at = at


def load(path: Path) -> LoadedExperiment:
    try:
        text = path.read_text(encoding="utf-8")
        raw = tomllib.loads(text)
    except OSError as error:
        raise Problem(f"{shown(path)}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Problem(f"{shown(path)}: not UTF-8: {error.reason}") from error
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"{shown(path)}:{_place_in(str(error), text)}") from error
    positions = positions_in(text)
    try:
        experiment = _validated(raw, positions)
        _check(experiment, path)
    except Mistake as mistake:
        line, column = positions.nearest(mistake.at)
        key = ".".join(str(part) for part in mistake.at if isinstance(part, str))
        raise Problem(f"{shown(path)}:{line}:{column}: {key}: {mistake}") from None
    return LoadedExperiment(path, experiment)


def experiment_paths() -> list[Path]:
    """In the folders beside this file, one for each paper."""
    return sorted(FOLDER.glob("*/*.toml"))


def names() -> dict[str, Path]:
    """The name of every experiment; a file that cannot be read has none."""
    found: dict[str, Path] = {}
    for path in experiment_paths():
        try:
            name = tomllib.loads(path.read_text()).get("name")
        except (OSError, ValueError):
            continue
        if isinstance(name, str):
            if name in found:
                raise Problem(f"{shown(path)}: name: '{name}' is also that of {shown(found[name])}")
            found[name] = path
    return found


def find(name_or_path: str) -> LoadedExperiment:
    if "/" in name_or_path or name_or_path.endswith(".toml"):
        return load(Path(name_or_path))
    known = names()
    if name_or_path not in known:
        for path in experiment_paths():
            if path not in known.values():
                load(path)  # says what is wrong with it
        raise Problem(f"no experiment '{name_or_path}'{did_you_mean(name_or_path, known)}")
    return load(known[name_or_path])


def shown(path: Path) -> str:
    """As short as the user would write it."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("../..") else relative


def _place_in(message: str, text: str) -> str:
    """tomllib's "Expected '=' (at line 4, column 3)" as "4:3: Expected '='"."""
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", message)
    if not found:
        return f"1:1: {message}"
    lines = text.splitlines() or [""]
    line, column = found[2] or len(lines), found[3] or len(lines[-1]) + 1
    return f"{line}:{column}: {found[1]}"


# What pydantic says, in our words.
_EXPECTED = {
    "int": "a whole number",
    "float": "a number",
    "string": "a text in quotes",
    "bool": "true or false",
    "list": "a list",
    "model": "a table",
    "dict": "a table",
}


def _model_of(raw: dict) -> type[Header]:
    return Comparison if "algorithms" in raw else Experiment


def _validated(raw: dict, positions: Positions) -> AnyExperiment:
    try:
        return _model_of(raw).model_validate(raw)
    except ValidationError as failure:
        errors = [(_clean(error["loc"], raw), error) for error in failure.errors()]
        unknown = [found for found in errors if found[1]["type"] == "extra_forbidden"]  # may be why another is missing
        path, error = min(unknown or errors, key=lambda found: positions.nearest(found[0]))
        same = [other for other_path, other in errors if other_path == path]
        raise Mistake(path, _explained(path, error, same, raw)) from None


def _explained(path: KeyPath, error: dict, same: list[dict], raw: dict) -> str:
    kind = error["type"]
    if kind == "extra_forbidden":
        return f"unknown key{did_you_mean(str(path[-1]), _known_keys(path[:-1], raw))}"
    if kind == "missing":
        return "missing"
    if kind == "union_tag_not_found":
        return f"no key 'how'; there are {', '.join(_tags())}"
    if kind == "union_tag_invalid":
        return f"how: unknown measure '{error['ctx']['tag']}'{did_you_mean(error['ctx']['tag'], _tags())}"
    if kind == "literal_error":
        return f"{_quoted(error['input'])} is not one of {error['ctx']['expected']}"
    wanted = [_EXPECTED.get(other["type"].split("_")[0]) for other in same if other["type"].endswith("_type")]
    if wanted and all(wanted):
        return f"has to be {' or '.join(wanted)}, not {_quoted(error['input'])}"
    if kind == "string_pattern_mismatch":
        return f"{_quoted(error['input'])} does not match {error['ctx']['pattern']}"
    return error["msg"].replace("Input should", "has to").replace("should", "has to")


def _quoted(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return f"'{value}'" if isinstance(value, str) else str(value)


def _clean(loc: tuple, raw: object) -> KeyPath:
    """A path of the file's keys alone: pydantic puts the members of unions in between."""
    path: list[str | int] = []
    here = raw
    for index, part in enumerate(loc):
        is_last = index == len(loc) - 1
        if (isinstance(here, list) and isinstance(part, int)) or (isinstance(here, dict) and part in here):
            here = here[part]
        elif not (isinstance(here, dict) and is_last):
            continue
        path.append(part)
    return tuple(path)


def _known_keys(path: KeyPath, raw: object) -> list[str]:
    """Of the table at a path."""
    model, here = _model_of(raw), raw
    for part in path:
        here = here[part]
        if isinstance(part, str):
            field = next(field for name, field in model.model_fields.items() if part in (name, field.alias))
            models = _models_in(field.annotation)
            tag = here.get("how") if isinstance(here, dict) else None
            model = next((m for m in models if tag and _tag_of(m) == tag), models[0])
    return [field.alias or name for name, field in model.model_fields.items()]


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models_in(part)]


def _tag_of(model: type[BaseModel]) -> str | None:
    return get_args(model.model_fields["how"].annotation)[0] if "how" in model.model_fields else None


def _tags() -> list[str]:
    return [_tag_of(model) for model in _models_in(Check.model_fields["measure"].annotation)]


def _check(experiment: AnyExperiment, path: Path) -> None:
    """What no type can say."""
    machines = machine_paths()
    if experiment.machine.name not in machines:
        raise Mistake(
            ("machine", "name"),
            f"unknown machine '{experiment.machine.name}'{did_you_mean(experiment.machine.name, machines)}",
        )
    _check_sizes(experiment)
    if isinstance(experiment, Comparison):
        _check_algorithms(experiment, path)
        return
    _check_programs(experiment, path)
    _check_figure(experiment)
    _check_claims(experiment)


def _check_steps(values: list[int | Steps], at: KeyPath) -> None:
    for index, value in enumerate(values):
        if not isinstance(value, int) and (value.step is None) == (value.times is None):
            raise Mistake((*at, index), "needs either 'step' or 'times'")
        if not isinstance(value, int) and value.times and value.from_ < 1:
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
    if not (path.parent / program).is_file():
        files = path.parent.rglob("*")
        programs = [str(file.relative_to(path.parent)) for file in files if file.suffix in (".c", ".cpp", ".cc")]
        raise Mistake((*at, "program"), f"no file '{program}'{did_you_mean(program, programs)}")


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


def _check_figure(experiment: Experiment) -> None:
    for index, panel in enumerate(experiment.figure.panel if experiment.figure else []):
        at = ("figure", "panel", index)
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
    for key in ("curve", "curves"):
        if hasattr(measure, key):
            _check_curve_names(measure.named_curves(), experiment, (*at, "measure", key))
    for claim in measure.named_claims():
        if claim not in earlier:
            raise Mistake((*at, "measure", "of"), f"no earlier claim '{claim}'{did_you_mean(claim, earlier)}")
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


__all__ = ["Claim", "LoadedExperiment", "experiment_paths", "find", "load", "names", "shown"]
