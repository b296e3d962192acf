"""The report of a fit, as tables on the terminal and as CSV."""

import csv
import io
import math
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table

from experiments.calibration.fit import Fit, Profile
from experiments.calibration.targets import Target
from experiments.score import Score
from experiments.tables import console

Predictions = list[tuple[Score, Score]]
Rows = list[list[str]]


def files_of(
    folder: Path, target: Target, found: Fit, left: list[float], profiled: list[Profile], predictions: Predictions
) -> dict[Path, bytes]:
    files = {
        "parameters.csv": [PARAMETERS, *_parameters(found, profiled)],
        "numbers.csv": [NUMBERS, *_numbers(target, found, left)],
        "alike.csv": [ALIKE, *_alike(found)],
    }
    if predictions:
        files["predictions.csv"] = [PREDICTIONS, *_predictions(predictions)]
    return {folder / name: _csv(rows) for name, rows in files.items()}


def print_fit(target: Target, found: Fit, left: list[float], profiled: list[Profile], predictions: Predictions) -> None:
    _print(f"Parameters, after {found.evaluations} evaluations", PARAMETERS, _parameters(found, profiled))
    _print("What they were fitted to, and what each comes to if it is left out", NUMBERS, _numbers(target, found, left))
    if found.alike():
        _print("Cannot be told apart by these numbers", ALIKE, _alike(found))
    if predictions:
        _print("Predicted, before and after", PREDICTIONS, _predictions(predictions))


PARAMETERS = ["parameter", "unit", "before", "after", "deviation", "worse at -2 deviations", "at +2"]
NUMBERS = ["number", "unit", "published", "before", "after", "error", "allowed", "left out"]
ALIKE = ["parameter", "and", "correlation"]
PREDICTIONS = ["claim", "unit", "published", "before", "after", "held", "holds"]


def _parameters(found: Fit, profiled: list[Profile]) -> Rows:
    rows, deviations = [], found.deviations()
    for index, (parameter, profile) in enumerate(zip(found.parameters, profiled, strict=True)):
        deviation = float(deviations[index])
        sure = "nothing determines it" if deviation == float("inf") else f"{deviation * parameter.value:.3g}"
        if found.is_at_its_bound(index):
            sure = "as far as it may go"
        numbers = [f"{parameter.value:.6g}", f"{found.value(index):.6g}", sure]
        rows.append(
            [
                parameter.key,
                parameter.unit,
                *numbers,
                *(_known(worse, ".2f") for worse in (profile.below, profile.above)),
            ]
        )
    return rows


def _numbers(target: Target, found: Fit, left: list[float]) -> Rows:
    rows = []
    for wanted, before, after, alone in zip(target.wanted, found.before, found.after, left, strict=True):
        error = f"{float(after) / wanted.value - 1:+.2%}"
        values = [f"{float(value):.5g}" for value in (wanted.value, before, after)]
        rows.append([wanted.name, wanted.unit, *values, error, f"{wanted.within:.0%}", _known(alone, ".5g")])
    return rows


def _known(value: float, digits: str) -> str:
    return f"{value:{digits}}" if math.isfinite(value) else "no value"


def _alike(found: Fit) -> Rows:
    return [[first, second, f"{correlation:+.3f}"] for first, second, correlation in found.alike()]


def _predictions(predictions: Predictions) -> Rows:
    return [
        [first.id, first.unit, *(_shown(value) for value in (first.published, first.simulated, second.simulated))]
        + ["yes" if score.holds else "no" for score in (first, second)]
        for first, second in predictions
    ]


def _shown(value: float | str | None) -> str:
    return f"{value:.5g}" if isinstance(value, float | int) else value or ""


def _csv(rows: Rows) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _print(title: str, names: list[str], rows: Rows) -> None:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for index, name in enumerate(names):
        table.add_column(name, justify="left" if index < 2 else "right")
    for row in rows:
        table.add_row(*row)
    console().print(table)
