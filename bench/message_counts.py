"""What a message takes on this computer: instructions, events of the engine, and switches to a rank, by machine.

    bench/message_counts.py BUILD [--only WORD]

Counted by valgrind's callgrind, which what else this computer does has no part in: the same program with few and with
many iterations, and the difference, so that the start-up is taken off. An event is one that the engine's loop fires; a
switch is a thread that gives way and goes on later, on its stack.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from contest import Bench, Case
from instructions import Row, rows

MESSAGES = 5_000  # of the run with many iterations, at least two iterations more than the other's
LOOP = re.compile(r"hindcast::Engine::(fire_events_of_next_instant|fire_next_instant|pass_instants)\(")
FIRE = re.compile(r"::fire\(hindcast::Event const&\)$")
THREAD = re.compile(r"^hindcast::Thread::")
GIVE_WAY = re.compile(r"^hindcast::driver::(suspend|give_way)\(")


@dataclass
class Counts:
    instructions: float
    events: float
    switches: float

    def a_message_less(self, other: "Counts", messages: int) -> "Counts":
        return Counts(
            (self.instructions - other.instructions) / messages,
            (self.events - other.events) / messages,
            (self.switches - other.switches) / messages,
        )


def calls(profile: Path) -> Iterator[tuple[str, str, int]]:
    """Of callgrind's file: who calls whom how often. Names are written out once, and then stand for by a number."""
    names: dict[str, str] = {}

    def name(text: str) -> str:
        number, _, written_out = text.partition(" ")
        if written_out:
            names[number] = re.sub(r"'\d+$", "", written_out)
        return names[number]

    caller = callee = ""
    with profile.open() as lines:
        for line in lines:
            kind, _, value = line.rstrip().partition("=")
            if kind == "fn":
                caller = name(value)
            elif kind == "cfn":
                callee = name(value)
            elif kind == "calls":
                yield caller, callee, int(value.split()[0])


def counted(bench: Bench, row: Row, iterations: int, profile: Path) -> Counts:
    command = bench.command(row.contestant, row.case.program, row.case.ranks, row.case.arguments(iterations), row.case)
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", "--max-threads=20000"]
    done = subprocess.run([*valgrind, *map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{row.name}: exit status {done.returncode}: {done.stderr[-400:]}")
    total = re.search(r"^(?:summary|totals): (\d+)$", profile.read_text(), re.MULTILINE)
    number: Counter[str] = Counter()
    for caller, callee, times in calls(profile):
        number["events"] += times if LOOP.search(caller) and FIRE.search(callee) else 0
        number["switches"] += times if THREAD.match(caller) and GIVE_WAY.match(callee) else 0
    return Counts(int(total[1]), number["events"], number["switches"])


def a_message(bench: Bench, row: Row, folder: Path) -> Counts:
    case: Case = row.case
    few = 2
    many = few + max(2, round(MESSAGES / case.messages))
    name = re.sub(r"\W+", "-", row.name)
    before = counted(bench, row, few, folder / f"{name}.few")
    return counted(bench, row, many, folder / f"{name}.many").a_message_less(before, (many - few) * case.messages)


def main() -> int:
    parser = argparse.ArgumentParser(description="count what a message takes on this computer")
    parser.add_argument("build", type=Path, metavar="BUILD")
    parser.add_argument("--only", action="append", metavar="WORD", help="only rows whose names have the word")
    options = parser.parse_args()
    chosen = [row for row in rows() if not options.only or any(word in row.name for word in options.only)]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as pool:
        folder = Path(name)
        bench = Bench(options.build.resolve(), folder, 0)
        bench.compile(with_smpi=False)
        counts = [pool.submit(a_message, bench, row, folder) for row in chosen]
        print(f"{'a message':50} {'instructions':>12} {'events':>7} {'switches':>8}")
        for row, count in zip(chosen, counts, strict=True):
            took = count.result()
            print(f"{row.name:50} {took.instructions:12.0f} {took.events:7.2f} {took.switches:8.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
