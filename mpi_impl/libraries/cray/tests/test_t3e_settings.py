"""How the T3E's MPI is chosen by keys: what cannot go together is refused, buffers by the environment, and which
communicators have the hardware's barrier."""

import json

import pytest

from tests.support.machine_files import check_keys_are_wanted_only_where_chosen

HELLO = """#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize(
    ("machine", "settings", "complaint"),
    [
        ("t3e-900", ["mpi.medium=Tn"], "mpi.medium=Tn: Tn puts data into slots that lie one behind the other"),
        ("t3e-900", ["mpi.library=old", "mpi.queue=hardware"], "and a message queue in hardware takes single packets"),
        (
            "t3e-900",
            ["mpi.library=old", "mpi.medium_max=100KiB"],
            "a queue of 1024 slots (locked_queue.slots) has room for",
        ),
        ("t3e-900", ["mpi.short_max=57"], "mpi.short_max=57: a packet has room for 56 bytes"),
        ("t3e-900", ["locked_queue.short_max=32"], "must leave room in the slot (locked_queue.slot_bytes)"),
        ("t3e-900", ["barrier.polled=no"], "a barrier that cannot be polled (barrier.polled) would keep messages from"),
        ("t3e-900", ["message_queue.slots=1"], "message_queue.slots=1"),
        ("t3d", ["mpi.library=new"], "mpi.library=new: 'new' is not one of old"),
        ("t3d", ["mpi.queue=hardware"], "'hardware' is not one of as the library, locked"),
        ("t3d", ["mpi.barrier=hardware"], "'hardware' is not one of as the library, messages"),
    ],
)
def test_what_cannot_go_together_is_refused(machine, settings, complaint, run_program):
    launcher = [word for setting in settings for word in ("--set", setting)]
    done = run_program(HELLO, 2, machine=machine, launcher=launcher)
    assert done.returncode != 0
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


LOCKED_QUEUE = [
    "locked_queue.slot_bytes",
    "locked_queue.short_max",
    "locked_queue.slot_data",
    "locked_queue.slots",
    "locked_queue.put_overhead",
    "locked_queue.retry_pause",
    "locked_queue.look",
    "locked_queue.receive_overhead",
]
MESSAGE_QUEUE = [
    "message_queue.packet_bytes",
    "message_queue.slots",
    "message_queue.send_overhead",
    "message_queue.receive_overhead",
]
NEW = ["mpi.library=new"]
OLD = ["mpi.library=old"]
MIXED = ["mpi.queue=locked", "mpi.medium=RTA", "mpi.barrier=messages"]


@pytest.mark.parametrize(
    ("without", "runs_with", "fails_with", "complaint"),
    [
        *[([key], NEW, OLD, f"{key}: this key is missing") for key in LOCKED_QUEUE],
        *[([key], OLD, NEW, f"{key}: this key is missing") for key in MESSAGE_QUEUE if key != "message_queue.slots"],
        (["message_queue.slots"], OLD, NEW, "this machine has no message queues in hardware"),
        (["barrier.poll"], OLD, NEW, "barrier.poll: this key is missing"),
        (["locked_queue.slot_data"], MIXED, OLD, "locked_queue.slot_data: this key is missing"),
        (["mpi.library"], MIXED, ["mpi.queue=locked"], "mpi.library: this key is missing"),
        (LOCKED_QUEUE, NEW, OLD, "locked_queue."),
        ([*MESSAGE_QUEUE, "barrier.poll"], OLD, NEW, "this machine has no message queues in hardware"),
    ],
)
def test_keys_of_what_is_not_chosen_may_be_missing(
    without, runs_with, fails_with, complaint, machine_without, run_program
):
    machine = machine_without("t3e-900", *without)

    def start(settings):
        return run_program(HELLO, 2, machine=machine, launcher=[f"--set={setting}" for setting in settings])

    check_keys_are_wanted_only_where_chosen(start, runs_with, fails_with, complaint)


def test_keys_of_what_is_not_chosen_are_checked_if_they_are_there(machine_without, run_program):
    machine = machine_without("t3e-900", "locked_queue.look")
    text = machine.read_text()
    machine.write_text(text.replace('slot_bytes = { value = 32, unit = "B"', 'slot_bytes = { value = 32, unit = "us"'))
    done = run_program(HELLO, 2, machine=machine)
    assert "locked_queue.slot_bytes: 'us' is no unit of a size" in done.stderr
    machine.write_text(text.replace("retry_pause", "retry_pose"))
    done = run_program(HELLO, 2, machine=machine)
    assert "locked_queue.retry_pose: unknown key: no part of t3e-900 uses it" in done.stderr


# Of those that were there; there may be others.
@pytest.mark.parametrize(
    ("setting", "can_be_chosen"),
    [
        ("mpi.longer=Tn", {"RAT", "RTA"}),
        ("mpi.medium=T", {"as the library", "RAT", "RTA", "Tn"}),
        ("mpi.synchronous=rta", {"RAT", "RTA"}),
    ],
)
def test_only_protocols_that_there_are_can_be_chosen(setting, can_be_chosen, hindcast):
    done = hindcast("show", "t3e-900", f"--set={setting}")
    assert done.returncode != 0
    name = setting.partition("=")[2]
    complaint = f"hindcast: --set {setting}: '{name}' is not one of "
    assert done.stderr.startswith(complaint)
    names = set(done.stderr.removeprefix(complaint).strip().split(", "))
    assert can_be_chosen <= names
    assert name not in names


def test_show_lists_the_protocols(hindcast):
    rows = hindcast("show", "t3e-900").stdout.splitlines()
    (longer,) = [row for row in rows if row.startswith("mpi.longer ")]
    assert {"RAT", "RTA"} <= set(longer.partition("(one of ")[2].removesuffix(")").split(", "))


# Rank 1 receives long after rank 0 has sent: how long the call of the latter took, in microseconds.
SEND = """#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char** argv) {
  static char data[5000];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    memset(data, 'x', sizeof data);
    const double start = MPI_Wtime();
    MPI_Send(data, sizeof data, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    printf("%.0f\\n", (MPI_Wtime() - start) * 1e6);
    memset(data, '-', sizeof data);
  } else {
    hindcast_compute_seconds(1e-3);
    MPI_Recv(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (unsigned i = 0; i < sizeof data; ++i)
      if (data[i] != 'x') MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("library", ["new", "old"])
@pytest.mark.parametrize(
    ("key", "variable", "waits"),
    [("0 B", None, True), ("8 KiB", None, False), ("0 B", "5000", False), ("8 KiB", "0", True), ("0 B", "4999", True)],
)
def test_the_environment_says_how_much_is_buffered(library, key, variable, waits, run_program):
    env = {"MPP_BUFFER_MAX": variable} if variable is not None else {}
    launcher = ["--set", f"mpi.library={library}", "--set", f"mpi.buffer_max={key}"]
    done = run_program(SEND, 2, machine="t3e-900", launcher=launcher, env=env)
    assert done.returncode == 0, done.stderr
    assert (int(done.stdout) > 900) == waits


def test_a_buffer_that_is_no_number_is_refused(run_program):
    done = run_program(HELLO, 2, machine="t3e-900", env={"MPP_BUFFER_MAX": "much"})
    assert done.returncode != 0
    assert done.stderr == (
        "hindcast: environment variable MPP_BUFFER_MAX: 'much' is no number of bytes such as 0 or 65536\n"
    )


# Three barriers over all ranks in the world and a duplicate of it, three over half of them, then MPI_Finalize's.
BARRIERS = """#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Comm duplicate, half;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(duplicate);
  for (int i = 0; i < 3; ++i) MPI_Barrier(half);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize(
    ("machine", "settings", "barriers"),
    [
        ("t3e-900", {"mpi.library": "new"}, 4),
        ("t3e-900", {"mpi.library": "old"}, 0),
        ("t3e-900", {"mpi.library": "old", "mpi.barrier": "hardware"}, 4),
        ("t3e-900", {"mpi.library": "new", "mpi.barrier": "messages"}, 0),
        ("t3d", {}, 0),
    ],
)
def test_only_global_communicators_have_the_hardwares_barrier(machine, settings, barriers, run_program, tmp_path):
    file = tmp_path / "counts.json"
    launcher = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    done = run_program(BARRIERS, 4, machine=machine, launcher=[*launcher, "--count", file])
    assert done.returncode == 0, done.stderr
    steps = json.loads(file.read_text())
    assert sum(step["count"] for step in steps if step["name"] == "hardware barrier") == 4 * barriers


@pytest.mark.parametrize(
    ("messages", "settings"),
    [
        (18, ["mpi.library=new", "message_queue.slots=16"]),
        (65, ["mpi.library=old", "locked_queue.slots=64", "mpi.medium_max=1KiB"]),
    ],
)
def test_explain_says_that_a_sender_waits_for_room_in_a_queue(gaps_without_room, messages, settings):
    gaps = gaps_without_room("t3e-900", messages, 8, *settings)
    assert sum(time for name, time in gaps if name == "the sender waits for room") == pytest.approx(1, abs=0.01)
