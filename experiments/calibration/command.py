"""hindcast calibrate."""

import argparse
import math
from contextlib import ExitStack
from pathlib import Path

from experiments.problems import Problem

WITHIN = 0.05


def add_calibrate(commands, add_out) -> None:
    parser = commands.add_parser(
        "calibrate", help="fit a machine's parameters to claims or measurements", description=calibrate.__doc__
    )
    parser.add_argument("machine", metavar="MACHINE", help="a machine's name or file")
    parser.add_argument("names", nargs="*", metavar="EXPERIMENT", help="names or files (all with claims about it)")
    parser.add_argument(
        "--fit", action="append", default=[], metavar="KEY",
        help="fit this parameter, and others given so (all whose kind is 'fitted')",
    )  # fmt: skip
    parser.add_argument(
        "--measured",
        type=Path,
        metavar="FILE",
        help="fit to these times, a CSV with the columns of EXPERIMENT's results",
    )
    parser.add_argument("--quantity", default="time_us", metavar="COLUMN", help="of the measured ones (%(default)s)")
    parser.add_argument(
        "--within", type=float, default=WITHIN, metavar="SHARE", help="how sure a measured time is (%(default)s)"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the machine with the fitted values there")
    parser.add_argument(
        "--predict", action="store_true", help="say what every predicted claim comes to before and after"
    )
    add_out(parser)
    parser.set_defaults(command=calibrate)


def calibrate(options: argparse.Namespace) -> None:
    """Fits parameters of a machine by least squares to the numbers of the claims that calibrate it, or to times that
    were measured, and says what moved, how well each parameter is determined, which cannot be told apart, and what each
    number comes to if it is left out."""
    from experiments.calibration.fit import fit, left_out, profiles
    from experiments.calibration.written import files_of, print_fit
    from experiments.results import refuse_unwritable, write_whole
    from experiments.runner import progress

    if not 0 < options.within < math.inf:
        raise Problem(f"--within {options.within:g}: has to be a number above 0")
    if options.write:
        refuse_unwritable("--write", options.write)
    folder = options.out / "calibration" / Path(options.machine).stem
    with ExitStack() as stack:
        every = _open_samples(options, folder, stack)
        target = _target(options, every)
        parameters = _parameters(options)
        with progress(f"calibrate {options.machine}") as show:
            found = fit(target, parameters, show)
        with progress(f"calibrate {options.machine}: numbers left out") as show:
            left = left_out(target, found, show)
        with progress(f"calibrate {options.machine}: profiles") as show:
            profiled = profiles(target, found, show)
        predictions = _predictions(options, every, found) if options.predict else []
    files = files_of(folder, target, found, left, profiled, predictions)
    if options.write:
        files[options.write] = _machine_with(options, found)
    write_whole(files)
    print_fit(target, found, left, profiled, predictions)
    for file in files:
        print(file)


def _open_samples(options: argparse.Namespace, folder: Path, stack: ExitStack) -> list:
    from experiments.load import find
    from experiments.machines import refuse_no_machine
    from experiments.uncertainty.samples import opened_samples
    from experiments.uncertainty.study import experiments_of

    refuse_no_machine(options.machine)
    chosen = [find(name) for name in options.names] or experiments_of(options.machine)
    if not chosen:
        raise Problem(f"no experiment has claims about {options.machine}: name one")
    if options.measured and len(chosen) != 1:
        raise Problem("--measured: name the one experiment that measures the same")
    for experiment in chosen:
        if experiment.is_comparison:
            raise Problem(f"{experiment.data.name} compares algorithms, and measures no curve")
    return opened_samples(chosen, options.machine, folder, stack)


def _target(options: argparse.Namespace, every: list):
    from experiments.calibration.targets import MeasuredTimes, PublishedNumbers

    if not options.measured:
        target = PublishedNumbers(every)
        without = target.leave_out_what_has_no_value()
        if not target.wanted:
            raise Problem(f"no claim with a number calibrates {options.machine} there")
        if without:
            print(f"Left out, as {options.machine} has no such number as it is: {', '.join(without)}.")
        return target
    return MeasuredTimes(every[0], options.measured, options.quantity, options.within)


def _parameters(options: argparse.Namespace) -> list:
    from experiments.uncertainty.parameters import numbers_of

    every = {parameter.key: parameter for parameter in numbers_of(options.machine)}
    for key in options.fit:
        if key not in every:
            raise Problem(f"--fit {key}: {options.machine} has no such number")
        if not every[key].value:
            raise Problem(f"--fit {key}: is 0, and what is fitted is a multiple of what it was")
    found = [one for one in every.values() if (one.key in options.fit if options.fit else one.kind == "fitted")]
    if not found:
        raise Problem(f"{options.machine} has no fitted parameter: name some with --fit")
    return found


def _predictions(options: argparse.Namespace, every: list, found) -> list:
    """(before, after), scores of each claim that is predicted."""
    from experiments.calibration.fit import draw_of
    from experiments.calibration.targets import taken
    from experiments.score import score_experiment

    draws = [draw_of(found.parameters, [1.0] * len(found.parameters)), draw_of(found.parameters, found.multiples)]
    pairs = []
    predicting = [one for one in every if any(claim.kind == "predicts" for claim in one.experiment.data.claim)]
    for samples in predicting:
        scores = [score_experiment(samples.experiment, taken(samples, draw)) for draw in draws]
        pairs += [(first, second) for first, second in zip(*scores, strict=True) if first.kind == "predicts"]
    return pairs


def _machine_with(options: argparse.Namespace, found) -> bytes:
    from experiments.calibration.machine_text import with_values
    from experiments.machines import machine_path

    fits = options.measured.name if options.measured else "the claims that calibrate"
    text = machine_path(options.machine).read_text()
    return with_values(text, found.values(), fits, found.followers(), found.ranges()).encode()
