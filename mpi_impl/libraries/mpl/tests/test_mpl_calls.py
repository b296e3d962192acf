"""MPL's calls: what they do, what they take, and what wrong ones are told."""

import re
from pathlib import Path

import pytest

from tests.support.program_text import unchecked

PROGRAMS = Path(__file__).parent / "programs"
MACHINE = Path(__file__).parent / "sp.toml"
HEADER = Path(__file__).parents[1] / "include" / "mpl.h"
# The machine's numbers, in microseconds.
SEND, SET_UP, POST, RECEIVE, STATUS = 30, 10, 5, 20, 15
SHORT_MAX, HEADER_BYTES = 200, 20
COPIED_BYTE, WIRE_BYTE = 0.01, 0.025
SWITCH = 0.5
READING = 1  # a look at the clock


def on_wire(count):
    return SWITCH + (count + HEADER_BYTES) * WIRE_BYTE


def call_that_sends(count):
    return SEND + (SET_UP if count > SHORT_MAX else 0)


def times(output):
    lines = [line.rpartition(" ") for line in output.splitlines()]
    return {name: float(value) for name, _, value in lines}


def test_calls_do_what_they_should(mpl_output):
    assert mpl_output(PROGRAMS / "calls.c", 4) == "right\n"


def test_a_program_checks_what_each_function_does():
    declared = re.findall(r"^MPL_FUNCTION \w+ (\w+)\(", HEADER.read_text(), re.M)
    assert len(declared) == 40
    assert unchecked(declared, [(PROGRAMS / "calls.c").read_text()]) == ["mpc_stopall"]  # which ends the run: see below


def test_fortran_calls_each_function(run_program):
    declared = re.findall(r"^MPL_FUNCTION \w+ (\w+)\(", HEADER.read_text(), re.M)
    text = (PROGRAMS / "calls_fortran.f").read_text()
    assert [name for name in declared if not re.search(rf"\b{name.replace('mpc_', 'mp_')}\b", text)] == []
    done = run_program(PROGRAMS / "calls_fortran.f", 4, machine=MACHINE, fortran=True)
    assert (done.stdout, done.returncode) == ("right\n", 1)
    assert "mp_stopall: the program has stopped all tasks, with code 3" in done.stderr


@pytest.mark.parametrize("count", [0, 1, 200, 201, 1000, 100_000])
def test_calls_take_what_is_reckoned_by_hand(mpl_output, count):
    took = times(mpl_output(PROGRAMS / "times.c", 2, count))
    exactly = pytest.approx
    call = call_that_sends(count)
    # A longer message leaves as the adapter reads it; the wire's time and the adapter's are the same here.
    leaves = (count + HEADER_BYTES) * WIRE_BYTE if count > SHORT_MAX else 0
    assert took["bsend"] == exactly(call + leaves + READING, abs=2e-3)
    assert took["received at"] - took["sent at"] == exactly(call + on_wire(count) + RECEIVE + READING, abs=2e-3)
    assert took["send"] == exactly(call + READING, abs=2e-3)
    assert took["probe"] == exactly(STATUS + READING, abs=2e-3)
    assert took["brecv"] == exactly(POST + RECEIVE + count * COPIED_BYTE + READING, abs=2e-3)
    assert took["recv"] == exactly(POST + READING, abs=2e-3)
    assert took["looked"] == exactly(took["looks"] * STATUS + RECEIVE + READING, abs=2e-3)
    assert took["sync"] == exactly(POST + SEND + RECEIVE + on_wire(0) + READING, abs=1.5)


def test_a_look_finds_what_has_come_by_its_end(mpl_output):
    """From 99,990 on, of a message that arrives by 100,051.5 and a little: the fifth ends at 100,066."""
    took = times(mpl_output(PROGRAMS / "times.c", 2, 0))
    arrives = took["sent at last"] + SEND + on_wire(0)
    assert 0 <= 99990 + took["looks"] * STATUS - arrives <= STATUS + 2 * READING


@pytest.mark.parametrize(
    ("setting", "moved"),
    [
        ("mpl.overhead=100us", {"bsend": 30, "send": 30, "brecv": 20}),
        ("mpl.percent_at_sender=50", {"bsend": -5, "send": -5, "brecv": 5}),
        ("mpl.long_set_up=20us", {"bsend": 10, "send": 10}),
        ("mpl.post_overhead=6us", {"brecv": 1, "recv": 1}),
        ("mpl.status=25us", {"probe": 10}),
        ("processor.copy_bandwidth=50MB/s", {"brecv": 1000 * COPIED_BYTE}),
        ("mpl.short_max=1000B", {"bsend": -SET_UP - (1000 + HEADER_BYTES) * WIRE_BYTE, "send": -SET_UP}),
    ],
)
def test_a_number_of_the_file_moves_what_it_should(mpl_output, setting, moved):
    usual = times(mpl_output(PROGRAMS / "times.c", 2, 1000))
    changed = times(mpl_output(PROGRAMS / "times.c", 2, 1000, settings=[setting]))
    for call in ("bsend", "send", "brecv", "recv", "probe"):
        assert changed[call] - usual[call] == pytest.approx(moved.get(call, 0), abs=4e-3), call


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("task", "mpc_bsend: argument 3 (dest) is 4, but the partition has tasks 0 to 3; give one of them"),
        ("type", "mpc_bsend: argument 4 (type) is -2; a type is 0 to 2147483647"),
        ("data", "mpc_bsend: argument 1 is a null pointer, but has 4 bytes; give the address of the data"),
        ("negative", "mpc_bsend: argument 2 (msglen) is -4; it must not be negative, and at most 2147483647"),
        ("too long", "mpc_send: argument 2 (msglen) is 2147483648; it must not be negative, and at most 2147483647"),
        ("negative room", "mpc_bsendrecv: argument 6 (inlen) is -1; it must not be negative"),
        ("negative broadcast", "mpc_bcast: argument 2 (msglen) is -4; it must not be negative"),
        ("negative combination", "mpc_combine: argument 3 (msglen) is -1; it must not be negative"),
        ("negative blocks", "mpc_index: argument 3 (blklen) is -8; it must not be negative"),
        ("many members", "mpc_group: argument 1 (gsize) is 99; it must be 1 at least, and at most 4"),
        (
            "longer",
            "mpc_bcast: the message of 16 bytes from task 3 is longer than the 8 bytes that this task has said; all "
            "members of the group have to make the same call with the same length",
        ),
        ("shorter", "mpc_gather: the message of 8 bytes from task 1 is shorter than the 16 bytes that this task"),
        ("other lengths", "mpc_combine: the message of 16 bytes from task 1 is longer than the 8 bytes"),
        ("other blocks", "mpc_concat: the message of 8 bytes from task 3 is shorter than the 16 bytes"),
        ("source", "mpc_brecv: *source is 99, but the partition has tasks 0 to 3; give one of them"),
        ("any type", "mpc_brecv: *type is -7; a type is 0 to 2147483647, and -1 is any"),
        ("no source", "mpc_brecv: the source is a null pointer; give the address of a variable"),
        ("id", "mpc_wait: the message id is 99, but no message in progress has it"),
        ("no id", "mpc_wait: *msgid stands for any message, but none is in progress"),
        ("group", "mpc_sync: the group is 8, but there is none of this id"),
        ("member", "mpc_bcast: argument 3 (source) is 9, but task 9 is not in the group"),
        ("not in it", "mpc_group: argument 2 (glist) has not the calling task in it"),
        ("function", "mpc_combine: argument 'func' is a null pointer"),
        (
            "nowhere to gather",
            "mpc_gather: argument 2 is a null pointer, but has 4 bytes; give the address of the data",
        ),
        ("nothing to scatter", "mpc_scatter: argument 1 is a null pointer, but has 4 bytes"),
        ("nowhere to reduce", "mpc_reduce: argument 2 is a null pointer, but has 4 bytes"),
        ("query", "mpc_task_query: argument 2 (nelem) is 1, but there are 2 numbers of this qtype; give that"),
        ("short", "mpc_brecv: the message of 2 bytes from task 0, type 1, is longer than the receive's buffer of 1"),
        ("stop", "mpc_stopall: the program has stopped all tasks, with code 3"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run_on_mpl, what, said):
    done = run_on_mpl(PROGRAMS / "wrong.c", 5, what)
    assert done.returncode == 1
    assert f"rank 0: {said}" in done.stderr
    assert done.stderr.count("\n") == 1


def test_fortran_is_told_of_negative_lengths(run_program, tmp_path):
    program = tmp_path / "negative.f90"
    program.write_text("integer :: a(4) = 0\ncall mp_bsend(a, -4, 1, 1)\nend\n")
    done = run_program(program, 2, machine=MACHINE, fortran=True)
    assert done.returncode == 1
    assert "rank 0: mp_bsend: argument 2 (msglen) is -4; it must not be negative" in done.stderr


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("mp_bcast(a, 4, 9, 0)", "mp_bcast: argument 3 (source) is 9"),
        ("mp_status(99, n)", "mp_status: the message id is 99, but no message in progress has it"),
        ("mp_task_query(a, 1, 3)", "mp_task_query: argument 2 (nelem) is 1"),
        ("mp_getsize(n, 8)", "mp_getsize: the group is 8"),
        ("mp_brecv(a, 4, from, n, n)", "waits in mp_brecv for a message from task 1"),
    ],
)
def test_errors_and_waits_name_the_call_as_fortran_has_it(run_program, tmp_path, call, told):
    program = tmp_path / "named.f90"
    program.write_text(f"integer :: a(4) = 0, n = 0, from = 1\ncall {call}\nend\n")
    done = run_program(program, 2, machine=MACHINE, fortran=True)
    assert done.returncode == 1
    assert f"rank 0: {told}" in done.stderr


def test_who_waits_for_ever_is_told(run_on_mpl):
    done = run_on_mpl(PROGRAMS / "wrong.c", 5, "wait")
    assert done.returncode != 0
    assert "mpc_brecv" in done.stderr
    assert "for a message from any task, type 2" in done.stderr


def test_partitions_know_nothing_of_each_other(run_on_mpl, tmp_path):
    program = tmp_path / "environ.c"
    calls = 'int n, me; mpc_environ(&n, &me); printf("%d of %d\\n", me, n);'
    program.write_text(f"#include <mpl.h>\n#include <stdio.h>\nint main(void) {{ {calls} return 0; }}\n")
    done = run_on_mpl(program, 6)
    assert sorted(done.stdout.splitlines()) == sorted(["0 of 4", "1 of 4", "2 of 4", "3 of 4", "0 of 2", "1 of 2"])


def test_a_machine_without_mpl_is_told(run_program):
    done = run_program(PROGRAMS / "calls.c", 2, machine="ideal")
    assert done.returncode == 1
    assert "rank 0: mpc_environ: this node has no MPL" in done.stderr
