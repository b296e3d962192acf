"""hindcast uncertainty."""

import argparse
from pathlib import Path

from experiments.problems import Problem

SAMPLES = 256


def add_uncertainty(commands, add_out) -> None:
    parser = commands.add_parser(
        "uncertainty", help="how sure a machine's results are", description=uncertainty.__doc__
    )
    parser.add_argument("machine", metavar="MACHINE", help="a machine's name or file")
    parser.add_argument("names", nargs="*", metavar="EXPERIMENT", help="names or files (all with claims about it)")
    parser.add_argument("--samples", type=int, default=SAMPLES, metavar="N", help="at most so many draws (%(default)s)")
    parser.add_argument(
        "--method", choices=("sobol", "latin"), default="sobol",
        help="sobol tells the parameters' effects; latin tells shares and bands more finely (%(default)s)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the draws (%(default)s)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="KEY", help="draw this parameter, and others given so"
    )
    parser.add_argument(
        "--alone", action="store_true",
        help="change each by itself instead: the claims it moves, and how far it may go before a verdict changes",
    )  # fmt: skip
    parser.add_argument(
        "--ties", action="store_true",
        help="with --alone: what is so many times another number, cut loose, from half to twice what it is",
    )  # fmt: skip
    add_out(parser)
    parser.set_defaults(command=uncertainty)


def uncertainty(options: argparse.Namespace) -> None:
    """Draws all assumed and fitted parameters of a machine at once, runs experiments with each draw, and says in which
    share of the draws each claim holds, between which values each line lies, and which parameters are behind it. What
    was interrupted goes on where it was."""
    from experiments.load import find
    from experiments.machines import refuse_no_machine
    from experiments.uncertainty.study import Request, experiments_of

    if options.samples < 1:
        raise Problem(f"--samples {options.samples}: has to be 1 or more")
    if options.seed < 0:
        raise Problem(f"--seed {options.seed}: has to be 0 or more")
    refuse_no_machine(options.machine)
    chosen = [find(name) for name in options.names] or experiments_of(options.machine)
    if not chosen:
        raise Problem(f"no experiment has claims about {options.machine}: name one")
    request = Request(options.method, options.samples, options.seed, tuple(options.only))
    for experiment in chosen:
        if experiment.is_comparison:
            raise Problem(f"{experiment.data.name} compares algorithms, and has no bands")
    if options.ties and not options.alone:
        raise Problem("--ties goes with --alone")
    if options.alone:
        return _each_alone(chosen, options)
    for experiment in chosen:
        _study_one(experiment, options.machine, request, options.out)


def _each_alone(chosen: list, options: argparse.Namespace) -> None:
    from contextlib import ExitStack

    from experiments.results import write_whole
    from experiments.runner import progress
    from experiments.uncertainty.alone import alone
    from experiments.uncertainty.alone_written import files_of, print_alone
    from experiments.uncertainty.kept import study_folder
    from experiments.uncertainty.samples import opened_samples
    from experiments.uncertainty.study import chosen_parameters

    machine, keys = options.machine, tuple(options.only)
    folder = study_folder(options.out, f"{Path(machine).stem}.{'ties' if options.ties else 'alone'}")
    with ExitStack() as stack:
        every = opened_samples(chosen, machine, folder, stack)
        with progress(f"{Path(machine).stem}: parameters") as show:
            parameters = chosen_parameters(machine, keys, chosen[0], options.ties)
            found = alone(every, parameters, show)
    files = files_of(folder, Path(machine).stem, found)
    write_whole(files)
    print_alone(Path(machine).stem, found)
    for file in files:
        print(file)


def _study_one(experiment, machine: str, request, out: Path) -> None:
    from experiments.results import write_whole
    from experiments.runner import progress
    from experiments.uncertainty.kept import study_folder
    from experiments.uncertainty.printed import print_study
    from experiments.uncertainty.study import study
    from experiments.uncertainty.written import files_of
    from plots.figure import draw, lines_of

    is_its_own = experiment.data.machine.is_only(machine)
    folder = study_folder(out, experiment.results_name + ("" if is_its_own else f".{Path(machine).stem}"))
    found = study(experiment, machine, request, folder, lines_of, progress)
    files = files_of(found, request, folder)
    if experiment.data.figure is not None:
        drawn = draw(experiment, found.as_it_is, found.changes, found.bands)
        files |= {folder / f"{experiment.data.name}{end}": content for end, content in drawn.items()}
    write_whole(files)
    print_study(found)
    for file in files:
        print(file)
