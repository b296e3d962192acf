"""Numbers as --set has them."""

from experiments.uncertainty.formulas import Numbers
from experiments.units import UNITS, factor


def written(value: float, unit: str, is_whole: bool = False) -> str:
    """A size in whole bytes."""
    if unit in UNITS["size"]:
        return f"{round(value * factor('size', unit))} B"
    number = str(round(value)) if is_whole else f"{value:.6g}"
    return f"{number} {unit}" if unit else number


def with_settings(numbers: Numbers, settings: dict[str, str]) -> Numbers:
    """All numbers of a file, with those that are set."""
    now = dict(numbers)
    for key, text in settings.items():
        value, _, unit = text.partition(" ")
        now[key] = (float(value), unit)
    return now
