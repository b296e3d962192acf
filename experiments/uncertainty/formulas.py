"""Arithmetic on a machine's numbers, as its file writes it: "25 us - ap3000.header_bytes * sbus.bandwidth".

Formulas are in us, B and us a byte, whatever the file's units are, so that bytes times a bandwidth are a time.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase

from experiments.fits.expressions import RANKS, parse
from experiments.fits.problems import NoFit
from experiments.problems import Problem
from experiments.units import UNITS, factor, quantity_of_unit

LETTERS = [letter for letter in ascii_lowercase if letter != RANKS]
KEY = re.compile(r"[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)+")
UNIT = "|".join(sorted(UNITS["time"] | UNITS["size"] | UNITS["time per byte"], key=len, reverse=True))
WITH_UNIT = re.compile(rf"(\d+\.?\d*(?:[eE][-+]?\d+)?)\s+({UNIT})\b")

Numbers = Mapping[str, tuple[float, str]]  # by keys: a value and its unit


@dataclass(frozen=True)
class Formula:
    text: str

    def named(self) -> list[str]:
        """The keys of the numbers in it."""
        return list(dict.fromkeys(KEY.findall(self.text)))

    def value(self, numbers: Numbers, unit: str) -> float:
        keys = self.named()
        unknown = [key for key in keys if key not in numbers]
        if unknown or len(keys) > len(LETTERS):
            raise Problem(f"'{self.text}': {', '.join(unknown) or 'too many keys'}: no such number")
        letters = dict(zip(keys, LETTERS, strict=False))
        text = KEY.sub(lambda found: letters[found[0]], self.text)
        text = WITH_UNIT.sub(lambda found: f"{in_us_and_bytes(float(found[1]), found[2]):.12g}", text)
        try:
            found = parse(text).at(1, {letters[key]: in_us_and_bytes(*numbers[key]) for key in keys})
        except NoFit as problem:
            raise Problem(f"'{self.text}': {problem}") from problem
        return from_us_and_bytes(float(found), unit)


def in_us_and_bytes(value: float, unit: str) -> float:
    scale, is_inverse = _to_us_and_bytes(unit)
    return 1 / (value * scale) if is_inverse else value * scale


def from_us_and_bytes(value: float, unit: str) -> float:
    scale, is_inverse = _to_us_and_bytes(unit)
    return 1 / (value * scale) if is_inverse else value / scale


def _to_us_and_bytes(unit: str) -> tuple[float, bool]:
    """What a number in the unit is multiplied by; whether its inverse is taken then: a bandwidth is a time per byte."""
    quantity = quantity_of_unit(unit)
    if quantity is None:
        raise Problem(f"no formula has numbers in {unit}")
    return factor(quantity, unit), quantity == "bandwidth"
