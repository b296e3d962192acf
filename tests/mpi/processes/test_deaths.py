"""What processes leave behind that others of them, or MPI, still have to do with."""

import pytest

from tests.mpi.strategy import launchers_with_deaths

MACHINES = launchers_with_deaths()
on_all_machines = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
# A child that ends while a receive of its own, or a send that nobody receives, is under way; then more children.
UNFINISHED = r"""
#include <mpi.h>
#include <string.h>
int main(int argc, char** argv) {
  static int values[10000];
  char* arguments[] = {argv[1], NULL};
  MPI_Init(&argc, &argv);
  MPI_Comm parent, children;
  MPI_Request request;
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    for (int round = 0; round < 6; ++round) {
      MPI_Comm_spawn(argv[0], arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
      for (int i = 0; i < 100; ++i) MPI_Wtime();
      if (strcmp(argv[1], "receive") == 0) MPI_Send(values, 4, MPI_INT, round % 2, 2, children);
      MPI_Comm_free(&children);
    }
  } else if (strcmp(argv[1], "receive") == 0) {
    MPI_Irecv(values, 10000, MPI_INT, 0, MPI_ANY_TAG, parent, &request);
  } else {
    MPI_Isend(values, 10000, MPI_INT, 0, 1, parent, &request);
  }
  MPI_Finalize();
  return 0;
}
"""


def has_answers_without_the_receiver(options):
    """Else a send to a process that has gone, with its receive posted, never ends."""
    return not {"messages.progress=polling", "messages.eager_limit=0 B"} <= set(options)


@pytest.mark.parametrize(
    ("what", "machine"),
    [
        pytest.param(what, options, id=f"{what}-{name}")
        for what in ["receive", "send"]
        for name, options in MACHINES.items()
        if what == "send" or has_answers_without_the_receiver(options)
    ],
)
def test_a_process_with_something_under_way_keeps_its_place(what, machine, compile_program, hindcast):
    program = compile_program(UNFINISHED)
    done = hindcast("run", *machine, "--universe", 13, "-n", 1, program, what)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = hindcast("run", *machine, "--universe", 12, "-n", 1, program, what)
    assert "places for 1 more" in done.stderr


# MPI_Finalize lets what the program has freed come to its end, though the receiver is of another world.
FREED = r"""
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char** argv) {
  static int values[100000];
  MPI_Init(&argc, &argv);
  MPI_Comm parent, children;
  MPI_Request request;
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
    for (int i = 0; i < 1000; ++i) MPI_Wtime();
    MPI_Recv(values, 100000, MPI_INT, 0, 1, children, MPI_STATUS_IGNORE);
    printf("%d %d\n", values[0], values[99999]);
  } else {
    values[0] = 7;
    values[99999] = 9;
    MPI_Isend(values, 100000, MPI_INT, 0, 1, parent, &request);
    MPI_Request_free(&request);
    memset(values, 0, sizeof values);
  }
  MPI_Finalize();
  return 0;
}
"""


@on_all_machines
def test_finalize_waits_for_sends_that_have_been_freed(machine, run_program):
    done = run_program(FREED, 1, machine=machine[1], launcher=machine[2:])
    assert (done.returncode, done.stdout, done.stderr) == (0, "7 9\n", "")


CANCELLED = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  static int values[4];
  MPI_Init(&argc, &argv);
  MPI_Comm parent, children, more;
  MPI_Request request;
  MPI_Status status;
  int cancelled = -1;
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
    for (int i = 0; i < 1000; ++i) MPI_Wtime();
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &more, MPI_ERRCODES_IGNORE);
    MPI_Isend(values, 4, MPI_INT, 0, 1, children, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    printf("%d\n", cancelled);
  }
  MPI_Finalize();
  return 0;
}
"""


@on_all_machines
def test_a_send_to_who_has_gone_can_be_cancelled(machine, run_program):
    done = run_program(CANCELLED, 1, machine=machine[1], launcher=[*machine[2:], "--universe", 2])
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")
