"""How many communicators can be made on the AP1000: each takes two numbers of a process's stack of domains, and every
member is registered in both. The program looks whether all ranks see the same error, with nothing half-made."""

import re
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "programs" / "communicators_run_out.c"
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
# The ways to make them, and how many others it takes to be able to.
WAYS = {
    "dup": 0,
    "idup": 0,
    "split": 0,
    "create": 0,
    "create_group": 0,
    "cart": 0,
    "graph": 0,
    "dist_graph": 0,
    "intercomm_create": 1,
    "intercomm_dup": 2,
    "intercomm_idup": 2,
    "merge": 2,
}
PREDEFINED = 2  # MPI_COMM_WORLD and MPI_COMM_SELF


def made(run_program, *words, **settings):
    launcher = [word for key, value in settings.items() for word in ("--set", f"{key.replace('__', '.', 1)}={value}")]
    outputs = []
    for mode in ([], ["--lockstep"]):
        done = run_program(PROGRAM, 3, *words, machine="ap1000", launcher=[*launcher, *mode], flags=FLAGS)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        assert "ok\n" in done.stdout
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    return int(re.search(r"^made (\d+)$", outputs[0], re.MULTILINE)[1])


@pytest.mark.parametrize("way", WAYS)
def test_rank_0_makes_as_many_as_its_stack_has_pairs_of_domains(way, run_program):
    assert made(run_program, way, mpi__domain_stack=12) == 6 - WAYS[way]


@pytest.mark.parametrize("way", WAYS)
def test_a_member_has_room_for_so_many_domains(way, run_program):
    assert made(run_program, way, cellos__domains_max=20) == 10 - PREDEFINED - WAYS[way]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("others", [3, 4])
def test_one_member_without_room_is_an_error_on_all(way, others, run_program):
    room = 10 - PREDEFINED - WAYS[way] - 2  # three domains leave half of a communicator's
    assert made(run_program, way, others, cellos__domains_max=20) == room


def test_published_limits(run_program):
    assert made(run_program, "dup") == 50
    assert made(run_program, "dup", mpi__domain_stack=1000) == 150 - PREDEFINED
    assert made(run_program, "dup", mpi__domain_stack=1000, cellos__domains_max=3000) == 500


def test_error_names_the_parameter(run_program):
    text = """
    #include <mpi.h>
    int main(int argc, char** argv) {
      MPI_Init(&argc, &argv);
      for (;;) MPI_Comm_dup(MPI_COMM_WORLD, &(MPI_Comm){0});
    }
    """
    done = run_program(text, 2, machine="ap1000")
    assert done.returncode != 0
    assert "rank 0: MPI_Comm_dup: " in done.stderr
    assert "has none left of its 100 domain numbers (mpi.domain_stack)" in done.stderr
    done = run_program(text, 2, machine="ap1000", launcher=["--set", "mpi.domain_stack=1000"])
    assert "registered in too many domains: at most 300 (cellos.domains_max)" in done.stderr


def test_windows_have_a_communicator_each(run_program):
    text = """
    #include "check.h"
    int main(int argc, char** argv) {
      MPI_Win windows[100];
      int *memory, made = 0, error = MPI_SUCCESS;
      MPI_Init(&argc, &argv);
      for (int round = 0; round < 1000; ++round) {
        MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &windows[0]);
        MPI_Win_free(&windows[0]);
      }
      MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
      while (error == MPI_SUCCESS && made < 100) {
        error = MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &windows[made]);
        if (error == MPI_SUCCESS) ++made;
      }
      CHECK_INT(class_of(error), MPI_ERR_OTHER);
      printf("made %d\\n", made);
      while (made > 0) MPI_Win_free(&windows[--made]);
      return finish();
    }
    """
    done = run_program(text, 2, machine="ap1000")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("made 50\n") == 2
