"""NX's calls: what they do, what they take, and what wrong ones are told."""

from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
# The example's numbers, in microseconds.
SEND, RECEIVE, PROBE = 30, 20, 5
COPIED_BYTE, WIRE_BYTE, HEADER_BYTES = 0.025, 0.05, 20
INJECTION, HOP = 2, 0.5
READING = 1


def on_wire(count):
    return (count + HEADER_BYTES) * WIRE_BYTE


def times(output):
    lines = [line.rpartition(" ") for line in output.splitlines()]
    return {name: float(value) for name, _, value in lines}


def test_calls_do_what_they_should(nx_output):
    assert nx_output(PROGRAMS / "calls.c", 4) == "ok\n"


@pytest.mark.parametrize("count", [0, 1, 1000, 100_000])
def test_calls_take_what_is_reckoned_by_hand(nx_output, count):
    took = times(nx_output(PROGRAMS / "times.c", 2, count))
    exactly = pytest.approx
    assert took["csend"] == exactly(SEND + on_wire(count), abs=1e-5)
    assert took["received at"] - took["sent at"] == exactly(SEND + INJECTION + HOP + on_wire(count), abs=1e-5)
    assert took["isend"] == exactly(SEND, abs=1e-5)
    assert took["iprobe"] == exactly(PROBE, abs=1e-5)
    assert took["crecv"] == exactly(RECEIVE + count * COPIED_BYTE, abs=1e-5)
    # Of the last node, for which the others' messages wait.
    assert took["gsync"] == exactly(SEND + RECEIVE, abs=1e-5)


@pytest.mark.parametrize(("nodes", "rounds"), [(3, 2), (4, 2), (5, 3), (8, 3), (9, 4)])
def test_the_last_node_passes_the_barrier_in_rounds(nx_output, nodes, rounds):
    took = times(nx_output(PROGRAMS / "times.c", nodes))
    assert took["gsync"] == pytest.approx(rounds * (SEND + RECEIVE), abs=1e-5)


@pytest.mark.parametrize(
    ("setting", "call", "more"),
    [
        ("nx.send_overhead=50us", "csend", 20),
        ("nx.receive_overhead=50us", "crecv", 30),
        ("nx.probe=7us", "iprobe", 2),
        ("nx.copy_bandwidth=20MB/s", "crecv", 1000 * COPIED_BYTE),
        ("nx.header_bytes=40", "csend", 20 * WIRE_BYTE),
    ],
)
def test_a_parameter_moves_the_calls_that_it_is_for(nx_output, setting, call, more):
    usual = times(nx_output(PROGRAMS / "times.c", 2, 1000))
    changed = times(nx_output(PROGRAMS / "times.c", 2, 1000, settings=[setting]))
    assert changed[call] - usual[call] == pytest.approx(more, abs=1e-5)


@pytest.mark.parametrize("network", ["wormhole", "fluid"])
@pytest.mark.parametrize("seed", range(1, 9))
def test_random_programs_take_the_same_in_lockstep(nx_output, seed, network):
    output = nx_output(PROGRAMS / "random.c", 2 + seed, seed, 6, settings=[f"network={network}"])
    assert len(output.splitlines()) == 6 * (2 + seed)


WRONG = {
    "csend(1, data, 4, 2, 0)": "csend: argument 4 (node) is 2, but there are nodes 0 to 1; give one of them, or -1 for "
    "all others",
    "isend(1, data, 4, -1, 0)": "isend: argument 4 (node) is -1, but there are nodes 0 to 1; give one of them\n",
    "csend(-1, data, 4, 1, 0)": "csend: argument 1 (type) is -1; a type is 0 to 2147483647",
    "csend(1L << 40, data, 4, 1, 0)": "csend: argument 1 (type) is 1099511627776",
    "csend(1, data, -1, 1, 0)": "csend: argument 3 (count) is -1; it must not be negative",
    "csend(1, data, 1L << 40, 1, 0)": "csend: argument 3 (count) is 1099511627776; it must not be negative, and at "
    "most 2147483647\n",
    "isend(1, data, 1L << 31, 1, 0)": "isend: argument 3 (count) is 2147483648",
    "csend(1, 0, 4, 1, 0)": "csend: argument 2 (buf) is a null pointer, but argument 3 (count) is 4",
    "csend(1, data, 4, 1, 3)": "csend: argument 5 (ptype) is 3; a node has one process, which is 0",
    "crecv(-2, data, 4)": "crecv: argument 1 (typesel) is -2; a type is 0 to 2147483647, and -1 is any",
    "irecv(1, 0, 4)": "irecv: argument 2 (buf) is a null pointer",
    "crecv(1, data, -4)": "crecv: argument 3 (count) is -4",
    "iprobe(-3)": "iprobe: argument 1 (typesel) is -3",
    "cprobe(-3)": "cprobe: argument 1 (typesel) is -3",
    "msgwait(7)": "msgwait: argument 1 (mid) is 7, but no message in progress has this id; give what isend or irecv "
    "has returned, once",
    "msgdone(0)": "msgdone: argument 1 (mid) is 0",
    "long id = isend(1, data, 4, 0, 0); msgwait(id); msgwait(id)": "msgwait: argument 1 (mid) is 0",
    "csend(1, data, 8, 0, 0); crecv(1, data, 4)": "crecv: the message of 8 bytes from node 0, type 1, is longer than "
    "the receive's buffer of 4 bytes",
    "long id = irecv(1, data, 4); csend(1, data, 8, 0, 0); msgwait(id)": "msgwait: the message of 8 bytes from node 0",
}


def program(call):
    return f"#include <nx.h>\nint main(void) {{\n  char data[8] = {{0}};\n  (void)data;\n  {call};\n  return 0;\n}}\n"


@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_call_ends_the_run_with_one_line(run_on_nx, call):
    done = run_on_nx(program(f"if (mynode() == 0) {{ {call}; }}"), 2)
    assert done.returncode == 1
    assert done.stderr.startswith(f"hindcast: rank 0: {WRONG[call]}"), done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("crecv(3, data, 4)", "crecv of type 3"),
        ("crecv(NX_ANY, data, 4)", "crecv of any type"),
        ("cprobe(4)", "cprobe of type 4"),
        ("msgwait(irecv(1, data, 4))", "msgwait for message id 0"),
        ("if (mynode() == 1) gsync()", "gsync until all nodes have called it"),
    ],
)
def test_who_waits_for_ever_is_named(run_on_nx, call, told):
    done = run_on_nx(program(call), 2)
    assert done.returncode != 0
    assert "rank 1" in done.stderr
    assert told in done.stderr.replace(": ", " ").replace("  ", " "), done.stderr


def test_a_machine_without_nx_says_so(run_program):
    done = run_program(program("mynode()"), 1, machine="ideal")
    assert done.returncode == 1
    assert "rank 0: mynode: this machine has no NX (its messages.library is not 'nx')" in done.stderr


def test_a_node_runs_one_process(run_on_nx):
    done = run_on_nx(program("mynode()"), 2, launcher=["--map", "block:2"])
    assert done.returncode != 0
    assert "a node of this machine runs one process" in done.stderr


@pytest.mark.parametrize("setting", ["nx.probe=0us", "nx.header_bytes=0"])
def test_a_number_that_cannot_be_is_refused(run_on_nx, setting):
    done = run_on_nx(program("mynode()"), 1, settings=[setting])
    assert done.returncode != 0
    assert setting.partition("=")[0] in done.stderr
