"""A machine's file with other values in it: everything else stays as it was written."""

import re

from experiments.problems import Problem

RANGE = r",\s*range\s*=\s*\[\s*([^\],]+),\s*([^\],]+)\]"


def with_values(text: str, values: dict[str, float], fits: str) -> str:
    """`values` by keys, in the units of the file; each is then fitted to `fits`."""
    lines, table, left = [], "", dict(values)
    for line in text.splitlines(keepends=True):
        header = re.match(r"\[\[?([\w.-]+)\]\]?", line)
        if header:
            table = header[1]
        named = re.match(r'name\s*=\s*"([\w-]+)"', line)
        if named and "." not in table and table != "machine":
            table = f"{table}.{named[1]}"
        key = re.match(r"([\w-]+)\s*=\s*\{", line)
        full = f"{table}.{key[1]}" if key else ""
        lines.append(_changed(line, left.pop(full), fits) if full in left else line)
    if left:
        raise Problem(f"{next(iter(left))} does not stand on a line of its own in the machine's file")
    return "".join(lines)


def _changed(line: str, value: float, fits: str) -> str:
    line = re.sub(r"value\s*=\s*[-+\d.eE_]+", f"value = {value:.6g}", line, count=1)
    line = re.sub(r",\s*holds\s*=\s*\[[^\]]*\]", "", line)  # was found with the value as it was
    if (limits := re.search(RANGE, line)) and not float(limits[1]) <= value <= float(limits[2]):
        line = line.replace(limits[0], "")
    line = re.sub(r',\s*fits\s*=\s*"[^"]*"', "", line)
    return re.sub(r'kind\s*=\s*"\w+"', f'kind = "fitted", fits = "{fits}"', line, count=1)
