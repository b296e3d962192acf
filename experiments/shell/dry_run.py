"""What would be run, as commands that a shell takes: programs whose sources are given are compiled first, into the
working directory."""

import shlex
from collections.abc import Iterable
from pathlib import Path

from experiments.changes import Changes
from experiments.load import LoadedExperiment
from experiments.plan import Run, first_refusal, plan
from experiments.problems import Problem
from experiments.shell.compilers import compile_command, is_source


def planned_runs(experiment: LoadedExperiment, changes: Changes) -> list[Run]:
    """Problem if one of them could not begin."""
    runs = _planned(experiment, changes)
    if refusal := first_refusal(runs):
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
    made = _programs(dict.fromkeys(run.program for run in runs if is_source(run.program)))
    compiling = [compile_command(source, program) for source, program in made.items()]
    starting = [run.command(in_a_folder(made.get(run.program, run.program))) for run in runs]
    return [shlex.join(words) for words in [*compiling, *starting]]


def in_a_folder(program: str | Path) -> str:
    """As a command names it, so that it is not looked for on the PATH."""
    return str(program) if "/" in str(program) else f"./{program}"


def _programs(sources: Iterable[Path]) -> dict[Path, str]:
    """Sources of different folders may have one name."""
    programs: dict[Path, str] = {}
    for source in sources:
        alike = sum(other.stem == source.stem for other in programs)
        programs[source] = f"{source.stem}-{alike + 1}" if alike else source.stem
    return programs
