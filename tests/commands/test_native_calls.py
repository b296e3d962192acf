"""The calls and messages of machines' own libraries, as traces, timelines and explain have them."""

import json

import pytest

SENDS = {
    "ap1000": (
        "cellos.h",
        "if (l_cellid() == 0) l_asend(1, 5, data, 8);\nif (l_cellid() == 1) l_arecv(0, 5, data, 8, 0);\nsync();",
        {"l_cellid", "l_asend", "l_arecv", "sync"},
    ),
    "ap3000": (
        "pvm3.h",
        "int me = pvm_mytid();\n(void)me;",
        {"pvm_mytid"},
    ),
    "t3e-900": (
        "mpp/shmem.h",
        "static long there;\nstart_pes(0);\nif (_my_pe() == 0) shmem_long_p(&there, 3, 1);\nshmem_barrier_all();",
        {"start_pes", "shmem_long_p", "shmem_barrier_all"},
    ),
    "argonne-sp": (
        "mpl.h",
        "int tasks, me, got, from = 0, type = 5;\nmpc_environ(&tasks, &me);\n"
        "if (me == 0) mpc_bsend(data, 8, 1, 5);\nif (me == 1) mpc_brecv(data, 8, &from, &type, &got);",
        {"mpc_environ", "mpc_bsend", "mpc_brecv"},
    ),
}

REQUESTS = """
#include <nexus.h>
static int came;
static void handler(void* address, nexus_buffer_t buffer) {
  int value;
  nexus_get_int(&buffer, &value, 1);
  came += value;
}
static const nexus_handler_t handlers[] = {{handler, NEXUS_NONTHREADED_HANDLER}};
int main(void) {
  const int one = 1;
  nexus_global_pointer_t other;
  nexus_buffer_t buffer;
  nexus_register_handlers(handlers, 1);
  nexus_context_pointer(&other, (nexus_context() + 1) % nexus_contexts());
  nexus_init_remote_service_request(&buffer, &other, 0);
  nexus_put_int(&buffer, &one, 1);
  nexus_send_remote_service_request(&buffer);
  while (!came) nexus_poll();
  return 0;
}
"""


PUTS = """
#include <mpp/shmem.h>
static long there[100];
int main(void) {
  long here[100] = {0};
  start_pes(0);
  if (_my_pe() == 0) {
    shmem_put64(there, here, 100, 1);
    shmem_iput64(there, here, 2, 1, 10, 1);
    shmem_long_p(there, 3, 0);
  }
  shmem_barrier_all();
  return 0;
}
"""

# The first message comes to a pre-receive that waits for it, the second before there is one.
STRIDING = """
#include <cellos.h>
#include <hindcast.h>
static double data[64];
int main(void) {
  const l_items column = {8, 8, 64};
  int flag = 0;
  if (l_cellid() == 0) hindcast_compute_seconds(1e-3);
  if (l_cellid() == 0) l_striding_send(1, 5, data, column, &flag);
  if (l_cellid() == 1) l_pre_receive(0, 5, data, column, 0, &flag);
  if (l_cellid() == 0) l_striding_send(1, 6, data, column, &flag);
  if (l_cellid() == 1) hindcast_compute_seconds(5e-3);
  if (l_cellid() == 1) l_pre_receive(0, 6, data, column, 0, &flag);
  flag_wait(&flag, 2);
  return 0;
}
"""


def program_of(machine):
    header, body, _ = SENDS[machine]
    return f"#include <{header}>\nint main(void) {{ char data[8] = {{0}}; (void)data; {body}\nreturn 0; }}\n"


def trace_of(run_program, tmp_path, source, machine, *options):
    file = tmp_path / "out.json"
    done = run_program(source, 2, machine=machine, launcher=["--trace", file, *options])
    assert done.returncode == 0, done.stderr
    return json.loads(file.read_text())["traceEvents"]


@pytest.mark.parametrize("machine", SENDS)
def test_calls_of_a_machines_library_are_boxes(run_program, tmp_path, machine):
    calls = SENDS[machine][2]
    source = program_of(machine)
    events = trace_of(run_program, tmp_path, source, machine)
    boxes = {event["name"] for event in events if event["ph"] == "X"}
    assert calls <= boxes
    run_program(source, 2, machine=machine, launcher=["--timeline", tmp_path / "out.svg"])
    drawn = (tmp_path / "out.svg").read_text()
    assert any(call in drawn for call in calls)  # what is narrower than a pixel has no name


def arrows_of(events):
    """Of each message, by its number: where and when it begins, and where and when it ends."""
    sent, received = ({event["id"]: event for event in events if event["ph"] == phase} for phase in "sf")
    assert sent.keys() == received.keys()
    return {sent[one]["args"]["message"]: (sent[one], received[one]) for one in sent}


def ends_in_hardware(events, message):
    return [event["ts"] for event in events if event["ph"] == "e" and event["id"] in in_hardware(events, message)]


def in_hardware(events, message):
    return {event["id"] for event in events if event["ph"] == "b" and event["args"].get("message") == message}


def test_an_arrow_of_a_put_ends_where_and_when_its_data_is_there(run_program, tmp_path):
    events = trace_of(run_program, tmp_path, PUTS, "t3e-900")
    nodes = {event["args"]["name"]: event["pid"] for event in events if event["name"] == "process_name"}
    arrows = arrows_of(events)
    assert [arrows[f"0:{count}"][1]["pid"] for count in (1, 2, 3)] == [nodes[f"node {node}"] for node in (1, 1, 0)]
    moments = [(event["pid"], event["ts"]) for event in events if event["name"] == "put data in place"]
    assert moments == [(end["pid"], end["ts"]) for _, end in sorted(arrows.values(), key=lambda arrow: arrow[1]["ts"])]
    for message in ("0:1", "0:2"):
        begin, end = arrows[message]
        assert begin["pid"] == 1
        assert begin["ts"] < max(ends_in_hardware(events, message)) == end["ts"]
    assert [arrows[f"0:{count}"][1]["args"]["bytes"] for count in (1, 2, 3)] == [800, 80, 8]
    assert events == trace_of(run_program, tmp_path, PUTS, "t3e-900", "--lockstep")


def test_an_arrow_of_a_striding_send_ends_at_the_pre_receive_or_in_the_net(run_program, tmp_path):
    events = trace_of(run_program, tmp_path, STRIDING, "ap1000")
    nodes = {event["args"]["name"]: event["pid"] for event in events if event["name"] == "process_name"}
    (waited_for, arrived), (early, copied) = (arrows_of(events)[f"0:{count}"] for count in (1, 2))
    assert (waited_for["pid"], early["pid"]) == (1, 1)
    assert (arrived["pid"], copied["pid"]) == (nodes["node 1"], 2)
    assert arrived["ts"] == max(ends_in_hardware(events, "0:1"))
    _, call = sorted(event["ts"] + event["dur"] for event in events if event["name"] == "l_pre_receive")
    assert copied["ts"] == pytest.approx(call - 0.001)
    assert events == trace_of(run_program, tmp_path, STRIDING, "ap1000", "--lockstep")


LISTED = {
    "ap1000": ("l_asend, l_arecv", "0:1"),
    "t3e-900": ("shmem_long_p", "0:1"),
    "argonne-sp": ("mpc_bsend, mpc_brecv", "0:1"),
}


@pytest.mark.parametrize("machine", LISTED)
def test_explain_names_the_calls(run_program, compile_program, hindcast, machine):
    calls, message = LISTED[machine]
    program = compile_program(program_of(machine))
    listed = hindcast("explain", "-m", machine, "-n", 2, "--list", "--", program)
    (row,) = [line for line in listed.stdout.splitlines() if line.split()[0] == message]
    assert row.endswith(f"  {calls}")
    (told,) = json.loads(hindcast("explain", "-m", machine, "-n", 2, "--list", "--json", "--", program).stdout)
    sent_by, _, received_by = calls.partition(", ")
    assert (told["sent_by"], told["received_by"]) == (sent_by, received_by or None)
    assert "tag" not in told


def test_explain_tells_that_nothing_was_received(compile_program, hindcast):
    source = """#include <mpl.h>
int main(void) {
  int tasks, self, id;
  mpc_environ(&tasks, &self);
  if (self == 0) mpc_send(&tasks, 4, 1, 7, &id);
  return 0;
}
"""
    done = hindcast("explain", "-m", "argonne-sp", "-n", 2, compile_program(source))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "hindcast: no message was received in this run; --list shows those that were sent\n"


def test_explain_names_the_calls_of_striding_sends_and_requests(compile_program, hindcast):
    def rows(machine, source):
        listed = hindcast("explain", "-m", machine, "-n", 2, "--list", "--", compile_program(source))
        return [line.split(maxsplit=7)[1:] for line in listed.stdout.splitlines()]

    _, at_once, late = (row[-1] for row in rows("ap1000", STRIDING))
    assert (at_once, late) == ("l_striding_send", "l_striding_send, l_pre_receive")
    explained = hindcast("explain", "-m", "ap1000", "-n", 2, "--message", "0:1", "--", compile_program(STRIDING))
    assert " us until the data is in place at " in explained.stdout
    requests = [row[-1] for row in rows("i-way", REQUESTS)[1:]]
    assert requests == ["nexus_send_remote_service_request, nexus_poll"] * 2


def test_requests_of_nexus_are_messages(run_program, compile_program, hindcast, tmp_path):
    events = trace_of(run_program, tmp_path, REQUESTS, "i-way")
    assert len([event for event in events if event["ph"] == "s"]) == 2
    assert len([event for event in events if event["ph"] == "f"]) == 2
    listed = hindcast("explain", "-m", "i-way", "-n", 2, "--list", "--", compile_program(REQUESTS))
    rows = [line.split() for line in listed.stdout.splitlines()]
    assert [row[0] for row in rows if row[0] in ("0:1", "1:1")] == ["0:1", "1:1"]
    explained = hindcast("explain", "-m", "i-way", "-n", 2, "--message", "0:1", "--", compile_program(REQUESTS))
    assert explained.returncode == 0, explained.stderr
    assert "message 0:1" in explained.stdout
    assert "from rank 0 to rank 1" in explained.stdout
