"""What machines' files have: their numbers, for tests that say by arithmetic what must follow from them, and their
libraries."""

import tomllib
from pathlib import Path

PLATFORMS = Path(__file__).parents[2] / "platforms"
# In microseconds, in microseconds for each byte or operation, and in bytes.
MULTIPLIED = {"ns": 1e-3, "us": 1, "ms": 1e3, "ns/B": 1e-3, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20}
# Of which a byte's or an operation's microseconds are given.
INVERTED = {"MB/s": 1, "Mop/s": 1, "Mflop/s": 1, "GB/s": 1000, "Gop/s": 1000, "Gflop/s": 1000}


def in_one_unit(row):
    value, unit = row["value"], row.get("unit")
    if unit is None:
        return value
    return 1 / (value * INVERTED[unit]) if unit in INVERTED else value * MULTIPLIED[unit]


def read_machine(machine):
    return tomllib.loads((PLATFORMS / f"{machine}.toml").read_text())


def tables_of(machine):
    """By name: "processor", or "node.smp" of one among several."""
    for name, rows in read_machine(machine).items():
        if isinstance(rows, list):
            yield from ((f"{name}.{table['name']}", table) for table in rows)
        else:
            yield name, rows


def machine_numbers(machine):
    """machine_numbers("ideal")["processor.poll"]"""
    return {
        f"{table}.{key}": in_one_unit(row)
        for table, rows in tables_of(machine)
        for key, row in rows.items()
        if isinstance(row, dict)
    }


def library_of(machine):
    return read_machine(machine)["messages"]["library"]["value"]


def machines_with_another_library(library):
    return [file.stem for file in sorted(PLATFORMS.glob("*.toml")) if library_of(file.stem) != library]


def check_keys_are_wanted_only_where_chosen(start, runs_with, fails_with, complaint):
    """Of a machine that lacks keys: `start(settings)` runs a program with a choice that leaves them alone, and with one
    that wants them it is refused in one line."""
    done = start(runs_with)
    assert done.returncode == 0, done.stderr
    refused = start(fails_with)
    assert refused.returncode != 0, "runs without keys that it wants"
    assert complaint in refused.stderr, refused.stderr
    assert refused.stderr.count("\n") == 1, refused.stderr
