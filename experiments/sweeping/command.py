"""hindcast sweep."""

import argparse
import sys
from functools import partial
from pathlib import Path

from experiments.problems import Problem, folder_of_results

LIMITS = ("--max-time", "--max-host-time")  # of the machine's time, and of this computer's


def add_sweep(commands) -> None:
    # Options of the program that look like shortened ones of ours are not looked into.
    parser = commands.add_parser(
        "sweep", help="run a program with every combination of values", description=sweep.__doc__, allow_abbrev=False
    )

    def add_axis(*options: str, **more) -> None:
        """All into one list, because the order in which they are given is the order of the runs."""
        parser.add_argument(
            *options, dest="given", action="append", default=[], type=partial(_with_option, options[0]), **more
        )

    add_axis("-m", "--machine", metavar="MACHINE,...", help="machines' names or files (ideal, or HINDCAST_MACHINE)")
    add_axis("-n", "-np", "--ranks", metavar="RANKS,...", help="how many ranks to start (1)")
    add_axis("--map", metavar="MAP", help="which nodes, as of 'hindcast run'; several times for several maps")
    add_axis(
        "--set", metavar="KEY=VALUE[,VALUE...]", help="change a parameter of the machine; several times if need be"
    )
    add_axis(
        "--compute", metavar="WAY,...",
        help="what computation takes: free, charged or recorded:[FACTOR:]FILE, which may hold {NAME} as ARGUMENTS do",
    )  # fmt: skip
    add_axis("--with", metavar="NAME=VALUE[,VALUE...]", help="what comes in the place of {NAME} in ARGUMENTS")
    parser.add_argument(
        "--out",
        type=folder_of_results,
        metavar="DIR",
        help="where results are kept (out/sweep/ and the program's name)",
    )
    parser.add_argument("--part", metavar="K/N", help="do each N-th run from the K-th on, as one of N jobs; no tables")
    for option in LIMITS:
        parser.add_argument(
            option, metavar="TIME", help=f"end each run that has taken so long, as {option} of 'hindcast run'"
        )
    parser.add_argument("--dry-run", action="store_true", help="only say what would be run, as commands for a shell")
    parser.add_argument(
        "words", nargs=argparse.PARSER, metavar="PROGRAM",
        help="a program or a source file, and its ARGUMENTS, which may hold {NAME}, {machine} and {ranks}",
    )  # fmt: skip
    parser.set_defaults(command=sweep)


def _with_option(option: str, text: str) -> tuple[str, str]:
    return option, text


def _words_of(option: str, options: argparse.Namespace) -> tuple[str, ...]:
    value = getattr(options, option.removeprefix("--").replace("-", "_"))
    return (option, value) if value is not None else ()


def sweep(options: argparse.Namespace) -> int:
    """Runs a program with every combination of machines, numbers of ranks, maps, parameters of the machines and
    arguments. Keeps what each run prints, and writes one table of all. What was interrupted goes on where it was."""
    from experiments.shell.dry_run import commands
    from experiments.sweeping.arguments import refuse_misspelt
    from experiments.sweeping.axes import axes_of
    from experiments.sweeping.combinations import combinations, parse_part
    from experiments.sweeping.performed import Sweep, perform
    from experiments.sweeping.program import find_program, name_of_results

    name, *arguments = options.words[1:] if options.words[0] == "--" else options.words
    part = parse_part(options.part) if options.part is not None else None
    axes = axes_of(options.given)
    ways = [way for axis in axes if axis.option == "--compute" for way in axis.values]
    refuse_misspelt([*arguments, *ways], [axis.key for axis in axes if axis.option == "--with"])
    program = find_program(name)
    limits = tuple(word for option in LIMITS for word in _words_of(option, options))
    _refuse_options(limits)
    every = combinations(axes, program, arguments, limits)
    for way in dict.fromkeys(combination.run.compute for combination in every):
        _refuse_options(("--compute", way) if way else ())
    _refuse_what_cannot_begin([combination.run for combination in every], name_of_results(program))
    wanted = part.taken(every) if part else every
    if options.dry_run:
        for line in commands(combination.run for combination in wanted):
            print(line)
        return 0
    if not any(option == "-n" for option, _ in options.given):
        print(f"hindcast: one rank of {name} runs: -n RANKS before it says how many", file=sys.stderr)
    command = ("hindcast", "sweep", *(word for axis in axes for word in axis.words), *limits, "--", name, *arguments)
    folder = options.out or Path("out") / "sweep" / name_of_results(program)
    return perform(Sweep(program, command, folder, wanted, part))


def _refuse_options(given: tuple[str, ...]) -> None:
    """The launcher reads them before the size of stacks, so this run is refused in any case: no program is started."""
    from experiments.machines import refusal_of

    no_stack = ("--stack", "0")
    refusal = refusal_of(("run", *given, *no_stack, "--", sys.executable))
    if not refusal.startswith(" ".join(no_stack)):
        raise Problem(refusal)


def _refuse_what_cannot_begin(runs: list, name: str) -> None:
    from experiments.machines import check_settings
    from experiments.plan import first_refusal
    from experiments.runner import progress

    for run in runs:
        check_settings(run.machine, ())  # says of a machine that there is none what is nearest to it
    with progress(f"sweep {name}: whether all can begin") as show:
        refusal = first_refusal(runs, show)
    if refusal:
        raise Problem(refusal)
