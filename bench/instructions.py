"""Instructions a message of two builds, for every row of the benchmarks that hindcast alone can run.

    bench/instructions.py BUILD_BEFORE BUILD_AFTER [--only WORD] [--limit PER_CENT]

Counted by valgrind's cachegrind, which what else this computer does has no part in: the same program with few and with
many iterations, and the difference, so that the start-up is taken off. A row that takes more than the limit above the
first build's is marked, and the exit status is 1. Of a build that lacks functions, only rows that do without can be
chosen.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from contest import (
    CASES,
    COLLECTIVE_CASES,
    HINDCAST,
    MACHINE_CASES,
    MACHINES,
    ON_MACHINE,
    PUTS,
    PUTS_MACHINE,
    Bench,
    Case,
)

MESSAGES = 20_000  # of the run with many iterations, at least two iterations more than the other's
VALGRIND = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--max-threads=20000"]


@dataclass(frozen=True)
class Row:
    case: Case
    contestant: str

    @property
    def name(self) -> str:
        return self.case.name + self.contestant.removeprefix(HINDCAST)


def rows() -> list[Row]:
    ideal = [Row(case, HINDCAST) for case in [*CASES, *COLLECTIVE_CASES]]
    built = [
        Row(case, ON_MACHINE + machine.name) for machine in MACHINES for case in CASES if case.name in MACHINE_CASES
    ]
    return [*ideal, *built, Row(PUTS, ON_MACHINE + PUTS_MACHINE)]


def instructions(bench: Bench, row: Row, iterations: int) -> int:
    command = bench.command(row.contestant, row.case.program, row.case.ranks, row.case.arguments(iterations), row.case)
    done = subprocess.run([*VALGRIND, *map(str, command)], capture_output=True, text=True, check=False)
    counted = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or not counted:
        sys.exit(f"{row.name}: exit status {done.returncode}: {done.stderr[-400:]}")
    return int(counted[1].replace(",", ""))


def a_message(bench: Bench, row: Row) -> float:
    few = 1
    many = few + max(2, round(MESSAGES / row.case.messages))
    return (instructions(bench, row, many) - instructions(bench, row, few)) / ((many - few) * row.case.messages)


def two_builds(description: str) -> argparse.ArgumentParser:
    """What is said to a program that compares two builds, row by row."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("before", type=Path, metavar="BUILD_BEFORE")
    parser.add_argument("after", type=Path, metavar="BUILD_AFTER")
    parser.add_argument("--only", action="append", metavar="WORD", help="only rows whose names have the word")
    parser.add_argument("--limit", type=float, default=5, metavar="PER_CENT", help="more than that is too much (5)")
    return parser


def chosen_rows(options: argparse.Namespace) -> list[Row]:
    return [row for row in rows() if not options.only or any(word in row.name for word in options.only)]


def benches_of(options: argparse.Namespace, chosen: list[Row], folder: Path, limit_s: float) -> list[Bench]:
    """Each build's, with the programs of these rows compiled by its own compiler."""
    benches = []
    for name, build in (("before", options.before), ("after", options.after)):
        (folder / name).mkdir()
        benches.append(Bench(build.resolve(), folder / name, limit_s))
        benches[-1].compile(with_smpi=False, programs={row.case.program for row in chosen})
    return benches


def main() -> int:
    parser = two_builds("compare the instructions a message of two builds")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        parser.error("valgrind is not installed")
    chosen = chosen_rows(options)
    worse = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        benches = benches_of(options, chosen, Path(folder), limit_s=0)
        counts = [[pool.submit(a_message, bench, row) for bench in benches] for row in chosen]
        print(f"{'instructions a message':50} {'before':>10} {'after':>10}  change")
        for row, (before, after) in zip(chosen, counts, strict=True):
            change = 100 * (after.result() / before.result() - 1)
            worse += change > options.limit
            mark = "  more than the limit" if change > options.limit else ""
            print(f"{row.name:50} {before.result():10.0f} {after.result():10.0f}  {change:+5.1f} %{mark}", flush=True)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
