"""What a sweep varies, as its options say it."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from experiments.changes import key_and_values, refuse_missing_or_repeated, values_of
from experiments.problems import Problem
from experiments.sweeping.computation import refuse_unlike_twice

KEYS = {"-m": "machine", "-n": "ranks", "--map": "map", "--compute": "compute"}  # of options that say values alone
COLUMNS = ("status", "said")  # of the table of runs, beside the keys
NAME = r"[^\W\d][\w.-]*"


@dataclass(frozen=True)
class Axis:
    """A key, the option that gave it, and its values."""

    option: str
    key: str
    values: tuple[str, ...]

    @property
    def is_column(self) -> bool:
        """A table tells machine and ranks in any case, and otherwise what differs from run to run."""
        return len(self.values) > 1 or self.key in (KEYS["-m"], KEYS["-n"])

    @property
    def words(self) -> list[str]:
        """Of a command that has this axis."""
        if self.option == "--map":  # a list of nodes has commas of its own
            return [word for value in self.values for word in (self.option, value)]
        values = ",".join(self.values)
        return [self.option, values if self.option in KEYS else f"{self.key}={values}"]


def axes_of(given: Iterable[tuple[str, str]]) -> list[Axis]:
    """Of options with their values, in the order in which they were given, behind what is taken where nothing is."""
    axes: dict[str, Axis] = {}
    for option, text in given:
        axis = _axis(option, text)
        before = axes.get(axis.key)
        if before and option == "--map" == before.option:
            axis = Axis(option, axis.key, before.values + axis.values)
            refuse_missing_or_repeated(f"--map {text}", axis.values)
        elif before:
            raise Problem(f"{option} {text}: {axis.key} was given already; put its values there, with commas between")
        axes[axis.key] = axis
    return [axis for axis in _usual() if axis.key not in axes] + list(axes.values())


def _usual() -> list[Axis]:
    """What `hindcast run` takes."""
    return [Axis("-m", "machine", (os.environ.get("HINDCAST_MACHINE") or "ideal",)), Axis("-n", "ranks", ("1",))]


def _axis(option: str, text: str) -> Axis:
    given = f"{option} {text}"
    if option in KEYS:
        key, values = KEYS[option], values_of(given, KEYS[option], text)
    else:
        key, values = key_and_values(option, text)
    if option == "-n" and not all(re.fullmatch(r"[1-9]\d*", value) for value in values):
        raise Problem(f"{given}: has to be whole numbers from 1 on, with commas between them")
    if option == "--compute":
        for way in values:
            refuse_unlike_twice(way)
    if option == "--set" and key in KEYS.values():
        instead = next(option for option, its in KEYS.items() if its == key)
        raise Problem(f"{given}: {instead} says it, as {instead} {','.join(values)}")
    if option == "--with":
        _refuse_name(given, key)
    return Axis(option, key, values)


def _refuse_name(given: str, name: str) -> None:
    if not re.fullmatch(NAME, name):
        raise Problem(f"{given}: a name begins with a letter, with letters, digits, '_', '-' and '.' behind it")
    if name in KEYS.values() or name in COLUMNS:
        raise Problem(f"{given}: '{name}' is a column that the table has besides: name it otherwise")
