"""A machine's file with other values in it: everything else stays as it was written."""

import re

from experiments.problems import Problem

RANGE = r",\s*range\s*=\s*\[\s*([^\],]+),\s*([^\],]+)\]"
Ranges = dict[str, tuple[float, float]]
SOURCE = r'source\s*=\s*"((?:[^"\\]|\\.)*)"'
VALUE = r"value\s*=\s*([-+\d.eE_]+)"


def with_values(
    text: str,
    values: dict[str, float],
    fits: str,
    followers: dict[str, float] | None = None,
    ranges: Ranges | None = None,
) -> str:
    """`values` by keys, in the units of the file; each is then fitted to `fits`, and may be what `ranges` leaves.
    `followers` are tied to these, and stay so."""
    lines, table, left = [], "", {**values, **(followers or {})}
    for line in text.splitlines(keepends=True):
        header = re.match(r"\[\[?([\w.-]+)\]\]?", line)
        if header:
            table = header[1]
        named = re.match(r'name\s*=\s*"([\w-]+)"', line)
        if named and "." not in table and table != "machine":
            table = f"{table}.{named[1]}"
        key = re.match(r"([\w-]+)\s*=\s*\{", line)
        full = f"{table}.{key[1]}" if key else ""
        if full in values:
            line = _fitted(line, left.pop(full), fits, (ranges or {}).get(full))
        elif full in left:
            line = _with_value(line, left.pop(full))
        lines.append(line)
    if left:
        raise Problem(f"{next(iter(left))} does not stand on a line of its own in the machine's file")
    return "".join(lines)


def _with_value(line: str, value: float) -> str:
    return re.sub(VALUE, f"value = {value:.6g}", line, count=1)


def _fitted(line: str, value: float, fits: str, range_: tuple[float, float] | None) -> str:
    line = _with_value(_with_source(line, fits, range_ is not None), value)
    line = re.sub(r",\s*holds\s*=\s*\[[^\]]*\]", "", line)  # was found with the value as it was
    line = re.sub(r',\s*follows\s*=\s*"[^"]*"', "", line)  # was fitted by that arithmetic, and is not any more
    line = re.sub(r',\s*fits\s*=\s*"[^"]*"', "", line)
    kept = re.search(RANGE, line)
    if kept and (range_ or not float(kept[1]) <= value <= float(kept[2])):
        line = line.replace(kept[0], "")
    said = f'kind = "fitted", fits = "{_quoted(fits)}"'
    said += f", range = [{range_[0]:.6g}, {range_[1]:.6g}]" if range_ else ""
    return re.sub(r'kind\s*=\s*"\w+"', lambda _: said, line, count=1)


def _with_source(line: str, fits: str, has_range: bool) -> str:
    """By what it was fitted now, and what the file said of the value that it had before."""
    said = re.search(SOURCE, line)
    unit = re.search(r'unit\s*=\s*"([^"]*)"', line)
    kind = re.search(r'kind\s*=\s*"(\w+)"', line)
    before = " ".join([re.search(VALUE, line)[1], *([unit[1]] if unit else [])])
    told = f"; {said[1]}" if said and said[1] else ""
    width = "; range: two deviations" if has_range else ""
    source = f"by 'hindcast calibrate' from {_quoted(fits)}{width}; {before}, {kind[1]}, before that{told}"
    if said:
        return line.replace(said[0], f'source = "{source}"', 1)
    return re.sub(r'(kind\s*=\s*"\w+")', lambda found: f'{found[1]}, source = "{source}"', line, count=1)


def _quoted(text: str) -> str:
    """As it stands between quotes in TOML."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
