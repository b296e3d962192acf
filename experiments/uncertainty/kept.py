"""What earlier studies left: shares of claims and bands of figures."""

import csv
from pathlib import Path

from experiments.uncertainty.bands import Band, Place
from experiments.uncertainty.quantiles import QUANTILES, column_of, error_column_of


def study_folder(out: Path, results_name: str) -> Path:
    return out / "uncertainty" / results_name


def read_shares(out: Path, results_name: str, name: str) -> dict[str, tuple[float, tuple[float, float]]]:
    """In which share of the draws each claim held, and within what so few leave it, as far as a study was made."""
    path = study_folder(out, results_name) / f"{name}.claims.csv"
    return {
        row["claim"]: (float(row["share"]), (float(row["share_low"]), float(row["share_high"]))) for row in _read(path)
    }


def read_bands(out: Path, results_name: str, name: str) -> dict[Place, Band]:
    import numpy as np

    found: dict[Place, list[list[float]]] = {}
    draws: dict[Place, int] = {}
    columns = ["x", *map(column_of, QUANTILES), *map(error_column_of, QUANTILES)]
    for row in _read(study_folder(out, results_name) / f"{name}.bands.csv"):
        place = (int(row["panel"]), row["line"])
        draws[place] = int(row["draws"])
        found.setdefault(place, []).append([float(row[column]) for column in columns])
    by_columns = {place: np.array(rows).T for place, rows in found.items()}
    return {place: Band(*values[:4], values[4:], draws[place]) for place, values in by_columns.items()}


def _read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))
