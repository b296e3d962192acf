"""Packing by datatypes beside a real MPI: packing.c, compiled once with each, run in turn.

The real one is MPICH as Debian packages it, which is installed when it is missing. What counts is the ratio of the
times for the same work: they are in cycles of this machine's, and simulated time plays no part in them.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from contest import HERE, ROOT
from rich.console import Console
from rich.table import Table

REAL_COMPILER = "mpicc.mpich"
PACKAGES = ["mpich", "libmpich-dev"]
LEAST_RATIO = 0.8
LEAST_MEDIAN = 1.0
BATCHES = 200


def install_real_mpi():
    if shutil.which(REAL_COMPILER):
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *PACKAGES]
    if os.geteuid() != 0:
        command.insert(0, "sudo")
    if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit(f"bench: {REAL_COMPILER} is missing, and could not be installed: {' '.join(command)}")


def compiled(build, folder):
    """The command that runs the program, for each of the two."""
    folder.mkdir(parents=True, exist_ok=True)
    compilers = {"hindcast": build / "bin" / "hindcast-mpicc", "MPICH": REAL_COMPILER}
    programs = {name: folder / f"packing.{name.lower()}" for name in compilers}
    for name, compiler in compilers.items():
        subprocess.run([compiler, "-std=gnu11", "-O2", "-o", programs[name], HERE / "packing.c"], check=True)
    launcher = [build / "bin" / "hindcast", "run", "-n", "1"]
    return {"hindcast": [*launcher, programs["hindcast"]], "MPICH": [programs["MPICH"]]}


def run_once(command):
    """{(work, "pack" or "unpack"): cycles}"""
    done = subprocess.run([*command, str(BATCHES)], check=True, capture_output=True, text=True)
    cycles = {}
    for line in done.stdout.splitlines():
        work, _, packing, unpacking = line.split("\t")
        cycles[work, "pack"] = float(packing)
        cycles[work, "unpack"] = float(unpacking)
    return cycles


def measured(commands, repeat):
    """{(work, direction): {who: [cycles, ...]}}, each turn's order the other way round than the last's."""
    found = {}
    order = list(commands)
    for _ in range(repeat):
        for who in order:
            for row, cycles in run_once(commands[who]).items():
                found.setdefault(row, {name: [] for name in commands})[who].append(cycles)
        order.reverse()
    return found


def report(found, console):
    table = Table(title="Cycles a call for 64 KiB of data (median)", title_justify="left")
    for column in ("", "", "hindcast", "MPICH", "MPICH / hindcast", f"target {LEAST_RATIO}"):
        table.add_column(column, justify="left" if column == "" else "right")
    ratios, rows = [], []
    for (work, direction), cycles in found.items():
        ours, theirs = (statistics.median(cycles[who]) for who in ("hindcast", "MPICH"))
        ratio = theirs / ours
        ratios.append(ratio)
        met = ratio >= LEAST_RATIO
        rows.append({"work": work, "direction": direction, "cycles": cycles, "ratio": ratio, "met": met})
        word = "[green]met[/green]" if met else "[red]not met[/red]"
        table.add_row(work, direction, f"{ours:,.0f}", f"{theirs:,.0f}", f"{ratio:.2f}", word)
    console.print(table)
    middle = statistics.median(ratios)
    word = "met" if middle >= LEAST_MEDIAN else "not met"
    console.print(f"Median of the ratios: {middle:.2f} (target {LEAST_MEDIAN}: {word})")
    return {"rows": rows, "median": middle}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--repeat", type=int, metavar="N", default=7, help="runs of each (7)")
    options = parser.parse_args()
    install_real_mpi()
    build = Path(os.environ.get("HINDCAST_BUILD") or ROOT / "build" / "release").resolve()
    commands = compiled(build, build / "bench" / "packing")
    console = Console(width=None if sys.stdout.isatty() else 120)
    results = report(measured(commands, options.repeat), console)
    out = ROOT / "out"
    out.mkdir(exist_ok=True)
    (out / "packing.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
