"""hindcast explain, and the counts of hindcast run --count."""

import json
import re

import pytest

# Rank 1 receives after a pause; the message is short or long.
LATE = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <hindcast.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, bytes = atoi(argv[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* data = calloc(bytes, 1);
  if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    hindcast_compute_seconds(1e-3);
    MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("received\\n");
  }
  MPI_Finalize();
  return 0;
}
"""

# All others send to rank 0 at once.
CROWD = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static char data[3000];
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0) MPI_Send(data, sizeof data, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; ++i)
    MPI_Recv(data, sizeof data, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""

SILENT = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture
def explain(hindcast):
    """explain(...): what hindcast explain --json tells, its steps end to end."""

    def run(*args):
        done = hindcast("explain", "--json", *args)
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        at = told["begin_ps"]
        for step in told["steps"]:
            assert step["begin_ps"] == at
            at += step["time_ps"]
        assert at == told["end_ps"]
        assert told["sum_ps"] == told["end_ps"] - told["begin_ps"]
        return told

    return run


def names(told):
    return [step.get("step") or step["gap"] for step in told["steps"]]


def step(told, name):
    return next(step for step in told["steps"] if step.get("step") == name)


def test_an_eager_message(explain):
    told = explain("--bytes", 100)
    assert names(told) == [
        "send overhead",
        "copy to the system buffer",
        "hops",
        "bytes on the wire",
        "the waiting receiver goes on",
        "receive overhead",
    ]
    assert (told["sender"], told["receiver"], told["bytes"]) == (1, 0, 100)
    assert step(told, "send overhead")["time_ps"] == 1_000_000
    assert step(told, "copy to the system buffer")["time_ps"] == 250_000
    assert step(told, "bytes on the wire")["amount"] == 132


def test_a_long_message_asks_first(explain):
    told = explain("--bytes", "20kB", "-n", 16)
    assert names(told).count("bytes on the wire") == 3
    assert [s["amount"] for s in told["steps"] if s.get("step") == "bytes on the wire"] == [32, 32, 20032]
    assert "copy to the system buffer" not in names(told)
    assert [s["step"] for s in told["at_the_same_time"]] == ["wait", "wait"]


@pytest.mark.parametrize("progress", ["hardware", "interrupt", "polling"])
@pytest.mark.parametrize("size", [0, 100, 20000])
def test_the_steps_add_up(explain, progress, size):
    told = explain("--bytes", size, "--set", f"messages.progress={progress}", "--set", "messages.service_cost=0.7us")
    if progress != "hardware":
        assert step(told, "work on an arrival")["time_ps"] == 700_000


def test_an_unexpected_message_waits_for_the_call_and_is_copied(explain, compile_program):
    told = explain("-n", 2, "--", compile_program(LATE), 100)
    assert names(told)[-3:] == ["waits for the receiver's call", "receive overhead", "copy from the system buffer"]
    gap = next(s for s in told["steps"] if "gap" in s)
    assert gap["rank"] == 1
    assert "computation by time" in gap["meanwhile"]


def test_a_long_message_waits_for_the_call_before_it_travels(explain, compile_program):
    told = explain("-n", 2, "--", compile_program(LATE), 50000)
    assert names(told).index("waits for the receiver's call") == names(told).index("bytes on the wire") + 1
    assert step(told, "send overhead")["value"] == "1 us"


def test_computation_takes_what_is_asked_for(hindcast, compile_program, tmp_path):
    program = compile_program(LATE)

    def explained(*words):
        done = hindcast("explain", "--json", "-n", 2, *words, "--", program, 100)
        assert done.returncode == 0, done.stderr
        return done

    declared, charged, free = (
        explained(*words).stdout for words in ([], ["--compute", "charged"], ["--compute", "free"])
    )
    assert declared == charged
    assert "computation by time" in declared
    assert "computation" not in free
    recording = tmp_path / "computed.csv"
    assert (
        hindcast("run", "-n", 2, "--compute", "measured:9", "--record-computation", recording, program, 100).returncode
        == 0
    )
    recorded = [explained("--compute", f"recorded:1e5:{recording}").stdout for _ in range(2)]
    assert recorded[0] == recorded[1] != free
    assert (
        "--compute measured:9: the times of this run are not repeatable" in explained("--compute", "measured:9").stderr
    )


def test_a_message_in_a_crowd_waits_behind_others(explain, compile_program):
    told = explain("-n", 8, "--", compile_program(CROWD))
    waits = [s for s in told["steps"] if s.get("step") == "wait behind other messages"]
    assert sum(s["time_ps"] for s in waits) > 10_000_000  # a body takes 10 us on the wire


def test_a_changed_parameter_changes_its_row(explain):
    told = explain("--bytes", 8, "--set", "network.hop_latency=7us", "-m", "ideal")
    hops = step(told, "hops")
    assert hops["time_ps"] == 7_000_000
    assert (hops["value"], hops["kind"], hops["source"]) == ("7 us", "set", "--set network.hop_latency=7us")


@pytest.mark.parametrize(
    ("port", "bound_by", "ps_per_byte"),
    [("500 MB/s", "node.smp.copy_bandwidth", 4_000), ("100 MB/s", "node.smp.memory_port_bandwidth", 10_000)],
)
def test_bytes_in_a_shared_memory_are_told_with_what_bounds_them(explain, port, bound_by, ps_per_byte):
    told = explain("-m", "cluster", "--set", f"node.smp.memory_port_bandwidth={port}", "--bytes", 100)
    for name in ("copy to the system buffer", "bytes through the memory", "copy from the system buffer"):
        row = step(told, name)
        assert row["parameter"] == bound_by
        assert row["time_ps"] == row["amount"] * ps_per_byte


def test_the_table_ends_with_the_sum(hindcast):
    done = hindcast("explain", "--bytes", 0)
    assert done.returncode == 0
    assert "message 1:2, 0 bytes from rank 1 to rank 0 (MPI_Send, MPI_Recv, tag 0)" in done.stdout
    rows = done.stdout.splitlines()
    assert any(row.split()[:2] == ["sum", "2.206668"] for row in rows)
    assert "processor.send_overhead = 1 us" in done.stdout
    assert "made up: a library call that starts a message" in done.stdout


def test_messages_are_listed_and_chosen(hindcast, explain, compile_program):
    program = compile_program(CROWD)
    listed = json.loads(hindcast("explain", "-n", 3, "--list", "--json", "--", program).stdout)
    own = [m["message"] for m in listed if not m["of_library"]]
    assert own == ["1:1", "2:1"]
    assert any(m["of_library"] for m in listed)
    assert explain("-n", 3, "--message", "1:1", "--", program)["sender"] == 1
    assert "MESSAGE" in hindcast("explain", "-n", 3, "--list", "--", program).stdout


LABELLED = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0, flag = 0;
  MPI_Comm own;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  if (rank == 0) {
    MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    MPI_Isend(&value, 1, MPI_INT, 2, 4, own, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 2) {
    MPI_Irecv(&value, 1, MPI_INT, 0, 4, own, &request);
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  }
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""


def test_a_listed_message_has_its_calls_communicator_tag_and_method(hindcast, compile_program):
    program = compile_program(LABELLED)
    options = ["explain", "-m", "cluster", "-n", 3, "--map", "0,0,1", "--list"]
    listed = json.loads(hindcast(*options, "--json", "--", program).stdout)
    own = [m for m in listed if not m["of_library"]]
    keys = ("tag", "communicator", "sent_by", "received_by", "method")
    assert [tuple(m[key] for key in keys) for m in own] == [
        (3, "MPI_COMM_WORLD", "MPI_Ssend", "MPI_Recv", "memory"),
        (4, "communicator 1", "MPI_Isend", "MPI_Test", "network"),
    ]
    assert {m["sent_by"] for m in listed if m["of_library"]} >= {"MPI_Comm_dup", "MPI_Bcast", "MPI_Finalize"}
    assert "MPI_Isend, MPI_Test" in hindcast(*options, "--", program).stdout


def test_the_programs_output_is_kept_apart(hindcast, compile_program):
    done = hindcast("explain", "-n", 2, "--", compile_program(LATE), 8)
    assert "received\n" in done.stderr
    assert "received\n" not in done.stdout


def test_lockstep_makes_no_difference_to_the_counts(hindcast, compile_program, tmp_path):
    program = compile_program(CROWD)
    for progress in ("hardware", "interrupt", "polling"):
        texts = []
        for way in ((), ("--lockstep",)):
            file = tmp_path / f"{progress}{len(way)}.json"
            done = hindcast(
                "run", "-n", 8, "--set", f"messages.progress={progress}", *way, "--count", file, "--", program
            )
            assert done.returncode == 0, done.stderr
            texts.append(file.read_text())
        assert texts[0] == texts[1]


def counts(hindcast, program, file, *args):
    done = hindcast("run", "-n", 2, "--count", file, "--", program, *args)
    assert done.returncode == 0, done.stderr
    rows = json.loads(file.read_text())
    assert rows == sorted(rows, key=lambda row: (row["name"], row["parameter"], row["rank"]))
    return {(row["name"], row["rank"]): row for row in rows}


def test_copies_are_counted(hindcast, compile_program, tmp_path):
    program = compile_program(LATE)
    eager = counts(hindcast, program, tmp_path / "eager.json", 100)
    assert eager["copy to the system buffer", 0]["count"] == 1
    assert eager["copy from the system buffer", 1] == {
        "name": "copy from the system buffer",
        "parameter": "processor.copy_bandwidth",
        "rank": 1,
        "count": 1,
        "time_ps": 250_000,
        "amount": 100,
    }
    long = counts(hindcast, program, tmp_path / "long.json", 50000)
    assert not [name for name, _ in long if name.startswith("copy")]


def test_a_native_message_of_the_ap1000_is_explained(explain):
    told = explain("-m", "ap1000", "--bytes", 100)
    assert "copy out of the ring buffer" in names(told)
    assert names(told).count("call that sends") == 1


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ([], "explain: what? --bytes BYTES, or a program"),
        (["--bytes", "1", "--", "PROGRAM"], "either --bytes or a program, not both"),
        (["--bytes", "-1"], "--bytes -1: not a whole number of bytes"),
        (["--bytes", "1.5"], "--bytes 1.5: not a whole number of bytes"),
        (["--bytes", "8", "--compute", "free"], "its ranks compute nothing; --compute free is for a program"),
        (["--compute", "most", "--", "PROGRAM"], "--compute most: one of free, charged"),
        (["--compute", "recorded:none.csv", "--", "PROGRAM"], "none.csv"),
        (["--bytes", "8", "-n", "1"], "a message needs two ranks"),
        (["--bytes", "8", "--set", "network.hop=1"], "network.hop"),
        (["--bytes", "8", "--set", "processor.poll=1", "--set", "processor.poll=2"], "given twice"),
        (["--bytes", "8", "--message", "1"], "--message 1: not SENDER:COUNT"),
        (["--bytes", "8", "--message", "7:1"], "no message 7:1 in this run; --list"),
        (["--bytes", "8", "-m", "nowhere"], "nowhere"),
        (["-n", "2", "--", "PROGRAM"], "no message was sent and received point-to-point"),
    ],
)
def test_mistakes_are_told_in_one_line(hindcast, compile_program, args, complaint):
    program = compile_program(SILENT)
    done = hindcast("explain", *[program if word == "PROGRAM" else word for word in args])
    assert done.returncode != 0
    assert done.stdout == ""
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_run_without_messages_is_told_of(hindcast, compile_program):
    done = hindcast("explain", "-n", 2, compile_program("int main(void) {\n  return 0;\n}\n"))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "hindcast: no message was sent in this run\n")


def test_a_file_that_cannot_be_written_is_told_before_the_run(hindcast, compile_program, tmp_path):
    done = hindcast("run", "--count", tmp_path / "missing" / "c.json", "--", compile_program(SILENT))
    assert done.returncode != 0
    assert "cannot be written" in done.stderr
    done = hindcast("run", "--count", tmp_path, "--", compile_program(SILENT))
    assert "it is a directory" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_ping_pong_is_explained_by_its_median_round(hindcast, explain):
    done = hindcast("explain", "--bytes", 0, "--set", "messages.progress=interrupt")
    assert ", the median of 5 rounds behind the first\n" in done.stdout
    told = explain("--bytes", 0, "--set", "messages.progress=interrupt")
    assert [name for name in names(told) if name.startswith("interrupted")] == []
    assert told["message"] == "1:2"


def test_each_parameter_is_named_with_its_file_and_line(hindcast, explain, root):
    told = explain("--bytes", 0)
    hops = step(told, "hops")
    assert hops["file"].endswith("platforms/ideal.toml")
    lines = (root / "platforms" / "ideal.toml").read_text().splitlines()
    assert lines[hops["line"] - 1].startswith("hop_latency = ")
    done = hindcast("explain", "--bytes", 0, cwd=root)
    assert f"platforms/ideal.toml:{hops['line']} " in done.stdout


def test_a_time_is_multiplied_only_where_it_is(hindcast):
    done = hindcast("explain", "-m", "t3e-900", "--bytes", 64, "--map", "0,20")
    assert re.search(r"^hops \(x [2-9]\) ", done.stdout, re.MULTILINE)
    assert re.search(r"^SEND to a message queue +rank", done.stdout, re.MULTILINE)  # a fixed time, whatever the bytes


@pytest.mark.parametrize(
    ("percent", "parts"),
    [(30, ["mpi.overhead = 23 us, 30 % of it", "mpi.overhead = 23 us, 70 % of it"]), (100, ["mpi.overhead = 23 us"])],
)
def test_a_part_of_a_time_for_both_ends_is_told_as_one(hindcast, percent, parts):
    done = hindcast("explain", "-m", "ap3000", "--bytes", 8, "--set", f"mpi.percent_at_sender={percent}")
    rows = [line for line in done.stdout.splitlines() if line.startswith("MPI's own work ")]
    assert [re.search(r"mpi\.overhead = .*?(?=  )", row).group() for row in rows] == parts


SENDS_TO_A_BUSY_RANK = """
#include <mpi.h>
#include <hindcast.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, word = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
"""


def test_an_interruption_is_named_by_its_message(explain, compile_program):
    settings = ["--set", "messages.progress=interrupt", "--set", "processor.receive_overhead=9us"]
    told = explain("-n", 2, *settings, "--message", "0:1", "--", compile_program(SENDS_TO_A_BUSY_RANK))
    gaps = [name for name in names(told) if name.startswith("interrupted")]
    assert all(name.startswith("interrupted by work on message ") for name in gaps)
