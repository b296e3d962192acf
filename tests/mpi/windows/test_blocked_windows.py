"""What the line on standard error and the deadlock report say of windows."""

import textwrap

import pytest

PROGRAM = """
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, cell = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win win;
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_name(win, "cells");
  BODY
  MPI_Finalize();
}
"""


@pytest.fixture
def run_body(tmp_path, run_program):
    def run(body, **options):
        source = tmp_path / "program.c"
        source.write_text(textwrap.dedent(PROGRAM).replace("BODY", body))
        return run_program(source, 2, **options)

    return run


@pytest.mark.parametrize("machine", ["ideal", "ap1000", "t3e-900", "cluster"])
@pytest.mark.parametrize(
    "body,line",
    [
        (
            "MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win); MPI_Barrier(MPI_COMM_WORLD);",
            "waits in MPI_Win_lock for a lock of window cells, rank ",
        ),
        (
            "if (rank == 0) MPI_Win_start(all, 0, win);",
            "rank 0: waits in MPI_Win_start for MPI_Win_post of window cells",
        ),
        (
            "MPI_Win_post(all, 0, win); MPI_Win_wait(win);",
            "rank 1: waits in MPI_Win_wait for MPI_Win_complete of window cells, ranks 0, 1",
        ),
    ],
    ids=["lock", "start", "wait"],
)
def test_who_waits_is_told_for_which_window_and_ranks(body, line, machine, run_body):
    done = run_body(body, machine=machine)
    assert done.returncode != 0
    assert line in done.stderr


def test_errors_of_windows_are_fatal_unless_the_program_says_otherwise(run_body):
    done = run_body("if (rank == 1) MPI_Put(&cell, 1, MPI_INT, 0, 0, 1, MPI_INT, win); MPI_Barrier(MPI_COMM_WORLD);")
    assert done.returncode != 0
    assert "rank 1: MPI_Put: window cells: accessed outside an epoch; call MPI_Win_fence" in done.stderr
    assert "MPI_ERR_RMA_SYNC" in done.stderr


def test_what_lies_outside_is_told_with_the_size_of_the_window(run_body):
    done = run_body("MPI_Win_fence(0, win); MPI_Put(&cell, 1, MPI_INT, 1, 1, 1, MPI_INT, win);")
    assert (
        "1 element lies at displacement 1 of rank 1, outside of its memory, which has 4 bytes (unit: 4)" in done.stderr
    )


@pytest.mark.parametrize(
    ("offset", "place"),
    [(6, "byte 6 of 8 that are attached"), (12, "the 5. byte behind 8 that are attached")],
)
def test_of_a_dynamic_window_it_is_told_where_in_what_is_attached(offset, place, run_body):
    done = run_body(
        "static char bytes[64]; MPI_Aint at; MPI_Win open;"
        "MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &open);"
        "MPI_Win_attach(open, bytes, 8); MPI_Get_address(bytes, &at); MPI_Bcast(&at, 1, MPI_AINT, 1, MPI_COMM_WORLD);"
        f"MPI_Win_fence(0, open); if (rank == 0) MPI_Put(&cell, 1, MPI_INT, 1, at + {offset}, 1, MPI_INT, open);"
    )
    assert f"1 element lies at {place} of rank 1, outside of its memory, as it has been attached" in done.stderr
