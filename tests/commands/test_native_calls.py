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


def trace_of(run_program, tmp_path, source, machine):
    file = tmp_path / "out.json"
    done = run_program(source, 2, machine=machine, launcher=["--trace", file])
    assert done.returncode == 0, done.stderr
    return json.loads(file.read_text())["traceEvents"]


@pytest.mark.parametrize("machine", SENDS)
def test_calls_of_a_machines_library_are_boxes(run_program, tmp_path, machine):
    header, body, calls = SENDS[machine]
    source = f"#include <{header}>\nint main(void) {{ char data[8] = {{0}}; (void)data; {body}\nreturn 0; }}\n"
    events = trace_of(run_program, tmp_path, source, machine)
    boxes = {event["name"] for event in events if event["ph"] == "X"}
    assert calls <= boxes
    run_program(source, 2, machine=machine, launcher=["--timeline", tmp_path / "out.svg"])
    drawn = (tmp_path / "out.svg").read_text()
    assert any(call in drawn for call in calls)  # what is narrower than a pixel has no name


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
