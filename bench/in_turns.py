"""Processor time a message of two builds, for every row of the benchmarks that hindcast alone can run.

    bench/in_turns.py BUILD_BEFORE BUILD_AFTER [--only WORD] [--repeat N] [--limit PER_CENT]

The builds take turns, so that a noisy minute is both of them's; the start-up is taken off as in bench/run.py. A row
whose median is more than the limit above the first build's is marked, and the exit status is 1, as it is if a row
cannot be measured. Instructions are counted by bench/instructions.py, which noise has no part in; this sees what they
wait for.
"""

import sys
import tempfile
from pathlib import Path

from contest import Bench, Case
from instructions import Row, benches_of, chosen_rows, two_builds
from rates import iterations_for, median, progress, rate_once

ENOUGH_S = 0.4
LIMIT_S = 120


def in_turns(benches: list[Bench], row: Row, repeat: int) -> list[list[float]] | str:
    """Seconds of the processor a message, of each build; or why that cannot be said."""
    case: Case = row.case
    iterations, failure, _ = iterations_for(benches[0], row.contestant, case, ENOUGH_S)
    if failure:
        return failure
    iterations = max(2, iterations)  # of which some count, with the start-up taken off
    found: list[list[float]] = [[] for _ in benches]
    for turn in range(repeat):
        progress(f"{row.name}: {turn + 1} of {repeat}")
        for bench, times in zip(benches, found, strict=True):
            rate = rate_once(bench, row.contestant, case, iterations)
            if isinstance(rate, str):
                return rate
            times.append(1 / rate)
    return found


def main() -> int:
    parser = two_builds("compare the time a message of two builds, in turns")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="turns of each build (5)")
    options = parser.parse_args()
    chosen = chosen_rows(options)
    too_slow = not_told = 0
    with tempfile.TemporaryDirectory() as folder:
        benches = benches_of(options, chosen, Path(folder), LIMIT_S)
        print(f"{'ns of the processor a message':50} {'before':>8} {'after':>8} {'ratio':>6} {'of turns':>15}")
        for row in chosen:
            found = in_turns(benches, row, options.repeat)
            if isinstance(found, str):
                not_told += 1
                print(f"{row.name:50} {found}", flush=True)
                continue
            before, after = found
            ratio = median(after) / median(before)
            of_turns = [one / other for one, other in zip(after, before, strict=True)]
            is_too_slow = ratio > 1 + options.limit / 100
            too_slow += is_too_slow
            progress("")
            print(
                f"{row.name:50} {median(before) * 1e9:8.0f} {median(after) * 1e9:8.0f} {ratio:6.2f} "
                f"{min(of_turns):7.2f} to {max(of_turns):.2f}{'  too slow' if is_too_slow else ''}",
                flush=True,
            )
    return 1 if too_slow or not_told else 0


if __name__ == "__main__":
    sys.exit(main())
