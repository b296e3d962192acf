"""A ping-pong in Fortran, by each of its interfaces, beside the same in C: messages a second of the processor's time,
start-up taken off. All are run in turn, and a ratio is the median of each turn's.

    bench/fortran.py [--repeat N] [--instructions]

Instructions, counted by valgrind, are the same whatever else this computer does. The exit status is 1 if one of
Fortran's is below 0.95 of C's.
"""

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BIN = Path(os.environ.get("HINDCAST_BUILD") or HERE.parent / "build" / "release").resolve() / "bin"
LEAST = 0.95
ITERATIONS = 1_000_000
ITERATIONS_COUNTED = 20_000
FORTRAN = {"mpif.h": "BY_H", "mpi": "BY_MPI", "mpi_f08": "BY_F08"}
VALGRIND = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--max-threads=20000"]


def compiled(folder: Path) -> dict[str, Path]:
    commands = {"C": ["hindcast-mpicc", HERE / "pingpong.c"]}
    for name, macro in FORTRAN.items():
        commands[name] = ["hindcast-mpifort", f"-D{macro}", HERE / "pingpong.F90"]
    for name, (compiler, *rest) in commands.items():
        subprocess.run([BIN / compiler, "-O2", "-o", folder / name, *rest], check=True, cwd=folder)
    return {name: folder / name for name in commands}


def command_of(program: Path, iterations: int) -> list[str]:
    return [str(part) for part in (BIN / "hindcast", "run", "-m", "ideal", "-n", "2", program, iterations)]


def seconds(program: Path, iterations: int) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command_of(program, iterations), check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def instructions(program: Path, iterations: int) -> int:
    done = subprocess.run([*VALGRIND, *command_of(program, iterations)], check=True, capture_output=True, text=True)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)[1].replace(",", ""))


def rate(program: Path) -> float:
    return 2 * ITERATIONS / (seconds(program, ITERATIONS) - seconds(program, 0))


def instructions_a_message(program: Path) -> float:
    return (instructions(program, ITERATIONS_COUNTED) - instructions(program, 0)) / (2 * ITERATIONS_COUNTED)


def ratios_by_instructions(programs: dict[str, Path]) -> dict[str, float]:
    counts = {name: instructions_a_message(program) for name, program in programs.items()}
    for name, count in counts.items():
        print(f"{name:8} {count:10,.0f} instructions a message")
    return {name: counts["C"] / counts[name] for name in FORTRAN}


def ratios_by_time(programs: dict[str, Path], repeat: int) -> dict[str, float]:
    turns = [{name: rate(program) for name, program in programs.items()} for _ in range(repeat)]
    for name in programs:
        rates = [turn[name] for turn in turns]
        print(f"{name:8} {statistics.median(rates):10,.0f} messages a second, {min(rates):,.0f} to {max(rates):,.0f}")
    return {name: statistics.median(turn[name] / turn["C"] for turn in turns) for name in FORTRAN}


def main() -> int:
    parser = argparse.ArgumentParser(description="a ping-pong in Fortran beside the same in C")
    parser.add_argument("--repeat", type=int, default=11, metavar="N", help="how often each is run (%(default)s)")
    parser.add_argument("--instructions", action="store_true", help="count instructions by valgrind, for times")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        programs = compiled(Path(folder))
        ratios = ratios_by_instructions(programs) if options.instructions else ratios_by_time(programs, options.repeat)
    for name, ratio in ratios.items():
        print(f"{name:8} does {ratio:.3f} of what C does; {LEAST} is asked for")
    return 0 if min(ratios.values()) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
