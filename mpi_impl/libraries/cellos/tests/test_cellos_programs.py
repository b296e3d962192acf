"""Programs of CellOS's own: cellos.h, and what wrong calls are told."""

import json
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"

WRONG = {
    "l_asend(2, 1, 0, 0)": "rank 0: l_asend: argument 1 (cell) is 2, but there are cells 0 to 1; give one of them",
    "l_asend(1, 65536, 0, 0)": "rank 0: l_asend: argument 2 (type) is 65536; a type is 0 to 65535",
    "l_asend(1, L_ANY, 0, 0)": "rank 0: l_asend: argument 2 (type) is -1; a type is 0 to 65535",
    "l_asend(1, 1, 0, 8)": "rank 0: l_asend: argument 3 (data) is a null pointer, but bytes is 8; give the address",
    "l_asend(1, 1, big, -1)": "rank 0: l_asend: argument 4 (bytes) is -1; it must not be negative",
    "l_asend(1, 1, big, 5000000)": "rank 0: l_asend: argument 4 (bytes) is 5000000, but the longest message has "
    "4194288 bytes, as it has to fit in the system's buffers with its header (cellos.ring_buffer, cellos.send_buffer)",
    "dl_asend(9, 7, 1, 0, 0)": "rank 0: dl_asend: argument 2 (cell) is 7, but there are cells 0 to 1",
    "dl_arecv(9, -2, 1, 0, 0, 0)": "rank 0: dl_arecv: argument 2 (cell) is -2, but there are cells 0 to 1; give one of "
    "them, or L_ANY",
    "cbroad(-1, 0, 0)": "rank 0: cbroad: argument 1 (type) is -1; a type is 0 to 65535",
    "cbroad(1, 0, 8)": "rank 0: cbroad: argument 2 (data) is a null pointer, but bytes is 8; give the address",
    "dcbroad(9, 1, big, 5000000)": "rank 0: dcbroad: argument 4 (bytes) is 5000000, but the longest message has",
    "l_arecv_part(1, 1, -8, 0, 0, 0)": "rank 0: l_arecv_part: argument 3 (offset) is -8; it must not be negative",
    "put(1, big, ITEMS(2, 8), big, ITEMS(1, 8), &flag)": "rank 0: put: there are 16 bytes there (argument 3) and 8 "
    "here (argument 5); they must be as many",
    "get(1, 0, ITEMS(1, 8), big, ITEMS(1, 8), &flag)": "rank 0: get: argument 2 (there) is a null pointer",
    "put(1, big, ITEMS(1, -8), big, ITEMS(1, 8), &flag)": "rank 0: put: argument 3 (there_as) is 1 items of "
    "-8 bytes; neither may be negative",
    "l_items all = {0x7fffffff, 0x7fffffff, 0x7fffffff}; put(1, big, all, big, all, &flag)": "rank 0: put: argument 3 "
    "(there_as) is 2147483647 items of 2147483647 bytes, 2147483647 bytes apart; a cell has addresses of 32 bits, so "
    "that they must all be within 4294967296 bytes",
    "put(1, big, ITEMS(1, 8), big, ITEMS(0x7fffffff, 8), &flag)": "rank 0: put: argument 5 (here_as) is 2147483647 i",
    "l_items apart = {4, 4, -0x7fffffff}; l_striding_send(1, 1, big, apart, &flag)": "rank 0: l_striding_send: "
    "argument 4 (data_as) is 4 items of 4 bytes, -2147483647 bytes apart",
    "get(1, big, ITEMS(1, 8), big, ITEMS(1, 8), 0)": "rank 0: get: argument 6 (flag) is a null pointer",
    "flag_test(0, 1)": "rank 0: flag_test: argument 1 (flag) is a null pointer; give the address of a number",
    "flag_wait(0, 1)": "rank 0: flag_wait: argument 1 (flag) is a null pointer; give the address of a number",
    "l_striding_send(1, 1, big, ITEMS(8, 1000000), &flag)": "rank 0: l_striding_send: argument 4 (bytes) is 8000000, "
    "but the longest message has",
    "l_striding_send(1, 1, big, ITEMS(1, 8), 0)": "rank 0: l_striding_send: argument 5 (flag) is a null pointer",
    "dl_striding_send(9, 2, 1, big, ITEMS(1, 8), &flag)": "rank 0: dl_striding_send: argument 2 (cell) is 2, but",
    "l_pre_receive(1, 1, 0, ITEMS(1, 8), 0, &flag)": "rank 0: l_pre_receive: argument 3 (data) is a null pointer",
    "dl_pre_receive(9, 1, 1, big, ITEMS(-1, 8), 0, &flag)": "rank 0: dl_pre_receive: argument 5 (data_as) is -1 items "
    "of 8 bytes; neither may be negative",
    "l_arecv(1, 70000, 0, 0, 0)": "rank 0: l_arecv: argument 2 (type) is 70000; a type is 0 to 65535, or L_ANY",
}


def program(statement):
    return f"""#include <cellos.h>
#include <stdio.h>
#define ITEMS(items, bytes) ((l_items){{items, bytes, 8}})
static char big[5000000];
static int flag;
int main(void) {{ (void)big; (void)flag; if (l_cellid() == 0) {{ {statement}; }} return 0; }}
"""


@pytest.mark.parametrize("call", WRONG)
def test_wrong_calls_end_the_run_with_one_line(call, run_program):
    done = run_program(program(call), 2, machine="ap1000")
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert WRONG[call] in done.stderr


@pytest.mark.parametrize("call", ["sync()", "xy_isum(1)", "xy_dmax(1)", "l_cellid()", "l_asend(0, 1, 0, 0)"])
def test_a_process_that_is_started_later_has_no_cellos(call, run_program):
    source = f"""#include <cellos.h>
#include <mpi.h>
int main(int argc, char** argv) {{
  MPI_Init(&argc, &argv);
  MPI_Comm parent, others;
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL)
    (void){call};
  else
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
  MPI_Barrier(parent != MPI_COMM_NULL ? parent : others);
  MPI_Finalize();
  return 0;
}}
"""
    done = run_program(source, 2, machine="ap1000")
    assert done.returncode == 1
    assert done.stderr == (
        f"hindcast: rank 2: {call.partition('(')[0]}: CellOS is for the 2 cells that the run began with, and this one "
        "was started later; MPI reaches it\n"
    )


def test_other_machines_say_that_they_have_no_cellos(run_program):
    done = run_program(program("l_asend(1, 1, 0, 0)"), 2, machine="ideal")
    assert done.returncode == 1
    assert "l_cellid: this machine has no CellOS" in done.stderr
    assert "such as -m ap1000" in done.stderr


def test_the_301st_domain_is_an_error(run_program):
    text = "int bad = 0; for (unsigned i = 0; i < 300; ++i) bad |= register_domain(i); "
    text += "const int more = register_domain(300), less = deregister_domain(5), again = register_domain(300); "
    done = run_program(program(text + 'printf("%d %d %d %d", bad, more, less, again)'), 1, machine="ap1000")
    assert done.returncode == 0
    assert done.stdout.split() == ["0", "-1", "0", "0"]


def test_deadlock_names_call_type_and_cell(run_program):
    source = "#include <cellos.h>\nint main(void) { l_arecv(1 - l_cellid(), 4, 0, 0, 0); return 0; }\n"
    done = run_program(source, 2, machine="ap1000")
    assert done.returncode == 1
    assert "rank 0: waits in l_arecv of type 4 from cell 1" in done.stderr
    assert "the cycle: rank 0 waits for rank 1 waits for rank 0" in done.stderr


def test_a_cell_runs_one_process(run_program):
    done = run_program(program(""), 2, machine="ap1000", launcher=["--map", "block:2"])
    assert done.returncode != 0
    assert "ranks 0 and 1 are both on node 0, but a cell of this machine runs one process" in done.stderr
    assert "--set cellos.multitasking=on" in done.stderr


ON_ONE_CELL = ["--map", "cyclic:1", "--set", "cellos.multitasking=on"]


def test_processes_on_a_cell_take_turns_on_its_processor(run_program):
    source = """#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  hindcast_compute_seconds(0.1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%.4f\\n", MPI_Wtime() - start);
  MPI_Finalize();
  return 0;
}
"""

    def seconds(*launcher):
        done = run_program(source, 4, machine="ap1000", launcher=launcher)
        assert done.returncode == 0, done.stderr
        return float(done.stdout)

    alone = seconds()
    assert 0.1 < alone < 0.101
    # Four times the work, and a switch after each of the 40 slices of it.
    switching = ["--set", "cellos.task_switch=1ms"]
    assert 0.4 < seconds(*ON_ONE_CELL, "--set", "cellos.task_switch=0us") < 0.402
    assert 0.44 < seconds(*ON_ONE_CELL, *switching) < 0.45
    # With slices as long as the work there are few switches.
    assert 0.404 < seconds(*ON_ONE_CELL, *switching, "--set", "cellos.time_slice=100ms") < 0.42


def test_a_broadcast_reaches_all_processes_on_a_cell(run_program):
    source = """#include <cellos.h>
#include <stdio.h>
int main(void) {
  char got = '-';
  register_domain(7);
  sync();
  if (l_cellid() == 0) dcbroad(7, 3, "x", 1);
  if (l_cellid() != 0) dl_arecv(7, L_ANY, 3, &got, 1, 0);
  printf("%c\\n", got);
  return 0;
}
"""
    done = run_program(source, 3, machine="ap1000", launcher=ON_ONE_CELL)
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == ["-", "x", "x"]


def test_a_message_too_long_is_an_error_of_mpi(run_program):
    source = """#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char* data = calloc(5000000, 1);
  MPI_Send(data, 5000000, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""
    done = run_program(source, 1, machine="ap1000")
    assert done.returncode != 0
    assert "rank 0: MPI_Send: a message of 5000000 bytes; this machine's longest has 4194288" in done.stderr
    assert "--set mpi.longer_messages=parts cuts longer ones" in done.stderr


SEND_FIRST = """#include <mpi.h>
static char data[600000];
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 16; ++i) MPI_Send(data, sizeof data, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 16; ++i) MPI_Recv(data, sizeof data, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""


def test_programs_that_count_on_more_room_than_there_is_deadlock_and_say_why(run_program):
    done = run_program(SEND_FIRST, 2, machine="ap1000")
    assert done.returncode == 1
    for cell in (0, 1):
        waits = (
            f"rank {cell}: waits in MPI_Send (dl_asend) of 600000 bytes to cell {1 - cell}: "
            "no room in the system's send buffer"
        )
        assert waits in done.stderr
    with_more_room = run_program(SEND_FIRST, 2, machine="ap1000", launcher=["--set", "cellos.ring_buffer=10 MiB"])
    assert (with_more_room.returncode, with_more_room.stderr) == (0, "")
    ends = run_program(SEND_FIRST, 2, machine="ap1000", launcher=["--set", "cellos.overflow=end"])
    assert ends.returncode == 1
    assert "no room for a message of 600016 bytes" in ends.stderr and "(cellos.ring_buffer) are in use" in ends.stderr


def test_cells_that_never_sync_are_named(run_program):
    source = (
        "#include <cellos.h>\nint main(void) { if (l_cellid() != 1) sync(); else l_arecv(0, 1, 0, 0, 0); return 0; }\n"
    )
    done = run_program(source, 3, machine="ap1000")
    assert done.returncode == 1
    assert "rank 0: waits in sync until all cells have called it" in done.stderr
    assert "the cycle: rank 0 waits for rank 1 waits for rank 0" in done.stderr


def test_discards_are_counted_at_the_cells_that_a_broadcast_is_not_for(run_program, tmp_path):
    source = """#include <cellos.h>
int main(void) {
  if (l_cellid() < 5) register_domain(7);
  sync();
  if (l_cellid() == 0) dcbroad(7, 1, "data", 4);
  if (l_cellid() > 0 && l_cellid() < 5) dl_arecv(7, 0, 1, 0, 0, 0);
  sync();
  return 0;
}
"""
    counts = tmp_path / "counts.json"
    done = run_program(source, 16, machine="ap1000", launcher=["--count", counts])
    assert done.returncode == 0, done.stderr
    discards = [row for row in json.loads(counts.read_text()) if "discards" in row["name"]]
    assert {row["name"] for row in discards} == {"discards a broadcast for other cells"}
    assert {row["rank"]: row["count"] for row in discards} == dict.fromkeys(range(5, 16), 1)


def test_put_and_get_are_the_same_in_lockstep_and_wait_for_their_flag(run_program):
    source = """#include <cellos.h>
#include <stdio.h>
int main(void) {
  const int me = l_cellid(), cells = l_ncells(), next = (me + 1) % cells;
  static double rows[4][8], column[4], back[4];
  static void* addresses[64];
  addresses[me] = rows;
  for (int cell = 0; cell < cells; ++cell) {
    if (cell == me) cbroad(cell, addresses + me, sizeof(void*));
    else l_arecv(cell, cell, addresses + cell, sizeof(void*), NULL);
  }
  for (int i = 0; i < 4; ++i) column[i] = me + i * 0.25;
  int flag = 0;
  const int early = flag_test(&flag, 1);
  const l_items as_column = {4, sizeof(double), sizeof rows[0]}, as_row = {1, 4 * sizeof(double), 0};
  double* there = (double*)addresses[next] + 3;
  put(next, there, as_column, column, as_row, &flag);
  flag_wait(&flag, 1);
  get(next, there, as_column, back, as_row, &flag);
  flag_wait(&flag, 2);
  int right = !early && flag_test(&flag, 2);
  sync();
  for (int i = 0; i < 4; ++i) right &= back[i] == column[i] && rows[i][3] == (me + cells - 1) % cells + i * 0.25;
  right &= rows[1][2] == 0 && rows[1][4] == 0;
  printf("%d %d %.6f\\n", me, right, l_clock() * 1e6);
  return 0;
}
"""
    done, lockstep = (run_program(source, 16, machine="ap1000", launcher=mode) for mode in ([], ["--lockstep"]))
    assert done.returncode == 0, done.stderr
    assert done.stdout == lockstep.stdout
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["1"] * 16


@pytest.mark.parametrize("seed", [1, 2, 6, 10, 26])
def test_broadcasts_take_the_same_time_in_lockstep(run_program, seed):
    source = PROGRAMS / "cache_order.c"
    ahead, lockstep = (run_program(source, 4, seed, machine="ap1000", launcher=mode) for mode in ([], ["--lockstep"]))
    assert ahead.returncode == 0, ahead.stderr
    assert len(ahead.stdout.splitlines()) == 8
    assert ahead.stdout == lockstep.stdout


def test_each_message_of_two_threads_has_a_number_of_its_own(run_program, tmp_path):
    launcher = ["--trace", tmp_path / "trace.json"]
    done = run_program(PROGRAMS / "two_threads_send.c", 3, machine="ap1000", launcher=launcher)
    assert done.returncode == 0, done.stderr
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    sent, received = (sorted((one["id"], one["args"]["bytes"]) for one in events if one["ph"] == kind) for kind in "sf")
    assert [bytes for _, bytes in sent].count(1000) == [bytes for _, bytes in sent].count(100) == 4
    assert len({number for number, _ in sent}) == 8
    assert set(received) == set(sent)
