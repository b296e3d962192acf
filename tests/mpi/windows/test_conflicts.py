"""A run with --check-windows refuses accesses that conflict with others under way, and nothing else."""

import textwrap

import pytest

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, value = 7, seen, classes[3], calls;
static double real = 1;
static MPI_Win win;

static void note(int code) { MPI_Error_class(code, &classes[calls++]); }
static void put(int place) { note(MPI_Put(&value, 1, MPI_INT, 1, place, 1, MPI_INT, win)); }
static void get(int place) { note(MPI_Get(&seen, 1, MPI_INT, 1, place, 1, MPI_INT, win)); }
static void add(int place) { note(MPI_Accumulate(&value, 1, MPI_INT, 1, place, 1, MPI_INT, MPI_SUM, win)); }
static void add_real(int place) { MPI_Accumulate(&real, 1, MPI_DOUBLE, 1, place, 1, MPI_DOUBLE, MPI_SUM, win); }
static void swap(int place) { note(MPI_Compare_and_swap(&value, &rank, &seen, MPI_INT, 1, place, win)); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int part[8] = {0};
  MPI_Group all;
  MPI_Datatype every_second;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  MPI_Win_create(part, sizeof part, sizeof *part, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_name(win, "cells");
  if (HANDLER) MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  BODY
  for (int i = 0; i < calls; ++i)
    if (classes[i] != MPI_SUCCESS) printf("%d: call %d %s\\n", rank, i, classes[i] == MPI_ERR_RMA_CONFLICT ? "" : "?");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
"""
FENCE = "MPI_Win_fence(0, win);"
BARRIER = "MPI_Barrier(MPI_COMM_WORLD);"
MACHINES = ["ideal", "cluster", "t3e-900", "ap1000"]


def within_fences(*lines):
    return " ".join([FENCE, *lines, FENCE])


def locked(*lines, kind="MPI_LOCK_SHARED"):
    return " ".join([f"MPI_Win_lock({kind}, 1, 0, win);", *lines, "MPI_Win_unlock(1, win);"])


def exposed(*lines):
    return " ".join(
        [
            "if (rank == 1) MPI_Win_post(all, 0, win); MPI_Group target; int one = 1;",
            "MPI_Group_incl(all, 1, &one, &target); MPI_Win_start(target, 0, win);",
            *lines,
            "MPI_Win_complete(win); if (rank == 1) MPI_Win_wait(win);",
        ]
    )


CONFLICTS = {
    "two puts of one rank": within_fences("if (rank == 0) { put(2); put(2); }"),
    "a put and a get of it": within_fences("if (rank == 0) { put(2); get(2); }"),
    "a get and a put of it": within_fences("if (rank == 0) { get(2); put(2); }"),
    "a put and an accumulate": within_fences("if (rank == 0) { put(2); add(2); }"),
    "a get and a compare-and-swap": within_fences("if (rank == 0) { get(2); swap(2); }"),
    "accumulates of two datatypes": within_fences("if (rank == 0) { add_real(2); note(0); add(3); }"),
    "elements that lie apart": within_fences(
        "if (rank == 0) { MPI_Put(part, 2, MPI_INT, 1, 2, 1, every_second, win); put(3); put(4); }"
    ),
    "puts of two ranks": within_fences("if (rank == 0) put(2); else { MPI_Win_sync(win); note(0); put(2); }"),
    "in an epoch of groups": exposed("if (rank == 0) { put(2); put(2); }"),
    "under a lock": locked("if (rank == 0) { put(2); put(2); }"),
    "under locks of all": "MPI_Win_lock_all(0, win); if (rank == 0) { put(2); put(2); } MPI_Win_unlock_all(win);",
    "a local flush ends nothing at the target": locked(
        "if (rank == 0) { put(2); MPI_Win_flush_local(1, win); put(2); }"
    ),
}
NO_CONFLICTS = {
    "gets": within_fences("get(2); get(2);"),
    "accumulates of one datatype": within_fences("add(2); add(2); swap(2);"),
    "other places": within_fences("put(2 * rank); get(2 * rank + 1);"),
    "fences between": within_fences("if (rank == 0) put(2);", FENCE, "if (rank == 1) put(2);", FENCE, "get(2);"),
    "epochs of groups one after the other": exposed("if (rank == 0) put(2);")
    + exposed("if (rank == 1) put(2);").replace("MPI_Group target; int one = 1;", ""),
    "a flush between": locked("if (rank == 0) { put(2); MPI_Win_flush(1, win); put(2); }"),
    "a local flush of a get": locked("if (rank == 0) { get(2); MPI_Win_flush_local(1, win); put(2); }"),
    "locks that exclude each other": locked("put(2);", kind="MPI_LOCK_EXCLUSIVE")
    + locked("get(2);", kind="MPI_LOCK_EXCLUSIVE"),
    "a lock that a shared one keeps waiting": "if (rank == 0) {"
    + locked("put(2);")
    + "} else {"
    + locked("put(2);", kind="MPI_LOCK_EXCLUSIVE")
    + "}",
    "a barrier after an unlock": "if (rank == 0) {"
    + locked("put(2);")
    + "}"
    + BARRIER
    + "if (rank == 1) {"
    # No more than this: the other's is over.
    + locked("put(2);")
    + "}",
    "a request that has been waited for": locked(
        "if (rank == 0) { MPI_Request request; MPI_Rget(&seen, 1, MPI_INT, 1, 2, 1, MPI_INT, win, &request);"
        "MPI_Wait(&request, MPI_STATUS_IGNORE); put(2); }"
    ),
}


@pytest.fixture
def run_body(tmp_path, run_program):
    def run(body, handler=1, launcher=(), **options):
        source = tmp_path / "program.c"
        source.write_text(textwrap.dedent(PROGRAM).replace("BODY", body).replace("HANDLER", str(handler)))
        return run_program(source, 2, launcher=[*launcher], **options)

    return run


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("body", CONFLICTS.values(), ids=CONFLICTS)
def test_a_conflict_is_refused(body, machine, run_body):
    here = run_body(body, launcher=["--check-windows"], machine=machine)
    assert here.returncode == 0, here.stderr
    refused = here.stdout.split("\n")
    assert len(refused) == 2 and refused[0].endswith(("call 1 ", "call 2 ")), here.stdout
    assert run_body(body, launcher=["--check-windows", "--lockstep"], machine=machine).stdout == here.stdout
    assert run_body(body, machine=machine).stdout == ""


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("body", NO_CONFLICTS.values(), ids=NO_CONFLICTS)
def test_what_does_not_conflict_is_let_be(body, machine, run_body):
    done = run_body(body, launcher=["--check-windows"], machine=machine)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("machine", MACHINES)
def test_looking_takes_no_time(machine, run_body):
    body = "for (int i = 0; i < 9; ++i) {" + NO_CONFLICTS["locks that exclude each other"] + "}"
    body += 'printf("%d at %.12f\\n", rank, MPI_Wtime());'
    looked = run_body(body, launcher=["--check-windows"], machine=machine)
    assert looked.stdout.count(" at ") == 2
    assert looked.stdout == run_body(body, machine=machine).stdout


def test_the_line_says_who_conflicts_with_whom(run_body):
    done = run_body(CONFLICTS["a put and a get of it"], handler=0, launcher=["--check-windows"])
    assert done.returncode != 0
    assert (
        "window cells: 1 element conflicts at displacement 2 of rank 1 with what MPI_Put of rank 0 accesses there"
        in done.stderr
    ), done.stderr


LONG = "enum { length = 1 << 25 }; char* bytes = calloc(length, 1); MPI_Win long_win;"
LONG += "MPI_Win_create(bytes, length, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &long_win); MPI_Win_lock_all(0, long_win);"
LONG_END = "MPI_Win_unlock_all(long_win); MPI_Win_free(&long_win); free(bytes);"
MANY = {
    "bytes of one access": "MPI_Put(bytes, length, MPI_BYTE, 1, 0, length, MPI_BYTE, long_win);",
    "short ones beside a long one": "MPI_Put(bytes, length / 2, MPI_BYTE, 1, 0, length / 2, MPI_BYTE, long_win);"
    "for (int i = 0; i < 100000; ++i) MPI_Put(bytes, 1, MPI_BYTE, 1, length / 2 + i, 1, MPI_BYTE, long_win);",
    "of one place": "for (int i = 0; i < 100000; ++i) {"
    "MPI_Accumulate(bytes, 1, MPI_BYTE, 1, 0, 1, MPI_BYTE, MPI_BOR, long_win); MPI_Win_flush_local(1, long_win); }",
    "that local flushes leave": "for (int i = 0; i < 100000; ++i)"
    "{ MPI_Put(bytes, 1, MPI_BYTE, 1, i, 1, MPI_BYTE, long_win); MPI_Win_flush_local(1, long_win); }",
}


# Each takes tenths of a second, and would take a minute if the time grew with the square of how many there are, or if
# every byte were looked at by itself.
@pytest.mark.parametrize("body", MANY.values(), ids=MANY)
def test_many_are_looked_at_in_little_time(body, run_body):
    lines = f"{LONG} if (rank == 0) {{ {body} }} {LONG_END}"
    done = run_body(lines, launcher=["--check-windows", "--max-host-time", "30s"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
