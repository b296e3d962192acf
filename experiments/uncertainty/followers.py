"""Numbers of a machine's file that are so many times another one of it, and so follow that: tied or derived ones whose
source begins with the other's key, or with the name alone if it is in the same table, or with "half of" it and the
like."""

import re
from dataclasses import dataclass

# Tied to one that is fitted or assumed, and so no surer than that; or derived from one that is stated.
FOLLOWING = ("derived", "tied")
NAMED = re.compile(r"(?:half of |twice )?([a-z_0-9-]+(?:\.[a-z_0-9-]+)*)")


@dataclass(frozen=True)
class Follower:
    key: str
    unit: str
    value: float
    is_inverse: bool = False  # a rate that follows a time, or a time that follows a rate

    def after(self, value: float, was: float) -> float:
        """What it is where the other one is `value` and no longer `was`."""
        times = was / value if self.is_inverse else value / was
        return float(f"{self.value * times:.6g}")


def followers_of(entries: dict[str, dict]) -> dict[str, tuple[Follower, ...]]:
    """By the keys of what they follow in the end, where one follows another that follows a third."""
    found: dict[str, tuple[Follower, ...]] = {}
    for key, entry in entries.items():
        if entry["kind"] not in FOLLOWING or not isinstance(entry["value"], int | float) or not entry["value"]:
            continue
        origin = origin_of(key, entries)
        if origin is not None and entries[origin]["value"]:
            unit, other = entry.get("unit", ""), entries[origin].get("unit", "")
            follower = Follower(key, unit, float(entry["value"]), _is_rate(unit) != _is_rate(other))
            found[origin] = (*found.get(origin, ()), follower)
    return found


def _is_rate(unit: str) -> bool:
    return unit.endswith("/s")


def origin_of(key: str, entries: dict[str, dict]) -> str | None:
    seen = set()
    while key in entries and entries[key]["kind"] in FOLLOWING and key not in seen:
        seen.add(key)
        named = NAMED.match(entries[key].get("source", ""))
        if not named:
            return None
        key = named[1] if "." in named[1] else f"{key.rpartition('.')[0]}.{named[1]}"
    return key if key in entries and key not in seen else None
