"""A sweep from its first run to its tables."""

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from experiments.plan import COMMAND, Run, machine_lines, program_line
from experiments.results import write_whole
from experiments.runner import Outcome, progress, run_all
from experiments.serving.digests import sha256_of
from experiments.serving.servers import ask
from experiments.sweeping.combinations import Combination, Part
from experiments.sweeping.computation import recorded_file
from experiments.sweeping.kept import KeptRuns
from experiments.sweeping.program import name_of_results, startable
from experiments.sweeping.tables import Outcomes, printed_csv, runs_csv

TOLD = 10  # failures


@dataclass(frozen=True)
class Sweep:
    program: Path
    command: tuple[str, ...]  # that makes it again
    folder: Path
    wanted: list[Combination]
    part: Part | None

    def head(self) -> tuple[str, ...]:
        """Of tables: what is needed to make them again, and nothing of this computer or day."""
        return (
            ask(["--version"]).stdout.strip(),
            *machine_lines(combination.run.machine for combination in self.wanted),
            program_line(self.program.name, self.program),
            *self._computation_lines(),
            COMMAND + shlex.join(self.command),
        )

    def _computation_lines(self) -> list[str]:
        files = (recorded_file(combination.run.compute) for combination in self.wanted)
        return [f"computation {file}, SHA-256 {sha256_of(file)}" for file in dict.fromkeys(files) if file]


def perform(sweep: Sweep) -> int:
    """The exit status: 1 if a run failed."""
    with startable(sweep.program) as started:
        kept = KeptRuns(sweep.folder / "runs", started, sweep.wanted)
        before = kept.succeeded()
        found = before | _run_missing(sweep, kept, before, started)
    outcomes = [(combination, found[combination.run]) for combination in sweep.wanted]
    if sweep.part:
        print(kept.folder)
        print(f"{sweep.part}, and no tables: the same command without --part writes them when all parts are done")
    else:
        _write_tables(sweep, outcomes)
    return _sum_up(outcomes, before)


def _run_missing(sweep: Sweep, kept: KeptRuns, before: dict[Run, Outcome], started: Path | str) -> dict[Run, Outcome]:
    missing = [combination.run for combination in sweep.wanted if combination.run not in before]
    programs = {sweep.program: started}
    try:
        with progress(f"sweep {name_of_results(sweep.program)}") as show:
            return run_all(missing, show, may_fail=True, programs=programs, ended=kept.keep)
    except (KeyboardInterrupt, SystemExit):
        now = kept.succeeded()
        done = sum(combination.run in now for combination in sweep.wanted)
        said = f"interrupted: {done} of {len(sweep.wanted)} runs are kept in {kept.folder}"
        print(f"hindcast: {said}; the same command again does the others", file=sys.stderr)
        raise


def _write_tables(sweep: Sweep, outcomes: Outcomes) -> None:
    head = sweep.head()
    files = {sweep.folder / "runs.csv": runs_csv(head, outcomes)}
    printed, why_not = printed_csv(head, outcomes)
    table = sweep.folder / "table.csv"
    if printed is None:
        table.unlink(missing_ok=True)  # of an earlier sweep, and no table of these runs
    else:
        files[table] = printed
    write_whole(files)
    for file in files:
        print(file)
    if printed is None:
        print(f"no {table}: {why_not}; each run's output is in {sweep.folder / 'runs' / 'ID.json'}")


def _sum_up(outcomes: Outcomes, before: dict[Run, Outcome]) -> int:
    kept = sum(combination.run in before for combination, _ in outcomes)
    failed = [(combination, outcome) for combination, outcome in outcomes if outcome.status != 0]
    print(f"{len(outcomes)} run{'' if len(outcomes) == 1 else 's'}: {kept} kept from before, {len(failed)} failed")
    for combination, outcome in failed[:TOLD]:
        print(f"failed with status {outcome.status}: {combination}: {outcome.reason()}")
    if len(failed) > TOLD:
        print(f"and {len(failed) - TOLD} more")
    return 1 if failed else 0
