"""Messages from one rank to another that are longer than CellOS's buffers, where they go by put."""

import pytest

# Both ranks send before they receive, in all ways that there are, and probe for what comes.
LONG_MESSAGES = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { bytes = 9000001 };
static char out[bytes], in[bytes], buffer[bytes + MPI_BSEND_OVERHEAD];
static int wrong(int from, char lead) {
  for (int i = 0; i < bytes; ++i)
    if (in[i] != (char)(lead + i % 97 + from)) return 1;
  return 0;
}
static void fill(int rank, char lead) {
  for (int i = 0; i < bytes; ++i) out[i] = (char)(lead + i % 97 + rank);
}
int main(int argc, char** argv) {
  int rank, failed = 0, count, flag;
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;

  fill(rank, 1);
  MPI_Isend(out, bytes, MPI_CHAR, other, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_CHAR, &count);
  failed |= count != bytes;
  MPI_Recv(in, bytes, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_CHAR, &count);
  failed |= count != bytes || wrong(other, 1);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);

  fill(rank, 2);
  memset(in, 0, bytes);
  MPI_Irecv(in, bytes, MPI_CHAR, other, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, bytes, MPI_CHAR, other, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  failed |= wrong(other, 2);

  fill(rank, 3);
  memset(in, 0, bytes);
  MPI_Sendrecv(out, bytes, MPI_CHAR, other, 3, in, bytes, MPI_CHAR, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  failed |= wrong(other, 3);

  fill(rank, 4);
  memset(in, 0, bytes);
  MPI_Buffer_attach(buffer, sizeof buffer);
  MPI_Bsend(out, bytes, MPI_CHAR, other, 4, MPI_COMM_WORLD);
  memset(out, 0, bytes);
  MPI_Recv(in, bytes, MPI_CHAR, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  failed |= wrong(other, 4);
  char* old;
  int old_bytes;
  MPI_Buffer_detach(&old, &old_bytes);

  MPI_Isend(out, bytes, MPI_CHAR, other, 5, MPI_COMM_WORLD, &requests[0]);  // nobody receives it
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &status);
  MPI_Test_cancelled(&status, &flag);
  failed |= !flag && MUST_BE_CANCELLED;

  printf("%d: %s at %.9f\\n", rank, failed ? "wrong" : "right", MPI_Wtime());
  MPI_Finalize();
  return failed;
}
"""


FURTHER = [[], ["mpi.synchronous=put"], ["mpi.nonblocking=striding"], ["mpi.context=packed"], ["mpi.context=type"]]


def words_of(changes):
    return [word for change in changes for word in ("--set", change)]


@pytest.mark.parametrize("further", [*FURTHER, ["mpi.context=extra message"]])
@pytest.mark.parametrize("way", ["put", "parts"])
def test_a_message_too_long_for_the_buffers_goes_by_put_or_in_parts_if_that_is_chosen(run_program, way, further):
    changes = words_of([f"mpi.longer_messages={way}", *further])
    source = LONG_MESSAGES.replace("MUST_BE_CANCELLED", "1" if way == "put" else "0")
    done = run_program(source, 2, machine="ap1000", launcher=changes)
    assert done.returncode == 0, done.stderr
    assert [line.split(" at ")[0] for line in sorted(done.stdout.splitlines())] == ["0: right", "1: right"]
    in_lockstep = run_program(source, 2, machine="ap1000", launcher=[*changes, "--lockstep"])
    assert in_lockstep.stdout == done.stdout


# The net is what it takes, and no copy; one that fits is copied as ever.
def test_only_what_is_too_long_goes_by_put(run_program):
    source = """#include <mpi.h>
#include <stdio.h>
static char data[5000000];
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int bytes = 4194288; bytes <= 4194289; ++bytes) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) printf("%.3f\\n", MPI_Wtime() - start);
  }
  MPI_Finalize();
  return 0;
}
"""
    done = run_program(source, 2, machine="ap1000", launcher=["--set", "mpi.longer_messages=put"])
    assert done.returncode == 0, done.stderr
    copied, put = map(float, done.stdout.split())
    assert copied > 2 * 4194288 * 158e-9
    assert 4194289 / 25e6 < put < 1.1 * 4194289 / 25e6
