"""A program that goes on until time has passed does not end where computation takes none: that is said meanwhile."""

import os
import pty
import re
import signal
import subprocess

import pytest

UNTIL_TIME_HAS_PASSED = """
#include <mpi.h>
#include <hindcast.h>
int main(int argc, char** argv) {
  int rank;
  volatile double sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) hindcast_compute_flops(1);
  for (long turns = 1; rank == 1; turns *= 2) {
    const double begin = MPI_Wtime();
    for (long turn = 0; turn < turns; ++turn) sum += (double)turn;
    if (MPI_Wtime() - begin > 0.1) break;
  }
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture
def program(compile_program):
    return compile_program(UNTIL_TIME_HAS_PASSED)


def first_line_on_a_terminal(*command):
    """What is said on standard error, a terminal, before the command is ended by Ctrl-C, or ends."""
    here, there = pty.openpty()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=there)
    os.close(there)
    with os.fdopen(here, errors="replace") as terminal:
        line = terminal.readline().strip()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
    return line


@pytest.mark.parametrize("machine", ["ideal", "ap1000"])
def test_a_rank_that_computes_long_while_its_clock_stands_is_told_of_as_the_run_goes_on(build, program, machine):
    line = first_line_on_a_terminal(build / "bin" / "hindcast", "run", "-m", machine, "-n", 2, program)
    assert re.match(
        r"hindcast: rank 1 has computed for \d+ s of this computer's time, and its clock has come from [\d.]+ us to "
        r"[\d.]+ us: computation takes no simulated time unless it is declared \(hindcast.h\) or measured "
        r"\(--compute measured:FACTOR\), and a program that goes on until some time has passed may not end",
        line,
    )


@pytest.mark.parametrize("asked", [["--compute", "free"], ["declared"]])
def test_nothing_is_said_where_computation_is_free_on_purpose_or_declared(build, program, asked):
    options, arguments = (asked, []) if asked[0].startswith("--") else ([], asked)
    run = [build / "bin" / "hindcast", "run", "-n", 2, "--max-host-time", "9s", *options, program, *arguments]
    assert first_line_on_a_terminal(*run).startswith("hindcast: this computer's time is up (--max-host-time)")
