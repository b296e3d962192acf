"""20,000 ranks on 5,000 nodes of four processors, in the limits that an ordinary user has."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

RANKS = 20_000
RANK_KIB_MAX = 48

# Round a ring, and a sum of what has come; what all ranks together have had of this computer's memory, in KiB.
RING = """#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char** argv) {
  int rank, ranks, heard, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, &heard, 1, MPI_INT, (rank + ranks - 1) % ranks, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&heard, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (heard != (rank + ranks - 1) % ranks || sum != ranks * (ranks - 1) / 2) return 1;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    char line[200];
    FILE* status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status) != NULL)
      if (strncmp(line, "VmHWM:", 6) == 0) puts(strtok(line + 6, " \\t"));
  }
  MPI_Finalize();
  return 0;
}
"""


def ordinary_user():
    """What goes before a command, so that an ordinary user starts it."""
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--"]


@pytest.mark.no_sanitizer
def test_twenty_thousand_ranks_of_an_ordinary_user(compile_program, run_command, build):
    if os.getuid() == 0 and any(not folder.stat().st_mode & 0o001 for folder in build.parents):
        pytest.skip(f"{build} is closed to other users")
    if int(Path("/proc/sys/vm/max_map_count").read_text()) >= RANKS * 7:
        pytest.skip("this computer's limit of memory mappings is none")
    with tempfile.TemporaryDirectory() as folder:  # pytest's own are closed to other users
        Path(folder).chmod(0o755)
        program = shutil.copy(compile_program(RING), folder)
        command = [build / "bin" / "hindcast", "run", "-m", "cluster", "--set", "site.hall.nodes=5000"]
        user = ordinary_user() if os.getuid() == 0 else []
        done = run_command([*user, *command, "-n", str(RANKS), program], timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) < RANKS * RANK_KIB_MAX
