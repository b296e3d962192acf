"""hindcast compare."""

import argparse
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from experiments.one_operation import BETWEEN_TWO
from experiments.problems import Problem


def add_compare(commands, add_out) -> None:
    parser = commands.add_parser("compare", help="one operation, several machines or ways", description=compare.__doc__)
    parser.add_argument(
        "operation", metavar="OPERATION",
        help=f"{', '.join(BETWEEN_TWO)}; a collective such as allreduce; or the source of a measuring program, which "
        "is started with the bytes and prints bytes, ranks and time_us",
    )  # fmt: skip
    parser.add_argument(
        "-m", "--machine", default=os.environ.get("HINDCAST_MACHINE") or "ideal", metavar="MACHINE[,MACHINE...]",
        help="names or files (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "-n", "-np", "--ranks", default="", metavar="RANKS[,RANKS...]",
        help="2 between two ranks, else 16; several: over ranks, at one size; of several sizes too: curves for each",
    )  # fmt: skip
    parser.add_argument(
        "-b", "--bytes", default="", metavar="SIZE[,SIZE...]", help="such as 8,1KiB,1MiB (8 to 1 MiB; over ranks 8)"
    )
    parser.add_argument(
        "-a", "--algorithms", default="", metavar="NAME[,NAME...]",
        help="of a collective operation; 'table' is what the machine's table takes",
    )  # fmt: skip
    parser.add_argument(
        "--map", action="append", default=[], metavar="MAP", dest="maps",
        help="which nodes, as for 'hindcast run'; given several times, each is compared",
    )  # fmt: skip
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE[,VALUE...]", dest="changes",
        help="change a parameter of the machines; of several values each has a curve",
    )  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="only say what would be run, as commands for a shell")
    add_out(parser, "where results are kept, in a folder 'compare' (%(default)s)")
    parser.set_defaults(command=compare)


def compare(options: argparse.Namespace) -> None:
    """Takes the times of one operation on several machines, by several algorithms, or with several values of
    parameters, prints them as a table, and draws them."""
    from experiments.one_operation.answer import answer
    from experiments.results import write_whole
    from experiments.runner import measure, progress
    from experiments.shell.dry_run import commands, planned_runs
    from experiments.tables import print_whole

    question = asked(options)
    experiment, changes = question.experiment(as_given()), question.changes()
    runs = planned_runs(experiment, changes)
    if options.dry_run:
        print("\n".join(commands(runs)))
        return
    with progress(f"compare {question.operation}") as show:
        results = measure(experiment, changes, show)
    found = answer(experiment, results, changes, question.title)
    if not found.places:
        raise Problem(f"{question.title}: nothing was measured, as so many bytes are too many for the program")
    path = options.out / "compare" / f"{question.name}.csv"
    drawn = with_linear_times_if_some_are_none(experiment, found)
    files = results.files(path) | figure_files(drawn, results, changes, path)
    write_whole(files)
    print(found.title)
    print_whole(found.table(), even_beyond_a_terminal=True)
    print("\n".join([*found.in_words(), *map(str, files)]))


def asked(options: argparse.Namespace):
    from experiments.changes import refuse_missing_or_repeated, values_of
    from experiments.one_operation.question import UNITS_OF_SIZES, Question, checked, whole_numbers

    def several(option: str, text: str) -> tuple[str, ...]:
        return values_of(f"{option} {text}", option, text) if text else ()

    refuse_missing_or_repeated(" ".join(f"--map {one}" for one in options.maps), options.maps)
    question = Question(
        options.operation,
        values_of(f"--machine {options.machine}", "machine", options.machine),
        whole_numbers("--ranks", options.ranks),
        whole_numbers("--bytes", options.bytes, UNITS_OF_SIZES),
        tuple(options.maps),
        options.changes,
        several("--algorithms", options.algorithms),
    )
    return checked(question)


def with_linear_times_if_some_are_none(experiment, found):
    """What takes no time, as a barrier of one rank does, has no place on a logarithmic axis."""
    if all(time > 0 for place in found.places for time in place.times.values()):
        return experiment
    (panel,) = experiment.data.figure.panel
    linear = panel.model_copy(update={"y": panel.y.model_copy(update={"scale": "linear"})})
    figure = experiment.data.figure.model_copy(update={"panel": [linear]})
    return replace(experiment, data=experiment.data.model_copy(update={"figure": figure}))


def figure_files(experiment, results, changes, path: Path) -> dict[Path, bytes]:
    from plots.figure import draw

    drawn = draw(experiment, results, changes)
    data = experiment.data
    ways = [*changes.texts, f"curves={','.join(curve.name for curve in data.curve)}"]
    drawn[".caption.txt"] = f"{data.title}: {', '.join(ways)}.\nMeasured: {data.rule}.\n".encode()
    return {path.with_name(path.stem + ending): content for ending, content in drawn.items()}


def as_given() -> str:
    return shlex.join(["hindcast", *sys.argv[1:]])
