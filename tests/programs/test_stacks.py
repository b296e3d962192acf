"""Where a program's functions run: SimGrid's stacks have no room for them and no guard, so none may run there."""

from collections import Counter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent / "sources" / "stacks.cpp"
RANKS = 5
CALLED = [
    *["constructor", "destructor", "destructor of the main thread", "function at exit", "signal handler"],
    *["thread", "destructor of a thread", "destructor of a thread's value", "operation"],
    *["error handler of a communicator", "error handler of a window", "copy of a communicator's attribute"],
    *["deletion of a communicator's attribute", "deletion of a type's attribute", "deletion of a window's attribute"],
    *["deletion in MPI_Finalize", "query of a request", "end of a request", "cancellation of a request"],
]
MACHINES = ["ideal", "ap1000", "t3e-900", "ap3000", "earth-simulator", "argonne-sp", "i-way"]


@pytest.mark.no_sanitizer  # which keeps frames elsewhere
@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_called_of_a_program_runs_on_its_own_stack(run_program, machine):
    done = run_program(SOURCE, RANKS, machine=machine, cxx=True, launcher=["--compute", "free"])
    assert (done.returncode, done.stderr) == (0, "")
    assert "ELSEWHERE" not in done.stdout
    said = Counter(line.removesuffix(" on its stack") for line in done.stdout.splitlines())
    assert {what: count for what, count in said.items() if count < RANKS} == {}
    assert sorted(said) == sorted(CALLED)
