"""A run with --check tells at its end of messages that no receive has taken, and of requests not completed by then."""

import re

import pytest

PROGRAM = """
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, in[4] = {0}, out[4] = {0}, flag;
  char room[1000];
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  BODY /* line 10 */
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""
NOT_TAKEN = "rank 0: no receive has taken the message of 4 bytes to rank 1, tag 7, MPI_COMM_WORLD, sent in main"
WORLD = "MPI_COMM_WORLD"
LEFT = {
    "a message": (f"if (rank == 0) MPI_Send(out, 1, MPI_INT, 1, 7, {WORLD});", [NOT_TAKEN]),
    "a buffered message": (
        f"MPI_Buffer_attach(room, 1000); if (rank == 0) MPI_Bsend(out, 1, MPI_INT, 1, 7, {WORLD});",
        [NOT_TAKEN],
    ),
    "several messages": (
        f"if (rank == 0) for (int i = 0; i < 3; ++i) MPI_Send(out, 1, MPI_CHAR, 1, i, {WORLD});",
        ["rank 0: no receive has taken 3 messages, sent in main"],
    ),
    "a send's request": (
        f"if (rank == 0) MPI_Isend(out, 1, MPI_INT, 1, 7, {WORLD}, &request); "
        f"if (rank == 1) MPI_Recv(in, 1, MPI_INT, 0, 7, {WORLD}, MPI_STATUS_IGNORE);",
        ["rank 0: MPI_Finalize: a request (send to rank 1, tag 7, MPI_COMM_WORLD, begun in "],
    ),
    "a receive's request": (
        f"if (rank == 0) MPI_Irecv(in, 1, MPI_INT, 1, 7, {WORLD}, &request); "
        f"if (rank == 1) MPI_Send(out, 1, MPI_INT, 0, 7, {WORLD});",
        ["rank 0: MPI_Finalize: a request (receive from rank 1, tag 7, MPI_COMM_WORLD, begun in "],
    ),
    "requests": (
        f"for (int i = 0; i < 2; ++i) MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, i, {WORLD}, &request);",
        [
            "rank 0: MPI_Finalize: 2 requests (the first of them: receive from any rank, tag 0, MPI_COMM_WORLD, begun ",
            "rank 1: MPI_Finalize: 2 requests (the first of them: receive from any rank, tag 0, MPI_COMM_WORLD, begun ",
        ],
    ),
    "a collective's request": (
        f"MPI_Ibarrier({WORLD}, &request);",
        [f"rank {rank}: MPI_Finalize: a request (a collective in progress, begun in main (" for rank in (0, 1)],
    ),
    "a one-sided operation's request": (
        f"MPI_Win window; MPI_Win_create(in, 16, 4, MPI_INFO_NULL, {WORLD}, &window); MPI_Win_lock_all(0, window); "
        "if (rank == 0) MPI_Rput(out, 1, MPI_INT, 1, 0, 1, MPI_INT, window, &request); MPI_Win_unlock_all(window); "
        "MPI_Win_free(&window);",
        ["rank 0: MPI_Finalize: a request (a one-sided operation, begun in main ("],
    ),
    "a request of nobody": (
        f"if (rank == 0) MPI_Isend(out, 1, MPI_INT, MPI_PROC_NULL, 7, {WORLD}, &request);",
        ["rank 0: MPI_Finalize: a request (a send that has ended, begun in "],
    ),
}
FINE = {
    "cancelled": f"if (rank == 0) {{ MPI_Isend(out, 1, MPI_INT, 1, 7, {WORLD}, &request); MPI_Cancel(&request); "
    "MPI_Wait(&request, MPI_STATUS_IGNORE); }",
    "truncated": f"if (rank == 0) MPI_Send(out, 4, MPI_INT, 1, 7, {WORLD}); "
    f"if (rank == 1) MPI_Recv(in, 1, MPI_INT, 0, 7, {WORLD}, MPI_STATUS_IGNORE);",
    "truncated in an exchange": f"MPI_Isendrecv(out, 4, MPI_INT, 1 - rank, 7, in, 1, MPI_INT, 1 - rank, 7, {WORLD}, "
    "&request); MPI_Wait(&request, MPI_STATUS_IGNORE);",
    "truncated with a request": f"if (rank == 0) MPI_Send(out, 4, MPI_INT, 1, 7, {WORLD}); "
    f"if (rank == 1) MPI_Irecv(in, 1, MPI_INT, 0, 7, {WORLD}, &request); MPI_Wait(&request, MPI_STATUS_IGNORE);",
    "freed": f"MPI_Irecv(in, 1, MPI_INT, 1 - rank, 7, {WORLD}, &request); MPI_Request_free(&request); "
    f"MPI_Isend(out, 1, MPI_INT, 1 - rank, 7, {WORLD}, &request); MPI_Request_free(&request);",
    "inactive": f"MPI_Send_init(out, 1, MPI_INT, 1 - rank, 7, {WORLD}, &request);",
    "matched": "MPI_Message message; if (rank == 0) MPI_Send(out, 1, MPI_INT, 1, 7, MPI_COMM_WORLD); else { "
    f"MPI_Mprobe(0, 7, {WORLD}, &message, MPI_STATUS_IGNORE); MPI_Imrecv(in, 1, MPI_INT, &message, &request); "
    "do MPI_Test(&request, &flag, MPI_STATUS_IGNORE); while (!flag); }",
}


@pytest.mark.parametrize("machine", ["ideal", "t3e-900"])
@pytest.mark.parametrize("left", LEFT)
def test_a_check_tells_what_is_left(run_program, left, machine):
    body, lines = LEFT[left]
    program = PROGRAM.replace("BODY", body)
    checked = run_program(program, 2, machine=machine, launcher=["--check"])
    assert checked.returncode == 0, checked.stderr
    told = checked.stderr.splitlines()
    assert len(told) == len(lines)
    for line, begin in zip(told, lines, strict=True):
        assert line.startswith(f"hindcast: {begin}")
        assert re.search(r", (sent|begun) in main \(\S+\.c:10\)", line)
    assert run_program(program, 2, machine=machine).stderr == ""


@pytest.mark.parametrize("fine", FINE)
def test_a_check_has_nothing_to_tell_of_what_has_come_to_its_end(run_program, fine):
    checked = run_program(PROGRAM.replace("BODY", FINE[fine]), 2, launcher=["--check"])
    assert (checked.returncode, checked.stderr) == (0, "")


def test_a_check_tells_of_no_more_than_a_reader_wants_to_see(run_program):
    body = f"MPI_Send(out, 1, MPI_INT, (rank + 1) % 20, 7, {WORLD});"
    told = run_program(PROGRAM.replace("BODY", body), 20, launcher=["--check"]).stderr.splitlines()
    assert len(told) == 9
    assert told[-1] == "hindcast: 12 more places in ranks sent messages that no receive has taken"


def test_a_request_is_not_said_to_begin_where_another_was_in_its_place(run_program):
    functions = """
static int query(void* state, MPI_Status* status) { return MPI_SUCCESS; }
static int give_back(void* state) { return MPI_SUCCESS; }
static int cancel(void* state, int is_complete) { return MPI_SUCCESS; }
"""
    body = f"""MPI_Irecv(in, 1, MPI_INT, MPI_PROC_NULL, 7, {WORLD}, &request); MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Grequest_start(query, give_back, cancel, 0, &request);"""
    program = PROGRAM.replace("BODY", body).replace("#include <mpi.h>\n", f"#include <mpi.h>{functions}")
    (line,) = run_program(program, 1, launcher=["--check"]).stderr.splitlines()
    assert re.search(r"a generalized request, which the program has to complete, begun in main \(\S+\.c:14\)", line)
