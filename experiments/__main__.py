"""The commands that are written in Python, from compare to calibrate. The launcher starts this; what a subcommand needs
is imported when it runs."""

import argparse
import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from experiments.calibration.command import add_calibrate
from experiments.one_operation.command import add_compare
from experiments.problems import Problem, folder_of_results
from experiments.shell.standard_output import open_standard_output
from experiments.sweeping.command import add_sweep
from experiments.uncertainty.command import add_uncertainty

CLOSEST = 10  # claims that are shown as nearest to failing
TERMINATED = 128 + signal.SIGTERM  # the exit status that shells give to what the signal has ended


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def __init__(self, **options):
        from rich_argparse import RichHelpFormatter

        super().__init__(formatter_class=RichHelpFormatter, **options)

    def error(self, message: str) -> NoReturn:
        raise Problem(f"{message} ({self.prog} --help)")

    def parse_known_args(
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Leaves nothing to the parser above, whose help has none of a subcommand's options."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(prog="hindcast")
    commands = parser.add_subparsers(required=True, metavar="compare|sweep|experiment|score|uncertainty|calibrate")
    add_compare(commands, add_out)
    add_sweep(commands)
    experiment = commands.add_parser("experiment", help="list and run experiments")
    actions = experiment.add_subparsers(required=True, metavar="list|run")
    actions.add_parser("list", help="all experiments").set_defaults(command=list_experiments)

    run = actions.add_parser("run", help="run some: results, figure, claims", description=run_experiments.__doc__)
    run.add_argument("names", nargs="+", metavar="NAME", help="of an experiment, or the path of its file")
    run.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE[,VALUE...]", dest="changes",
        help="change a parameter of the machine, or machine, ranks, map, operation; of one key, several values",
    )  # fmt: skip
    run.add_argument(
        "--bands", action="store_true", help="draw how sure the lines are, by what 'hindcast uncertainty' left in DIR"
    )
    run.add_argument("-n", "--dry-run", action="store_true", help="only say what would be run, as commands for a shell")
    add_out(run)
    add_times(run)
    run.set_defaults(command=run_experiments)

    score = commands.add_parser("score", help="claims, published and simulated", description=score_claims.__doc__)
    score.add_argument("names", nargs="*", metavar="NAME", help="experiments, or paths of their files (all of them)")
    score.add_argument(
        "--require", type=Path, metavar="FILE", help="fail unless the claims that FILE names, a line each, hold"
    )
    score.add_argument("--run", action="store_true", help="run the experiments first")
    add_out(score)
    add_times(score)
    score.set_defaults(command=score_claims)
    add_uncertainty(commands, add_out)
    add_calibrate(commands, add_out)
    return parser.parse_args(arguments)


def add_out(
    parser: argparse.ArgumentParser, text: str = "where results are kept, in a folder for each experiment (%(default)s)"
) -> None:
    parser.add_argument("--out", type=folder_of_results, default=Path("out"), metavar="DIR", help=text)


def add_times(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--times", action="store_true", help="say at the end how long each experiment took")


def list_experiments(options: argparse.Namespace) -> None:
    from rich.table import Table

    from experiments.load import load, names
    from experiments.tables import print_whole

    table = Table(box=None, pad_edge=False)
    for column in ("NAME", "MACHINE", "CLAIMS", "WHAT"):
        table.add_column(column, no_wrap=True, justify="right" if column == "CLAIMS" else "left")
    for name, path in names().items():
        data = load(path).data
        table.add_row(name, ", ".join(data.machine.names), str(len(data.claim)), data.title)
    print_whole(table)


def run_experiments(options: argparse.Namespace) -> None:
    """Runs experiments, keeps their results as CSV, draws their figures, and holds them to their claims."""
    from experiments.changes import parse_changes
    from experiments.choices import chosen
    from experiments.load import find
    from experiments.shell.dry_run import commands, planned_runs
    from experiments.tables import print_times

    given, times = parse_changes(options.changes), {}
    refuse_beside_dry_run(options)
    every = [find(name) for name in options.names]
    if options.dry_run:
        planned = [chosen(one, given.of(one.data)) for one in every]
        for experiment, changes in planned:
            refuse_operations(experiment, changes)
        runs = [run for experiment, changes in planned for run in planned_runs(experiment, changes)]
        print("\n".join(commands(runs)))
        return
    for place, experiment in placed(every):
        experiment, changes = chosen(experiment, given.of(experiment.data))
        times[experiment.data.name] = timed(
            run_one, experiment, changes, options.out, place=place, with_bands=options.bands
        )
    if options.times:
        print_times(times)


def refuse_beside_dry_run(options: argparse.Namespace) -> None:
    """What -n would pass over in silence."""
    if options.dry_run and options.bands:
        raise Problem("--bands: with -n nothing is drawn; leave one of them out")
    if options.dry_run and options.times:
        raise Problem("--times: with -n nothing is run; leave one of them out")


def placed(items) -> list[tuple[str, object]]:
    """Each with its place among several, as progress tells it."""
    total = len(items)
    return [(f"{number} of {total}: " if total > 1 else "", item) for number, item in enumerate(items, start=1)]


def timed(command, *arguments, **options) -> float:
    """How many seconds of this computer's a command took."""
    start = time.perf_counter()
    command(*arguments, **options)
    return time.perf_counter() - start


def run_one(
    experiment, changes, out: Path, show_claims: bool = True, place: str = "", with_bands: bool = False
) -> None:
    title = place + experiment.data.name
    if with_bands and experiment.is_comparison:
        raise Problem(f"--bands: {experiment.data.name} compares algorithms, and has none")
    if with_bands and changes.texts:
        raise Problem("--bands: they are of the experiment as its file has it; leave out --set")
    if with_bands and experiment.data.figure is None:
        raise Problem(f"--bands: {experiment.data.name} has no figure to draw them in")
    refuse_operations(experiment, changes)
    if experiment.is_comparison and experiment.data.algorithms.together and not sets_operation(changes):
        compare_strategies(experiment, changes, out, title)
    elif experiment.is_comparison:
        compare_algorithms(experiment, changes, out, title)
    else:
        run_curves(experiment, changes, out, title, show_claims, with_bands)


def compare_algorithms(experiment, changes, out: Path, title: str) -> None:
    from experiments.comparison import compare, separate
    from experiments.results import write_whole
    from experiments.runner import progress
    from experiments.score import results_path
    from plots.comparison import draw_comparison

    name = experiment.results_name
    for one in separate(experiment, changes):
        with progress(f"{title} {one.value('operation')}") as show:
            compared = compare(experiment, one, show)
        path = results_path(out, name, one)
        drawn = draw_comparison(experiment.data, compared, one)
        files = {path: compared.csv()} | {path.with_name(path.stem + end): content for end, content in drawn.items()}
        write_whole(files)
        for file in files:
            print(file)
        print("\n".join(compared.verdict()))


def sets_operation(changes) -> bool:
    return "operation" in changes.varied or changes.value("operation") is not None


def refuse_operations(experiment, changes) -> None:
    if sets_operation(changes) and not experiment.is_comparison:
        raise Problem(f"--set operation: {experiment.data.name} has none; comparisons and models have")


def compare_strategies(experiment, changes, out: Path, title: str) -> None:
    from experiments.results import write_whole
    from experiments.runner import progress
    from experiments.score import results_path
    from experiments.strategies import compare_together, in_words, strategies_csv
    from plots.strategies import draw_strategies

    name = experiment.results_name
    for one in changes.each():
        with progress(title) as show:
            every = compare_together(experiment, one, show)
        path = results_path(out, name, one)
        drawn = draw_strategies(experiment.data, every, one)
        files = {path: strategies_csv(every)}
        files |= {path.with_name(path.stem + end): content for end, content in drawn.items()}
        write_whole(files)
        for file in files:
            print(file)
        for compared in every:
            print("\n  ".join([in_words(compared), *(f"left out: {failure}" for failure in compared.failures)]))


def run_curves(experiment, changes, out: Path, title: str, show_claims: bool, with_bands: bool) -> None:
    from experiments.results import write_whole
    from experiments.runner import measure, progress
    from experiments.score import results_path, score_experiment
    from experiments.tables import print_claims, print_models

    name = experiment.results_name
    with progress(title) as show:
        results = measure(experiment, changes, show)
    path = results_path(out, name, changes)
    files = results.files(path)
    if experiment.data.figure is not None:
        from plots.figure import draw

        files |= {
            path.with_name(path.stem + suffix): content
            for suffix, content in draw(experiment, results, changes, kept_bands(experiment, out, with_bands)).items()
        }
    every = model_files(experiment, results, changes, path, files)
    write_whole(files)
    for file in files:
        print(file)
    for models in every:
        print_models(models)
    if show_claims and experiment.data.claim:
        for values in changes.combinations:
            pairs = dict(zip(changes.varied, values, strict=True))
            title = ", ".join(f"{key} = {value}" for key, value in pairs.items()) or None
            print_claims(score_experiment(experiment, results.only(pairs)), title)


def model_files(experiment, results, changes, path: Path, files: dict[Path, bytes]) -> list:
    """The models, if the experiment has some; their tables and figures are put to the files."""
    if experiment.data.models is None:
        return []
    from experiments.model_tables import coefficients_csv, latex, lines_csv
    from experiments.modelled import model_sets
    from plots.models import draw_models

    every = model_sets(experiment, results, changes)
    files[path.with_name(f"{path.stem}.models.csv")] = coefficients_csv(every, changes.varied, results.head)
    files[path.with_name(f"{path.stem}.lines.csv")] = lines_csv(every, changes.varied, results.head)
    files[path.with_name(f"{path.stem}.tex")] = latex(every, experiment.data.title).encode()
    for models in every:
        name = ".".join([path.stem, *(re.sub(r"[^\w.=+-]", "_", value) for value in models.values)])
        if experiment.data.figure is not None:  # which has the name without more
            name += ".models"
        drawn = draw_models(experiment.data, models, changes) if models.modelled else {}
        files |= {path.with_name(name + end): content for end, content in drawn.items()}
    return every


def kept_bands(experiment, out: Path, are_wanted: bool) -> dict:
    from experiments.uncertainty.kept import read_bands

    bands = read_bands(out, experiment.results_name, experiment.data.name) if are_wanted else {}
    if are_wanted and not bands:
        command = shlex.join(["hindcast", "uncertainty", experiment.data.machine.first, experiment.given])
        raise Problem(f"--bands: {experiment.given} has none in {out}: first run {command}")
    return bands


def score_claims(options: argparse.Namespace) -> None:
    """Prints every claim with what was published and what was simulated, by the results that lie in DIR, and writes
    DIR/scoreboard.json and DIR/report.html, with the figures. Runs nothing, unless told to with --run."""
    from experiments.changes import Changes
    from experiments.load import find, load, names
    from experiments.results import write_whole
    from experiments.score import closest, count_by_machine, counts_csv, missing, score_kept_results, scoreboard_json
    from experiments.tables import console, counts_table, print_claims, print_closest, print_times
    from plots.report import report_html

    if options.times and not options.run:
        raise Problem("--times: nothing is run without --run; give it too, or leave --times out")
    required = claims_named_in(options.require) if options.require else []

    chosen = {experiment.data.name: experiment for experiment in map(find, options.names)}
    every = {name: load(path) for name, path in names().items()} | chosen
    chosen = chosen or every
    times = {
        experiment.data.name: timed(run_one, experiment, Changes(), options.out, show_claims=False, place=place)
        for place, experiment in placed([one for one in chosen.values() if options.run and one.data.claim])
    }
    scores = [score for experiment in every.values() for score in score_kept_results(experiment, options.out)]
    scores.sort(key=lambda score: score.id)
    machine_of = {name: experiment.data.machine.first for name, experiment in every.items()}
    counts = count_by_machine(scores, machine_of)
    files = {
        options.out / "scoreboard.json": scoreboard_json(scores),
        options.out / "counts.csv": counts_csv(counts),
        options.out / "report.html": report_html(every.values(), scores, options.out),
    }
    write_whole(files)
    failing = missing(scores, required)
    scores = [score for score in scores if score.experiment in chosen]
    if scores:
        print_claims(scores)
    else:
        print(f"{', '.join(chosen)}: no claims")
    if nearest := closest(scores, CLOSEST):
        print_closest(nearest)
    console().print(counts_table(counts))
    for file in files:
        print(file)
    if options.times:
        print_times(times)
    if failing:
        raise Problem(f"{options.require}: " + "; ".join(failing))


def claims_named_in(path: Path) -> list[str]:
    """A line each; what follows a # is a comment."""
    try:
        lines = [line.partition("#")[0].strip() for line in path.read_text().splitlines()]
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Problem(f"{path}: not UTF-8: {error.reason}") from error
    return [line for line in lines if line]


def main() -> int:
    output = open_standard_output()
    try:
        status = run_command()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    if output.failure is None:
        return status
    print(f"hindcast: standard output cannot be written: {output.failure.strerror}", file=sys.stderr)
    return status or 1


def run_command() -> int:
    try:
        signal.signal(signal.SIGTERM, end_when_terminated)
        options = parse(sys.argv[1:])
        refuse_removed_working_directory()
        return options.command(options) or 0
    except Problem as problem:
        print(f"hindcast: {problem}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as missing:
        print(
            f"hindcast: {sys.executable} has no package '{missing.name}': ./hindcast, in the source tree, sets Python "
            "up; or install the packages of requirements.lock",
            file=sys.stderr,
        )
        return 1
    except SystemExit as end:  # after --help, or when terminated
        return int(end.code or 0)
    except KeyboardInterrupt:
        return 130


def end_when_terminated(_signal: int, _frame: object) -> NoReturn:
    """On the way out runs are ended and folders removed, as after an interrupt. A second signal does not disturb it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(TERMINATED)


def refuse_removed_working_directory() -> None:
    try:
        Path.cwd()
    except FileNotFoundError as error:
        raise Problem("the working directory is not there any more") from error


if __name__ == "__main__":
    sys.exit(main())
