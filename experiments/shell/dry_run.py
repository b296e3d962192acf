"""What would be run, as commands that a shell takes: the programs are compiled first, into the working directory."""

import shlex
from collections.abc import Iterable
from pathlib import Path

from experiments.changes import Changes
from experiments.load import LoadedExperiment
from experiments.machines import refusal_of
from experiments.plan import Run, plan
from experiments.problems import Problem
from experiments.shell.compilers import compile_command


def planned_runs(experiment: LoadedExperiment, changes: Changes) -> list[Run]:
    """Problem if one of them could not begin."""
    runs = _planned(experiment, changes)
    for question in dict.fromkeys(run.question() for run in runs):
        if refusal := refusal_of(question):
            raise Problem(f"{experiment.data.name}: {refusal}")
    return runs


def _planned(experiment: LoadedExperiment, changes: Changes) -> list[Run]:
    if experiment.is_comparison:
        from experiments.comparison import plan_comparison, separate

        plans = [plan_comparison(experiment, one) for one in separate(experiment, changes)]
        return [run for plan in plans for run in plan.runs.values()]
    return [point.run for point in plan(experiment, changes)]


def commands(runs: Iterable[Run]) -> list[str]:
    runs = list(dict.fromkeys(runs))
    programs = _programs(dict.fromkeys(run.program for run in runs))
    compiling = [compile_command(source, program) for source, program in programs.items()]
    return [shlex.join(words) for words in [*compiling, *(run.command(f"./{programs[run.program]}") for run in runs)]]


def _programs(sources: Iterable[Path]) -> dict[Path, str]:
    """Sources of different folders may have one name."""
    programs: dict[Path, str] = {}
    for source in sources:
        alike = sum(other.stem == source.stem for other in programs)
        programs[source] = f"{source.stem}-{alike + 1}" if alike else source.stem
    return programs
