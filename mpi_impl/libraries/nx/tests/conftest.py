"""The machine that this library's tests run on, which is the folder's own."""

from pathlib import Path

import pytest

MACHINE = Path(__file__).parents[1] / "example.toml"


@pytest.fixture(scope="session")
def run_on_nx(strict_runs_on):
    """run_on_nx(source, n, *args, settings=["nx.probe=1us"]): as run_program, on that machine."""
    return strict_runs_on(MACHINE, "-std=c99")


@pytest.fixture(scope="session")
def nx_output(run_on_nx, same_ahead_and_in_lockstep):
    """The standard output of a program that ends well, which is the same ahead of the clock and in lockstep."""
    return same_ahead_and_in_lockstep(run_on_nx)
