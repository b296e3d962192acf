"""Static data is symmetric: the program's own variables and those of its own libraries, of clones and of copies."""

import pytest

LIBRARY = """
long in_library[4];
static long hidden = 7;
long* hidden_of_library(void) { return &hidden; }
"""

PROGRAM = """
#include <mpp/shmem.h>
#include <stdio.h>
extern long in_library[4];
long* hidden_of_library(void);
long global[100] = {1};
static double zeroed[3];
int* counter(void) { static int count; return &count; }

int main(void) {
  start_pes(0);
  const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
  const long number = 100 + me;
  const double real = me + 0.5;
  shmem_barrier_all();
  shmem_long_put(&global[99], &number, 1, next);
  shmem_double_put(&zeroed[2], &real, 1, next);
  shmem_long_put(&in_library[3], &number, 1, next);
  const long before = shmem_long_swap(hidden_of_library(), number, next);
  shmem_int_finc(counter(), next);
  shmem_barrier_all();
  const int previous = (me + n - 1) % n;
  if (global[0] != 1 || global[99] != 100 + previous) return 1;
  if (zeroed[2] != previous + 0.5) return 2;
  if (in_library[3] != 100 + previous) return 3;
  if (before != 7 || *hidden_of_library() != 100 + previous) return 4;
  if (*counter() != 1) return 5;
  long got = 0;
  shmem_long_get(&got, &in_library[3], 1, next);
  if (got != number) return 6;
  return 0;
}
"""


@pytest.fixture
def program(build, run_command, tmp_path):
    (tmp_path / "own.c").write_text(LIBRARY)
    (tmp_path / "program.c").write_text(PROGRAM)
    for command in (
        ["cc", "-shared", "-fPIC", tmp_path / "own.c", "-o", tmp_path / "libown.so"],
        [
            build / "bin" / "hindcast-mpicc",
            tmp_path / "program.c",
            "-o",
            tmp_path / "program",
            f"-L{tmp_path}",
            "-lown",
            f"-Wl,-rpath,{tmp_path}",
        ],
    ):
        done = run_command(command)
        assert done.returncode == 0, done.stderr
    return tmp_path / "program"


@pytest.mark.parametrize("launcher", [(), ("--separate-files",)], ids=["clones", "copies"])
@pytest.mark.parametrize("pes", [1, 2, 5])
def test_variables_lie_at_the_same_place_on_every_pe(hindcast, program, pes, launcher):
    done = hindcast("run", *launcher, "-m", "t3e-900", "-n", pes, program)
    assert (done.returncode, done.stderr) == (0, "")


def test_another_program_has_no_counterpart(hindcast, program, tmp_path):
    (tmp_path / "other").write_bytes(program.read_bytes())
    (tmp_path / "other").chmod(0o755)
    done = hindcast("run", "-m", "t3e-900", "-n", "1", program, ":", "-n", "1", tmp_path / "other")
    assert done.returncode == 1
    assert "shmem_long_put: argument 1 (target) is not symmetric" in done.stderr
