"""Programs whose messages go in parts, and check what comes of them."""

PROGRAM = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { bytes = 200001, most = 4 };
static char in[bytes], out[most][bytes];
static int rank, ranks, failed;
__attribute__((unused)) static char at(int i, int from, int tag) { return (char)(i %% 97 + 5 * from + tag); }
__attribute__((unused)) static char* fill(int tag) {
  for (int i = 0; i < bytes; ++i) out[tag][i] = at(i, rank, tag);
  return out[tag];
}
static void check(int line, int is_right) {
  if (!is_right) printf("%%d: line %%d\\n", rank, line), failed = 1;
}
#define CHECK(is_right) check(__LINE__, is_right)
__attribute__((unused)) static int is_in(int from, int tag) {
  for (int i = 0; i < bytes; ++i)
    if (in[i] != at(i, from, tag)) return 0;
  return 1;
}
__attribute__((unused)) static int count_of(MPI_Status* status) {
  int count;
  MPI_Get_count(status, MPI_CHAR, &count);
  return count;
}
int main(int argc, char** argv) {
  MPI_Request requests[most];
  MPI_Status status;
  (void)requests, (void)status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  %s
  printf("%%d: %%s at %%.9f\\n", rank, failed ? "wrong" : "right", MPI_Wtime());
  MPI_Finalize();
  return failed;
}
"""

FURTHER = [[], ["mpi.nonblocking=striding"], ["mpi.context=packed"], ["mpi.context=extra message"]]


def holds(run_program, body, further):
    """The body of such a program, with buffers that a message fills more than three times: all is right, and the same
    in lockstep."""
    source = "#include <hindcast.h>\n" + PROGRAM % body
    buffers = ["cellos.ring_buffer=0.0625", "cellos.send_buffer=0.0625"]
    words = [word for change in ["mpi.longer_messages=parts", *buffers, *further] for word in ("--set", change)]
    done = run_program(source, 3, machine="ap1000", launcher=words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(line.split(" at ")[0] for line in done.stdout.splitlines()) == [f"{rank}: right" for rank in range(3)]
    in_lockstep = run_program(source, 3, machine="ap1000", launcher=[*words, "--lockstep"])
    assert in_lockstep.stdout == done.stdout
