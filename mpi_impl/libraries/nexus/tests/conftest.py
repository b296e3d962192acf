"""The machine that this library's tests run on: Nexus on MPL and TCP, on a switch of invented numbers."""

from pathlib import Path

import pytest

MACHINE = Path(__file__).parent / "example.toml"


@pytest.fixture(scope="session")
def run_on_nexus(run_program):
    """run_on_nexus(source, n, *args, settings=["nexus.pass=left"]): as run_program, on that machine."""

    def run_it(source, n, *args, settings=(), launcher=(), machine=MACHINE, **options):
        flags = ["-std=gnu99", "-Wall", "-Wextra", "-Werror"]
        settings = [word for setting in settings for word in ("--set", setting)]
        return run_program(source, n, *args, machine=machine, launcher=[*settings, *launcher], flags=flags, **options)

    return run_it


@pytest.fixture(scope="session")
def nexus_output(run_on_nexus):
    """The standard output of a program that ends well, which is the same ahead of the clock and in lockstep."""

    def run_both(source, n, *args, settings=()):
        ahead = run_on_nexus(source, n, *args, settings=settings)
        assert (ahead.returncode, ahead.stderr) == (0, "")
        lockstep = run_on_nexus(source, n, *args, settings=settings, launcher=["--lockstep"])
        assert (lockstep.returncode, lockstep.stdout, lockstep.stderr) == (0, ahead.stdout, "")
        return ahead.stdout

    return run_both
