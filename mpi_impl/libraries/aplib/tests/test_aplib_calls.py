"""APlib's calls: what they do, what they take, and what wrong ones are told."""

import re
from pathlib import Path

import pytest

from tests.support.program_text import statements_naming

PROGRAMS = Path(__file__).parent / "programs"
# The machine's numbers, in us and us a byte.
SEND, RECEIVE, PROBE, HEADER = 24.824, 20.9, 5, 16
BUS, COPY, HOP = 0.011, 0.0052, 0.1
FURTHER = SEND + HEADER * BUS  # the start-up of each further message of one cell
exactly = pytest.approx


@pytest.fixture
def run_aplib(run_program):
    def run_it(source, cells, *args, settings=(), launcher=(), **options):
        flags = [] if "fortran" in options or str(source).endswith((".f", ".f90")) else ["-Wall", "-Wextra", "-Werror"]
        options.pop("fortran", None)
        changes = [word for setting in settings for word in ("--set", setting)]
        return run_program(
            source, cells, *args, machine="ap3000", launcher=[*changes, *launcher], flags=flags, **options
        )

    return run_it


@pytest.fixture
def same_ahead_and_in_lockstep(run_aplib):
    def run_both(source, cells, *args, settings=()):
        ahead = run_aplib(source, cells, *args, settings=settings)
        assert (ahead.returncode, ahead.stderr) == (0, "")
        lockstep = run_aplib(source, cells, *args, settings=settings, launcher=["--lockstep"])
        assert (lockstep.returncode, lockstep.stdout, lockstep.stderr) == (0, ahead.stdout, "")
        return ahead.stdout

    return run_both


def times(output):
    lines = [line.rpartition(" ") for line in output.splitlines()]
    return {name: float(value) for name, _, value in lines}


def test_calls_do_what_they_should(same_ahead_and_in_lockstep):
    assert same_ahead_and_in_lockstep(PROGRAMS / "calls.c", 4) == "ok\n"


@pytest.mark.parametrize("count", [0, 1, 1000, 65536, (1 << 20) - 1])
def test_calls_take_what_is_reckoned_by_hand(same_ahead_and_in_lockstep, count):
    took = times(same_ahead_and_in_lockstep(PROGRAMS / "times.c", 2, count))
    assert took["l_asend"] == exactly(FURTHER + count * BUS, abs=1e-4)
    assert took["received at"] - took["sent at"] == exactly(46 + count * (BUS + COPY), abs=0.1)
    assert took["l_begin_send"] == exactly(SEND, abs=1e-4)
    assert took["l_aprobe"] == exactly(PROBE, abs=1e-4)
    assert took["l_arecv of what waits"] == exactly(RECEIVE + count * COPY, abs=1e-4)


@pytest.mark.parametrize("cells", [2, 3, 8, 12])
@pytest.mark.parametrize("count", [0, 10000])
def test_a_broadcast_is_a_send_to_each_in_turn(same_ahead_and_in_lockstep, cells, count):
    took = times(same_ahead_and_in_lockstep(PROGRAMS / "times.c", cells, count))
    sends = (cells - 1) * (FURTHER + count * BUS)
    assert took["cbroad"] == exactly(sends, abs=1e-3)
    hops = took["broadcast received at"] - took["broadcast at"] - sends - RECEIVE - count * COPY
    assert HOP - 0.1 <= hops <= 6 * HOP + 0.1  # cells do not pass the barrier before at one instant


@pytest.mark.parametrize(
    ("setting", "call", "more"),
    [
        ("ap3000.send_overhead=34.824us", "l_begin_send", 10),
        ("ap3000.receive_overhead=30.9us", "l_arecv of what waits", 10),
        ("processor.poll=7us", "l_aprobe", 2),
        ("processor.copy_bandwidth=10.4ns/B", "l_arecv of what waits", 1000 * COPY),
        ("ap3000.header_bytes=116", "l_asend", 100 * BUS),
        ("sbus.bandwidth=22ns/B", "l_asend", 1016 * BUS),
    ],
)
def test_a_parameter_moves_the_calls_that_it_is_for(same_ahead_and_in_lockstep, setting, call, more):
    usual = times(same_ahead_and_in_lockstep(PROGRAMS / "times.c", 2, 1000))
    changed = times(same_ahead_and_in_lockstep(PROGRAMS / "times.c", 2, 1000, settings=[setting]))
    assert changed[call] - usual[call] == exactly(more, abs=1e-4)


HEADER_TEXT = (Path(__file__).parents[1] / "include" / "aplib.h").read_text()
FUNCTIONS = {name: result for result, name in re.findall(r"^APLIB_FUNCTION (\w+) (\w+)\(", HEADER_TEXT, re.M)}
# They take no arguments.
CANNOT_BE_WRONG = {"l_cellid", "l_ncells", "l_clock", "sync"}


def is_checked(function, following):
    calls = statements_naming(function, (PROGRAMS / "calls.c").read_text(), following)
    return any("CHECK(" in text for text in calls)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_program_of_calls_checks_what_each_does(function):
    # What one that returns nothing has done, the next statement looks at; what is sent, whoever receives it.
    assert is_checked(function, following=1 if FUNCTIONS[function] == "void" else 0)
    assert not is_checked("l_no_such_function", following=1)


def test_each_function_that_has_arguments_is_called_with_wrong_ones():
    wrong = {name for statements in WRONG for name in re.findall(r"(\w+)\(", statements)}
    assert len(FUNCTIONS) > 20
    assert set(FUNCTIONS) - CANNOT_BE_WRONG - wrong - {f"xy_{name}" for name in REDUCTIONS} == set()


def program_of(statements):
    return f"""#include <aplib.h>
static char large[1 << 21];
int main(void) {{
  char data[8] = {{0}};
  int number = 1;
  (void)data, (void)large, (void)number;
  if (l_cellid() == 1) {{ {statements}; }}
  return 0;
}}
"""


CRASH = "the machine crashes: a message of 1048576 bytes; APlib is not robust for 1048576 bytes and more "
WRONG = {
    "l_asend(2, 1, data, 4)": "l_asend: argument 1 (cell) is 2, but there are cells 0 to 1; give one of them",
    "l_begin_send(-1, 1, data, 4)": "l_begin_send: argument 1 (cell) is -1",
    "l_asend(0, -1, data, 4)": "l_asend: argument 2 (type) is -1; a type is 0 to 2147483647",
    "cbroad(-1, data, 4)": "cbroad: argument 1 (type) is -1",
    "l_asend(0, 1, data, -4)": "l_asend: argument 4 (bytes) is -4; it must not be negative",
    "l_asend(0, 1, 0, 4)": "l_asend: argument 3 (data) is a null pointer, but argument 4 (bytes) is 4",
    "cbroad(1, 0, 4)": "cbroad: argument 2 (data) is a null pointer, but argument 3 (bytes) is 4",
    "l_arecv(2, 1, data, 4, 0)": "l_arecv: argument 1 (cell) is 2",
    "l_arecv(0, -2, data, 4, 0)": "l_arecv: argument 2 (type) is -2; a type is 0 to 2147483647, and -1 is any",
    "l_arecv(0, 1, data, -4, 0)": "l_arecv: argument 4 (room) is -4; it must not be negative",
    "l_begin_recv(0, 1, 0, 4)": "l_begin_recv: argument 3 (data) is a null pointer, but argument 4 (room) is 4",
    "l_aprobe(0, -3, 0)": "l_aprobe: argument 2 (type) is -3",
    "l_wait(7, 0)": "l_wait: argument 1 (id) is 7, but no message in progress has this id; give what l_begin_send or "
    "l_begin_recv has returned, once",
    "l_test(0, 0)": "l_test: argument 1 (id) is 0",
    "int id = l_begin_send(0, 1, data, 4); l_wait(id, 0); l_wait(id, 0)": "l_wait: argument 1 (id) is 0",
    "double sums[2] = {1, 2}; xy_dsum(sums, 2)": "xy_dsum: argument 2 (count) is 2; APlib reduces single numbers, so "
    "it must be 1",
    "xy_isum(0, 1)": "xy_isum: argument 1 (number) is a null pointer",
    "l_asend(0, 1, large, 1 << 20)": f"l_asend: {CRASH}",
    "l_begin_send(0, 1, large, 1 << 20)": f"l_begin_send: {CRASH}",
    "cbroad(1, large, 1 << 20)": f"cbroad: {CRASH}",
}


@pytest.mark.parametrize("statements", WRONG)
def test_a_wrong_call_ends_the_run_with_a_line(run_aplib, statements):
    done = run_aplib(program_of(statements), 2)
    assert done.returncode == 1
    assert done.stderr.startswith(f"hindcast: rank 1: {WRONG[statements]}")


REDUCTIONS = ["isum", "imax", "imin", "fsum", "fmax", "fmin", "dsum", "dmax", "dmin"]


@pytest.mark.parametrize("routine", REDUCTIONS)
def test_no_reduction_takes_a_vector(run_aplib, routine):
    number = {"i": "int", "f": "float", "d": "double"}[routine[0]]
    done = run_aplib(program_of(f"{number} two[2] = {{1, 2}}; xy_{routine}(two, 2)"), 2)
    assert f"rank 1: xy_{routine}: argument 2 (count) is 2; APlib reduces single numbers" in done.stderr


@pytest.mark.parametrize(
    ("first", "other"), [("xy_dsum(&real", "xy_isum(&number"), ("xy_imax(&number", "xy_isum(&number")]
)
def test_cells_that_reduce_differently_at_once_are_told(run_aplib, first, other):
    statements = f"double real = 1; (void)real; if (l_cellid() == 0) {first}, 1); else {other}, 1)"
    done = run_aplib(program_of(statements).replace("if (l_cellid() == 1) ", ""), 3)
    names = [call.partition("(")[0] for call in (first, other)]
    assert done.returncode == 1
    assert done.stderr == (
        f"hindcast: rank 0: {names[0]}: cell 1 has called {names[1]}; all cells have to call the same routine\n"
    )


def test_the_length_at_which_the_machine_crashes_is_a_key(run_aplib):
    statements = "l_asend(0, 1, large, 1000)"
    assert run_aplib(program_of(statements), 2).returncode == 0
    done = run_aplib(program_of(statements), 2, settings=["aplib.crashes_from=1000B"])
    assert "rank 1: l_asend: the machine crashes: a message of 1000 bytes" in done.stderr
    done = run_aplib(program_of("l_asend(0, 1, large, 1 << 20)"), 2, settings=["aplib.crashes_from=2MiB"])
    assert (done.returncode, done.stderr) == (0, "")


def test_who_waits_for_ever_is_told_for_what(run_aplib):
    done = run_aplib(program_of("l_arecv(0, 4, data, 4, 0)"), 2)
    assert "l_arecv" in done.stderr
    assert "of type 4 from cell 0" in done.stderr


def test_mpi_and_aplib_in_one_program_keep_their_messages_apart(run_aplib):
    source = """#include <aplib.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ours = 1, theirs = 2;
  if (l_cellid() == 0) {
    l_asend(1, 5, &ours, sizeof ours);
    MPI_Send(&theirs, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  } else {
    int got[2];
    MPI_Recv(&got[0], 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    l_arecv(L_ANY, L_ANY, &got[1], sizeof got[1], NULL);
    printf("%d %d\\n", got[0], got[1]);
  }
  return MPI_Finalize();
}
"""
    done = run_aplib(source, 2)
    assert (done.stdout, done.stderr, done.returncode) == ("2 1\n", "", 0)


def test_another_machine_has_no_aplib(run_program):
    done = run_program(program_of("sync()"), 2, machine="ideal")
    assert "l_cellid: this machine has no APlib; run the program on one that has, such as ap3000" in done.stderr


@pytest.mark.parametrize(("source", "said"), [("aplib_fortran.f90", "right\n"), ("aplib_fixed.f", "4\n")])
def test_fortran_calls_it(run_aplib, source, said):
    done = run_aplib(PROGRAMS / source, 4)
    assert (done.stdout, done.stderr, done.returncode) == (said, "", 0)


def test_cpp_calls_it_beside_the_systems_headers(run_aplib):
    source = """#include <unistd.h>
#include <aplib.h>
int main() { int one = 1; sync(); xy_isum(&one, 1); return one == l_ncells() ? 0 : 1; }
"""
    assert run_aplib(source, 3, cxx=True).returncode == 0


def test_no_machine_is_one_of_aplib_alone(hindcast, root, tmp_path):
    machine = tmp_path / "mine.toml"
    text = (root / "platforms" / "ap3000.toml").read_text()
    old = 'library = { value = "ap3000", one_of = ["ap3000"]'
    assert old in text
    machine.write_text(text.replace(old, 'library = { value = "aplib", one_of = ["aplib"]'))
    done = hindcast("check", machine)
    assert done.returncode != 0
    assert "messages.library" in done.stderr
    assert "aplib" in done.stderr
