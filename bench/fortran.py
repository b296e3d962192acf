"""A ping-pong in Fortran beside the same in C: messages a second of the processor's time, start-up taken off. The two
are run in turn, and the ratio is the median of each turn's.

    bench/fortran.py [--repeat N]

The exit status is 1 if Fortran's is below 0.95 of C's.
"""

import argparse
import os
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
SOURCES = {"C": ("hindcast-mpicc", "pingpong.c"), "Fortran": ("hindcast-mpifort", "pingpong.f90")}


def compiled(folder: Path) -> dict[str, Path]:
    programs = {language: folder / language for language in SOURCES}
    for language, (compiler, source) in SOURCES.items():
        command = [BIN / compiler, "-O2", "-o", programs[language], HERE / source]
        subprocess.run(command, check=True, cwd=folder)
    return programs


def seconds(program: Path, iterations: int) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [BIN / "hindcast", "run", "-m", "ideal", "-n", "2", program, str(iterations)]
    subprocess.run(command, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> int:
    parser = argparse.ArgumentParser(description="a ping-pong in Fortran beside the same in C")
    parser.add_argument("--repeat", type=int, default=11, metavar="N", help="how often each is run (%(default)s)")
    options = parser.parse_args()
    rates: dict[str, list[float]] = {language: [] for language in SOURCES}
    with tempfile.TemporaryDirectory() as folder:
        programs = compiled(Path(folder))
        for _ in range(options.repeat):
            for language, program in programs.items():
                spent = seconds(program, ITERATIONS) - seconds(program, 0)
                rates[language].append(2 * ITERATIONS / spent)
    medians = {language: statistics.median(found) for language, found in rates.items()}
    for language, rate in medians.items():
        print(
            f"{language:8} {rate:10,.0f} messages a second, {min(rates[language]):,.0f} to {max(rates[language]):,.0f}"
        )
    ratio = statistics.median(fortran / c for fortran, c in zip(rates["Fortran"], rates["C"], strict=True))
    print(f"Fortran does {ratio:.3f} of what C does; {LEAST} is asked for")
    return 0 if ratio >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
