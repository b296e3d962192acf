"""Reads an experiment file and checks it; what is wrong is said with file, line, column and key."""

import hashlib
import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ValidationError

from experiments.checks import Mistake, check
from experiments.problems import Problem, did_you_mean, did_you_mean_file
from experiments.schema import (
    AnyExperiment,
    Check,
    Claim,
    Comparison,
    Curve,
    Experiment,
    Header,
)
from experiments.toml_positions import Path as KeyPath
from experiments.toml_positions import Positions, positions_in

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class LoadedExperiment:
    path: Path
    data: AnyExperiment
    given: str = ""  # as the user named it
    command: str = ""  # that makes its results, if it is no experiment's file

    @property
    def results_name(self) -> str:
        """Of the results: those of a file of one's own are kept apart from those of the project's experiment whose name
        it has."""
        is_the_projects = self.path.resolve().parent.parent == FOLDER  # no other of the project's has its name
        return self.data.name if is_the_projects or self.data.name not in names() else f"{self.data.name}.own"

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
        of_runs = {"name": True, "machine": True, "sizes": True, "algorithms": True, "models": {"bytes"}}
        of_runs["curve"] = {"__all__": {"name", "program", "arguments", "set", "coll"}}
        parts = self.data.model_dump_json(include=of_runs, exclude=self._not_there(), by_alias=True)
        parts += "".join(curve.name for curve in getattr(self.data, "curve", []) if curve.arithmetic == "free")
        return hashlib.sha256(parts.encode()).hexdigest()

    def _not_there(self) -> set[str]:
        return {"models"} if getattr(self.data, "models", None) is None else set()


def load(path: Path, given: str = "") -> LoadedExperiment:
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
        experiment.machine.lies_in(path.parent)
        check(experiment, path)
    except Mistake as mistake:
        line, column = positions.nearest(mistake.at)
        key = ".".join(str(part) for part in mistake.at if isinstance(part, str))
        raise Problem(f"{shown(path)}:{line}:{column}: {key}: {mistake}") from None
    return LoadedExperiment(path, experiment, given or experiment.name)


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
        return load(Path(name_or_path), name_or_path)
    known = names()
    if name_or_path not in known:
        for path in experiment_paths():
            if path not in known.values():
                load(path)  # says what is wrong with it
        meant = did_you_mean_file(name_or_path, known)
        hint = meant if meant.endswith("?") else " ('hindcast experiment list' lists them)"
        raise Problem(f"no experiment '{name_or_path}'{hint}")
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
        errors = _innermost([(_clean(error["loc"], raw, error["type"]), error) for error in failure.errors()])
        unknown = [found for found in errors if found[1]["type"] == "extra_forbidden"]  # may be why another is missing
        path, error = min(unknown or errors, key=lambda found: positions.nearest(found[0]))
        same = [other for other_path, other in errors if other_path == path]
        raise Mistake(path, _explained(path, error, same, raw)) from None


def _innermost(errors: list[tuple[KeyPath, dict]]) -> list[tuple[KeyPath, dict]]:
    """A table that one sort of value may be is not what another sort may be: if a key in it is wrong, only that is."""
    paths = [path for path, _ in errors]
    return [found for found in errors if not any(path[:-1] == found[0] for path in paths)]


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
    if any(other["type"] == "finite_number" for other in same):
        return "has to be a finite number"
    wanted = [_EXPECTED.get(other["type"].split("_")[0]) for other in same if other["type"].endswith("_type")]
    if wanted and all(wanted):
        return f"has to be {' or '.join(wanted)}, not {_quoted(error['input'])}"
    if kind == "string_pattern_mismatch":
        return f"{_quoted(error['input'])} does not match {error['ctx']['pattern']}"
    if kind in _BOUNDS:
        return _BOUNDS[kind](error["ctx"])
    return error["msg"].replace("Input should", "has to").replace("should", "has to")


def _above(bounds: dict) -> str:
    bound = bounds["gt"]
    return f"has to be {bound + 1} or more" if isinstance(bound, int) else f"has to be above {bound:g}"


def _at_least_entries(bounds: dict) -> str:
    least, there = bounds["min_length"], bounds["actual_length"]
    return f"is empty: has to have {least} or more" if there == 0 else f"has {there}: has to have {least} or more"


_BOUNDS = {
    "greater_than": _above,
    "greater_than_equal": lambda bounds: f"has to be {bounds['ge']:g} or more",
    "less_than_equal": lambda bounds: f"has to be {bounds['le']:g} or less",
    "too_short": _at_least_entries,
    "too_long": lambda bounds: f"has {bounds['actual_length']}: has to have {bounds['max_length']} at most",
}


def _quoted(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return f"'{value}'" if isinstance(value, str) else str(value)


def _clean(loc: tuple, raw: object, kind: str) -> KeyPath:
    """A path of the file's keys alone: pydantic puts the members of unions in between, and behind. A key that is
    missing is the only one that is not there."""
    path: list[str | int] = []
    here = raw
    for index, part in enumerate(loc):
        if (isinstance(here, list) and isinstance(part, int)) or (isinstance(here, dict) and part in here):
            here = here[part]
        elif kind != "missing" or index < len(loc) - 1:
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


__all__ = ["Claim", "LoadedExperiment", "experiment_paths", "find", "load", "names", "shown"]
