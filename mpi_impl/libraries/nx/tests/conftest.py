"""The machine that this library's tests run on, which is the folder's own."""

from pathlib import Path

import pytest

MACHINE = Path(__file__).parents[1] / "example.toml"


@pytest.fixture(scope="session")
def run_on_nx(run_program):
    """run_on_nx(source, n, *args, settings=["nx.probe=1us"]): as run_program, on the example's machine."""

    def run_it(source, n, *args, settings=(), launcher=(), **options):
        flags = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
        settings = [word for setting in settings for word in ("--set", setting)]
        return run_program(source, n, *args, machine=MACHINE, launcher=[*settings, *launcher], flags=flags, **options)

    return run_it


@pytest.fixture(scope="session")
def same_ahead_and_in_lockstep(run_on_nx):
    """The standard output of a program that ends well, which is the same in both."""

    def run_both(source, n, *args, settings=()):
        ahead = run_on_nx(source, n, *args, settings=settings)
        assert (ahead.returncode, ahead.stderr) == (0, "")
        lockstep = run_on_nx(source, n, *args, settings=settings, launcher=["--lockstep"])
        assert (lockstep.returncode, lockstep.stdout, lockstep.stderr) == (0, ahead.stdout, "")
        return ahead.stdout

    return run_both
