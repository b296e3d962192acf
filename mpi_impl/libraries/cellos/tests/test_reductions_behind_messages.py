"""Reductions over the T-net whose numbers wait in a cell's port behind a message."""

from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "programs" / "reductions_behind_messages.c"


@pytest.mark.parametrize("launcher", [(), ("--lockstep",)], ids=["ahead", "lockstep"])
@pytest.mark.parametrize("ranks", [2, 3, 5, 8, 13])
def test_each_reduction_has_its_own_result(run_program, ranks, launcher):
    done = run_program(PROGRAM, ranks, machine="ap1000", launcher=launcher)
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split("\n")[:-1]) == sorted(f"{rank}: 0 wrong" for rank in range(ranks))
