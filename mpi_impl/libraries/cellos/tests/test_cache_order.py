"""What passes through a cell's cache does so in the order of its time, however far ahead of the clock a cell runs."""

from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "programs" / "cache_order.c"


@pytest.mark.parametrize("seed", [1, 2, 6, 10, 26])
def test_broadcasts_take_the_same_time_in_lockstep(run_program, seed):
    ahead, lockstep = (run_program(PROGRAM, 4, seed, machine="ap1000", launcher=mode) for mode in ([], ["--lockstep"]))
    assert ahead.returncode == 0, ahead.stderr
    assert len(ahead.stdout.splitlines()) == 8
    assert ahead.stdout == lockstep.stdout
