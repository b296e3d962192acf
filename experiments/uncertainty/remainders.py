"""What a fitted number follows from: "25 us - ap3000.header_bytes * sbus.bandwidth", what other numbers leave of one
that is published. If one of these is changed alone, it is fitted anew, by the same arithmetic.

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
WITH_UNIT = re.compile(rf"(\d+\.?\d*)\s+({UNIT})\b")


@dataclass(frozen=True)
class Remainder:
    key: str
    unit: str
    formula: str

    def keys(self) -> list[str]:
        """Those that it follows from."""
        return list(dict.fromkeys(KEY.findall(self.formula)))

    def value(self, values: Mapping[str, tuple[float, str]]) -> float:
        """In its unit, of the values and units of all numbers."""
        keys = self.keys()
        unknown = [key for key in keys if key not in values]
        if unknown or len(keys) > len(LETTERS):
            raise Problem(
                f"{self.key} follows '{self.formula}': {', '.join(unknown) or 'too many keys'}: no such number"
            )
        letters = dict(zip(keys, LETTERS, strict=False))
        text = KEY.sub(lambda found: letters[found[0]], self.formula)
        text = WITH_UNIT.sub(lambda found: f"{in_us_and_bytes(float(found[1]), found[2]):.12g}", text)
        try:
            found = parse(text).at(1, {letters[key]: in_us_and_bytes(*values[key]) for key in keys})
        except NoFit as problem:
            raise Problem(f"{self.key} follows '{self.formula}': {problem}") from problem
        return from_us_and_bytes(float(found), self.unit)


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


@dataclass(frozen=True, eq=False)
class Arithmetic:
    """All numbers of a file, and those that follow from others: remainders by their formulas, derived ones in
    proportion."""

    values: Mapping[str, tuple[float, str]]
    remainders: tuple[Remainder, ...]
    proportions: Mapping[str, tuple[str, ...]]  # the derived ones of each

    def after(self, key: str, value: float) -> dict[str, tuple[float, str]]:
        """All that are others if this one is, itself among them."""
        now = dict(self.values)
        self._set(now, key, value)
        for _ in range(len(self.remainders)):  # one may follow from another
            before = dict(now)
            for remainder in self.remainders:
                if remainder.key != key:
                    self._set(now, remainder.key, float(f"{self._followed(remainder, now):.6g}"))
            if now == before:
                break
        return {name: now[name] for name in now if now[name] != self.values[name]}

    def _followed(self, remainder: Remainder, now: Mapping[str, tuple[float, str]]) -> float:
        """What it was and what the formula comes to more: the file's value is a rounded one."""
        return self.values[remainder.key][0] + remainder.value(now) - remainder.value(self.values)

    def _set(self, now: dict[str, tuple[float, str]], key: str, value: float) -> None:
        was, unit = self.values[key]
        now[key] = (value, unit)
        for derived in self.proportions.get(key, ()) if was else ():
            now[derived] = (float(f"{self.values[derived][0] * value / was:.6g}"), self.values[derived][1])
