"""The machine that this library's tests run on: MPL alone, on a switch of invented numbers."""

from pathlib import Path

import pytest

MACHINE = Path(__file__).parent / "sp.toml"


@pytest.fixture(scope="session")
def run_on_mpl(strict_runs_on):
    """run_on_mpl(source, n, *args, settings=["mpl.status=1us"]): as run_program, on that machine."""
    return strict_runs_on(MACHINE, "-std=gnu99")


@pytest.fixture(scope="session")
def mpl_output(run_on_mpl, same_ahead_and_in_lockstep):
    """The standard output of a program that ends well, which is the same ahead of the clock and in lockstep."""
    return same_ahead_and_in_lockstep(run_on_mpl)
