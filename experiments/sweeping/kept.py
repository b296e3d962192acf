"""Runs that are over, each in a file of its own, so that a sweep goes on where it was and several jobs share a folder.

A file's name is a digest of all that its run depends on: of what is in the program, in the machine's file and in the
simulator, and of what the run was told.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from experiments.machines import machine_sha256
from experiments.plan import Run
from experiments.problems import Problem
from experiments.results import write_whole
from experiments.runner import Outcome
from experiments.serving.digests import sha256_of
from experiments.serving.simulator import current_simulator
from experiments.shell.dry_run import commands
from experiments.sweeping.combinations import Combination
from experiments.sweeping.computation import recorded_file


class KeptRuns:
    """Those of one program."""

    def __init__(self, folder: Path, started: Path | str, wanted: Iterable[Combination]) -> None:
        self.folder = folder
        self._started = Path(started)
        self._combinations = {combination.run: combination for combination in wanted}
        self._files = {run: self._file_now(run) for run in self._combinations}
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Problem(f"{folder}: cannot be made: {error.strerror}") from error

    def succeeded(self) -> dict[Run, Outcome]:
        """What need not be run again."""
        found = {run: self._read(run) for run in self._files}
        return {run: outcome for run, outcome in found.items() if outcome and outcome.status == 0}

    def keep(self, run: Run, outcome: Outcome) -> None:
        self._refuse_change(run)
        record = {
            "combination": {axis.key: value for axis, value in self._combinations[run].chosen},
            "command": " && ".join(commands([run])),
            "status": outcome.status,
            "printed": outcome.printed,
            "said": outcome.said,
        }
        text = json.dumps(record, indent=1, ensure_ascii=False)
        write_whole({self._files[run]: f"{text}\n".encode()})

    def _refuse_change(self, run: Run) -> None:
        """A file that was written while the run went on may be in its results or not."""
        try:
            is_as_before = self._file_now(run) == self._files[run]
        except OSError:  # a compiler takes a program away before it writes another
            is_as_before = False
        if not is_as_before:
            what = "the program, a file of a machine, a map or computation, or the simulator"
            raise Problem(f"{what} has changed since the sweep began: start it again; runs from before the change stay")

    def _read(self, run: Run) -> Outcome | None:
        """None if there is no file, or one that this hindcast has not written."""
        try:
            record = json.loads(self._files[run].read_text(encoding="utf-8"))
            status, *texts = record["status"], record["printed"], record["said"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        is_ours = isinstance(status, int) and all(isinstance(text, str) for text in texts)
        return Outcome(status, *texts, []) if is_ours else None

    def _file_now(self, run: Run) -> Path:
        """By what is in the run's files at this moment."""
        depends_on = [
            current_simulator(),
            machine_sha256(run.machine),
            sha256_of(self._started),
            _file_or_name(run.map),
            [run.compute, sha256_of(file) if (file := recorded_file(run.compute)) else ""],
            [run.machine, run.ranks, sorted(run.settings), run.arguments, _limit_of_simulated_time(run)],
        ]
        return self.folder / f"{hashlib.sha256(json.dumps(depends_on).encode()).hexdigest()[:16]}.json"


def _file_or_name(name: str) -> str:
    """What is in the file of that name, or the name if there is none."""
    try:
        return sha256_of(Path(name))
    except OSError:
        return name


def _limit_of_simulated_time(run: Run) -> str | None:
    """It decides what a run does. A limit of this computer's time decides only whether the run gets to its end here."""
    return dict(zip(run.limits[::2], run.limits[1::2])).get("--max-time")
