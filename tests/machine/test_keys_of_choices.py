"""A key of a choice that is not taken may be missing from a machine's file."""

import pytest

HELLO = """#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("progress", ["interrupt", "polling"])
def test_what_hardware_works_on_needs_no_processor(progress, machine_without, run_program):
    machine = machine_without("ideal", "messages.service_cost")
    done = run_program(HELLO, 2, machine=machine)
    assert done.returncode == 0, done.stderr
    refused = run_program(HELLO, 2, machine=machine, launcher=["--set", f"messages.progress={progress}"])
    assert refused.returncode != 0
    assert "messages.service_cost: this key is missing" in refused.stderr
