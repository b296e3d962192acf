"""What a number is no more than in a machine that can be (`at_most`), by arithmetic on others: the longest message that
goes in slots has to find room in all of them.

A number is drawn from what the others of the same draw leave of its range. So every draw is a machine that can be, and
the places from which the numbers follow are independent still, as Sobol's effects want them.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from experiments.problems import Problem
from experiments.uncertainty.formulas import Formula, Numbers, from_us_and_bytes, in_us_and_bytes
from experiments.uncertainty.settings import with_settings, written
from experiments.units import UNITS, factor


@dataclass(frozen=True)
class Limit:
    lowest: float  # of its range: where less is left the machine cannot be, and is refused
    formula: str


@dataclass(frozen=True, eq=False)
class Limits:
    numbers: Numbers  # all of the file
    limits: Mapping[str, Limit]  # by the keys of those that have one

    def __contains__(self, key: str) -> bool:
        return key in self.limits

    def most(self, key: str, settings: dict[str, str]) -> float:
        """In the unit of the file; without end if the number has no limit, or one by what the file leaves out."""
        if key not in self.limits:
            return math.inf
        unit, formula = self.numbers[key][1], Formula(self.limits[key].formula)
        numbers = with_settings(self.numbers, settings)
        if any(other not in numbers for other in formula.named()):
            return math.inf
        bounded = [other for other in formula.named() if other in self.limits]
        if bounded:
            raise Problem(f"{key} is at most '{formula.text}': {bounded[0]} has a limit of its own")
        try:
            return _whole_down(formula.value(numbers, unit), unit)
        except Problem as problem:
            raise Problem(f"{key} is at most {problem}") from problem

    def kept(self, settings: dict[str, str]) -> dict[str, str]:
        """The settings; and what would be more than they leave is as much as they leave."""
        kept = dict(settings)
        for key, limit in self.limits.items():
            unit, most = self.numbers[key][1], self.most(key, settings)
            value, given = with_settings(self.numbers, settings)[key]
            if given != unit:
                value = from_us_and_bytes(in_us_and_bytes(value, given), unit)
            if value > most >= limit.lowest:
                kept[key] = written(most, unit, is_whole=not unit)
        return kept


def _whole_down(value: float, unit: str) -> float:
    """Sizes and counts have no fractions."""
    if unit and unit not in UNITS["size"]:
        return value
    scale = factor("size", unit) if unit else 1.0
    return math.floor(value * scale * (1 + 1e-12)) / scale
