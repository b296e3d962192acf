"""Several processes on a node of the AP3000 take turns on its processor."""

import pytest

PROGRAM = """
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double start = MPI_Wtime();
  hindcast_compute_seconds(0.04);
  printf("%.3f\\n", (MPI_Wtime() - start) * 1e3);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("mode", [[], ["--lockstep"]])
def test_two_on_a_node_take_twice_as_long_and_their_switches(run_program, mode):
    alone = run_program(PROGRAM, 2, machine="ap3000", launcher=mode)
    assert [float(line) for line in alone.stdout.splitlines()] == [pytest.approx(40, abs=2e-3)] * 2
    together = run_program(PROGRAM, 4, machine="ap3000", launcher=["--map", "cyclic:2", *mode])
    # Eight slices of 10 ms and two looks at the clock, each after a switch of 50 us.
    assert [float(line) for line in together.stdout.splitlines()] == [pytest.approx(80 + 10 * 0.05, abs=5e-3)] * 4
    longer = run_program(
        PROGRAM, 2, machine="ap3000", launcher=["--map", "cyclic:1", "--set", "ap3000.time_slice=40ms", *mode]
    )
    assert max(float(line) for line in longer.stdout.splitlines()) == pytest.approx(80 + 4 * 0.05, abs=5e-3)
