"""Compares two folders of results of `./hindcast reproduce`: simulated values have to be the same to the last digit.

    python3 bench/same_results.py OUT_BEFORE OUT_AFTER

Compared are scoreboard.json and all CSV files, value by value, as texts. What says where results come from is left out:
the heads of CSV files, and notes of the scoreboard that a result is older than a file that it was made from. So is what
measures this computer (bench.json, packing.json). Each difference is a line; with any the exit status is 1.
"""

import argparse
import csv
import json
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

SCOREBOARD = "scoreboard.json"
ORIGIN_NOTE = "from before a change of "


def compared_files(folder: Path) -> set[str]:
    found = {str(file.relative_to(folder)) for file in folder.rglob("*.csv")}
    return found | ({SCOREBOARD} if (folder / SCOREBOARD).exists() else set())


def differences(before: Path, after: Path) -> Iterator[str]:
    """A line for each."""
    names = {before: compared_files(before), after: compared_files(after)}
    for name in sorted(names[before] | names[after]):
        missing = next((folder for folder in (before, after) if name not in names[folder]), None)
        if missing:
            yield f"{name}: not in {missing}"
        elif name == SCOREBOARD:
            yield from scoreboard_differences(before / name, after / name)
        else:
            yield from table_differences(name, before / name, after / name)


def table_differences(name: str, before: Path, after: Path) -> Iterator[str]:
    (columns, rows), (new_columns, new_rows) = read_table(before), read_table(after)
    if columns != new_columns:
        yield f"{name}: columns: {','.join(columns)} is now {','.join(new_columns)}"
        return
    for number, (row, new_row) in enumerate(zip_longest(rows, new_rows), start=1):
        if row is None or new_row is None:
            yield f"{name}: row {number}: only {'after' if row is None else 'before'}: {','.join(row or new_row)}"
            continue
        for column, value, new_value in zip_longest(columns, row, new_row, fillvalue=""):
            if value != new_value:
                yield f"{name}: row {number} ({''.join(row[:1])}): {column}: {value} is now {new_value}"


def read_table(path: Path) -> tuple[list[str], list[list[str]]]:
    """The names of the columns, and the rows below them. Lines that begin with # say where the table comes from."""
    with path.open(newline="") as file:
        lines = list(csv.reader(line for line in file if not line.startswith("#")))
    return (lines[0], lines[1:]) if lines else ([], [])


def scoreboard_differences(before: Path, after: Path) -> Iterator[str]:
    claims, new_claims = read_scoreboard(before), read_scoreboard(after)
    for claim in sorted(claims.keys() | new_claims.keys()):
        of = f"{SCOREBOARD}: claim {claim[1]} of {claim[0]}"
        if claim not in claims or claim not in new_claims:
            yield f"{of}: only {'before' if claim in claims else 'after'}"
            continue
        old, new = claims[claim], new_claims[claim]
        for field in sorted(old.keys() | new.keys()):
            if old.get(field) != new.get(field):
                yield f"{of}: {field}: {shown(old.get(field))} is now {shown(new.get(field))}"


def read_scoreboard(path: Path) -> dict[tuple[str, str], dict]:
    """Claims by experiment and name. Numbers stay as they are written."""
    claims = json.loads(path.read_text(), parse_float=str, parse_int=str)["claims"]
    for claim in claims:
        parts = (claim["note"] or "").split("; ")
        claim["note"] = "; ".join(part for part in parts if not part.startswith(ORIGIN_NOTE))
    return {(claim["experiment"], claim["id"]): claim for claim in claims}


def shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def main() -> int:
    parser = argparse.ArgumentParser(description="say where the simulated values of two folders of results differ")
    parser.add_argument("before", type=Path, metavar="OUT_BEFORE")
    parser.add_argument("after", type=Path, metavar="OUT_AFTER")
    options = parser.parse_args()
    for folder in (options.before, options.after):
        if not folder.is_dir():
            parser.error(f"{folder}: no such folder")
        if not compared_files(folder):
            parser.error(f"{folder}: no results in there, neither {SCOREBOARD} nor CSV files")
    found = list(differences(options.before, options.after))
    for line in found:
        print(line)
    files = len(compared_files(options.before) | compared_files(options.after))
    print(f"{len(found)} differences in {files} files" if found else f"no difference in {files} files", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
