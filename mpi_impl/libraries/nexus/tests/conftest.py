"""The machine that this library's tests run on: Nexus on MPL and TCP, on a switch of invented numbers."""

from pathlib import Path

import pytest

MACHINE = Path(__file__).parent / "example.toml"


@pytest.fixture(scope="session")
def run_on_nexus(strict_runs_on):
    """run_on_nexus(source, n, *args, settings=["nexus.pass=left"]): as run_program, on that machine."""
    return strict_runs_on(MACHINE, "-std=gnu99")


@pytest.fixture(scope="session")
def nexus_output(run_on_nexus, same_ahead_and_in_lockstep):
    """The standard output of a program that ends well, which is the same ahead of the clock and in lockstep."""
    return same_ahead_and_in_lockstep(run_on_nexus)
