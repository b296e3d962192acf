"""What the tests of several libraries share: programs on a machine file, and the same output in lockstep."""

import json
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "common" / "tests" / "programs"
MESSAGE_TIMES = PROGRAMS / "mpi_times.c"


@pytest.fixture(scope="session")
def runs_on(run_program):
    """runs_on(machine, "-std=c99"): a function as run_program, on that machine, which takes settings=["key=value"]."""

    def make(usual_machine, *flags):
        def run_it(source, n, *args, settings=(), launcher=(), machine=usual_machine, **options):
            words = [word for setting in settings for word in ("--set", setting)]
            launcher = [*words, *launcher]
            return run_program(source, n, *args, machine=machine, launcher=launcher, flags=flags, **options)

        return run_it

    return make


@pytest.fixture(scope="session")
def strict_runs_on(runs_on):
    """strict_runs_on(machine, "-std=c99"): the same, of programs that have to compile without a warning."""

    def make(machine, standard):
        return runs_on(machine, standard, "-Wall", "-Wextra", "-Werror")

    return make


@pytest.fixture(scope="session")
def same_ahead_and_in_lockstep():
    """same_ahead_and_in_lockstep(run): the standard output of a program that ends well, which is the same in both."""

    def make(run):
        def run_both(source, n, *args, launcher=(), **options):
            ahead = run(source, n, *args, launcher=launcher, **options)
            assert (ahead.returncode, ahead.stderr) == (0, "")
            lockstep = run(source, n, *args, launcher=[*launcher, "--lockstep"], **options)
            assert (lockstep.returncode, lockstep.stdout, lockstep.stderr) == (0, ahead.stdout, "")
            return ahead.stdout

        return run_both

    return make


@pytest.fixture(scope="session")
def message_times():
    """message_times(output, bytes, "key=value"): what MPI's calls take on two ranks, in us, by a call's name."""

    def measure(output, count, *settings):
        lines = output(MESSAGE_TIMES, 2, count, settings=settings).splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}

    return measure


@pytest.fixture(scope="session")
def gaps_without_room(hindcast, compile_program):
    """gaps_without_room(machine, messages, bytes, "key=value", where=["--map", "0,9"]): the gaps, each with its
    time in seconds, on the way of the last of some messages to a rank that computes for a second, and has no room for
    all."""

    def explain(machine, messages, count, *settings, where=()):
        words = [word for setting in settings for word in ("--set", setting)]
        program = compile_program(PROGRAMS / "no_room.c")
        done = hindcast("explain", "-m", machine, "-n", 2, "--json", *where, *words, "--", program, messages, count)
        assert done.returncode == 0, done.stderr
        return [(step["gap"], step["time_ps"] / 1e12) for step in json.loads(done.stdout)["steps"] if "gap" in step]

    return explain
