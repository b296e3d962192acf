"""What a run's --compute says: how, and of recorded computation from which file."""

from pathlib import Path

from experiments.problems import Problem
from experiments.sweeping.numbers import is_number

RECORDED = "recorded:"


def recorded_file(way: str) -> Path | None:
    """None if nothing is recorded. A number before the file's name is a factor."""
    if not way.startswith(RECORDED):
        return None
    name = way.removeprefix(RECORDED)
    factor, _, behind = name.partition(":")
    return Path(behind if behind and is_number(factor) else name)


def refuse_unlike_twice(way: str) -> None:
    """A run that is kept stands for all that are alike."""
    if way == "counted" or way.startswith("measured"):
        instead = way if ":" in way or way == "counted" else "measured:FACTOR"
        raise Problem(
            f"--compute {way}: such times are not the same twice; let 'hindcast run --compute {instead} "
            "--record-computation FILE' write down what was computed, and give recorded:FILE"
        )
