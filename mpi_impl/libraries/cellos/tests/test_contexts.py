"""How MPI's context travels on the AP1000: what messages take under each strategy, by arithmetic on the machine's
parameters, and what tags and communicators are left."""

import json

import pytest

from mpi_impl.libraries.cellos.tests.numbers import (
    BROADCAST,
    CLOCK_READ,
    COPY,
    DOMAIN,
    HOP,
    MISALIGNED,
    PROBE,
    RECEIVE,
    SELECTIVE,
    SEND,
    on_net,
)

CONTEXTS = ["header", "type", "packed", "extra message"]

WORD = 4  # bytes of a context that is packed, or sent before

ONE_MESSAGE = """
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  static char data[10000];
  double times[2] = {0}, sent = 0;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = atoi(argv[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    hindcast_compute_seconds(5e-3);
    times[0] = MPI_Wtime();
    MPI_Send(data, bytes, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
    sent = MPI_Wtime();
    MPI_Recv(times + 1, 1, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%.6f %.6f\\n", (sent - times[0]) * 1e6, (times[1] - times[0]) * 1e6);
  } else {
    MPI_Recv(data, bytes, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    times[1] = MPI_Wtime();
    MPI_Send(times + 1, 1, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
"""


def numbers(run_program, text, ranks, *words, **settings):
    """What a program prints, the same in lockstep."""
    launcher = [word for key, value in settings.items() for word in ("--set", f"{key.replace('__', '.', 1)}={value}")]
    outputs = []
    for mode in ([], ["--lockstep"]):
        done = run_program(text, ranks, *words, machine="ap1000", launcher=[*launcher, *mode])
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    return [float(number) for number in outputs[0].split()]


def about(*times):
    return pytest.approx(times, abs=1e-5)


@pytest.mark.parametrize("n", [0, 24, 1000])
def test_a_message_takes_what_its_parts_take(n, run_program):
    sender = {
        "header": SEND + DOMAIN + COPY * n,
        "type": SEND + MISALIGNED * n,
        "packed": COPY * (n + WORD) + SEND + MISALIGNED * (n + WORD),
        "extra message": 2 * SEND + MISALIGNED * (WORD + n),
    }
    receiver = {
        "header": RECEIVE + COPY * n,
        "type": RECEIVE + MISALIGNED * n,
        "packed": PROBE + RECEIVE + MISALIGNED * (n + WORD) + COPY * n,
        "extra message": PROBE + 2 * RECEIVE + MISALIGNED * (WORD + n),
    }
    for context in CONTEXTS:
        sent = sender[context] + CLOCK_READ
        received = sent + on_net(n + (WORD if context == "packed" else 0)) + HOP + receiver[context]
        times = numbers(run_program, ONE_MESSAGE, 2, n, mpi__context=context)
        assert times[0] == pytest.approx(sent, abs=1e-5), context
        waits_for_poll = PROBE if context in ("packed", "extra message") else 0
        assert received - 1e-5 < times[1] < received + waits_for_poll + 1e-5, context


QUEUE = """
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int rank, tag = atoi(argv[1]);
  MPI_Request ignored;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; rank == 1 && i < 3; ++i) {
    MPI_Isend(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_SELF, &ignored);
    MPI_Request_free(&ignored);
  }
  hindcast_compute_seconds(20e-3);
  if (rank == 0) MPI_Send(NULL, 0, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) {
    hindcast_compute_seconds(20e-3);
    const double start = MPI_Wtime();
    MPI_Recv(NULL, 0, MPI_BYTE, 0, tag < 0 ? MPI_ANY_TAG : tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%.6f\\n", (MPI_Wtime() - start) * 1e6);
    for (int i = 0; i < 3; ++i) MPI_Recv(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
"""


def test_a_receive_that_cellos_cannot_match_passes_every_message_in_the_queue(run_program):
    """Three messages of another communicator came before."""
    by_tag = {
        "header": RECEIVE,
        "type": RECEIVE,
        "packed": 4 * PROBE + RECEIVE + MISALIGNED * WORD,
        "extra message": 7 * PROBE + 2 * RECEIVE + MISALIGNED * WORD,
    }
    with_any_tag = by_tag | {"type": 4 * PROBE + RECEIVE}
    for context in CONTEXTS:
        assert numbers(run_program, QUEUE, 2, 7, mpi__context=context) == about(by_tag[context] + CLOCK_READ), context
        assert numbers(run_program, QUEUE, 2, -1, mpi__context=context) == about(with_any_tag[context] + CLOCK_READ), (
            context
        )


BROADCAST_CALL = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  char data[1000] = {0};
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  MPI_Bcast(data, sizeof data, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.6f\\n", (MPI_Wtime() - start) * 1e6);
  MPI_Finalize();
  return 0;
}
"""


def test_a_broadcast_to_all_cells_needs_no_domains(run_program):
    times = {
        "header": BROADCAST + SELECTIVE,
        "type": BROADCAST,
        "packed": COPY * (1000 + WORD) + BROADCAST,
        "extra message": 2 * BROADCAST,
    }
    for context, time in times.items():
        assert numbers(run_program, BROADCAST_CALL, 8, mpi__context=context) == about(time + CLOCK_READ), context


STEPS = """
#include <mpi.h>
int main(int argc, char** argv) {
  int data[2] = {0}, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(data, 2, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""


PACKING = {"copy to the library's buffer, after the context": 12, "copy out of the library's buffer": 8}


def test_what_a_strategy_takes_is_among_the_recorded_steps(run_program, tmp_path):
    """Of one message of 8 bytes: which steps are taken how often, and of how many bytes."""
    copies = {"copy to the system's send buffer": 8, "copy out of the ring buffer": 8}
    amounts = {
        "header": copies,
        "type": copies,
        "packed": PACKING | dict.fromkeys(copies, 12),
        "extra message": dict.fromkeys(copies, 12),
    }
    messages = {"header": 1, "type": 1, "packed": 1, "extra message": 2}
    for context in CONTEXTS:
        file = tmp_path / f"{context}.json"
        launcher = ["--set", f"mpi.context={context}", "--count", file]
        done = run_program(STEPS, 2, machine="ap1000", launcher=launcher)
        assert done.returncode == 0, done.stderr
        steps = {step["name"]: step for step in json.loads(file.read_text())}
        assert {name: step["amount"] for name, step in steps.items() if "buffer" in name} == amounts[context], context
        for name in ("call that sends", "call that receives"):
            assert steps[name]["count"] == messages[context], context
        assert ("domain in the header" in steps) == (context == "header")
        assert ("probe" in steps) == (context in ("packed", "extra message"))


TAGS = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int *bound, flag, rank;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag);
  MPI_Send(NULL, 0, MPI_BYTE, 1 - rank, *bound, MPI_COMM_WORLD);
  MPI_Recv(NULL, 0, MPI_BYTE, 1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  if (status.MPI_TAG != *bound) return 1;
  if (rank == 0) printf("%d\\n", *bound);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int code = MPI_Send(NULL, 0, MPI_BYTE, 1 - rank, *bound + 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return code == MPI_SUCCESS;
}
"""


def test_the_upper_bound_of_tags_is_what_the_type_leaves(run_program):
    bounds = {"header": 65535, "type": 32767, "packed": 65534, "extra message": 65534}
    for context, bound in bounds.items():
        assert numbers(run_program, TAGS, 2, mpi__context=context) == [bound]
    for bits in (2, 5, 8):
        bound = 2 ** (16 - bits) - 1
        assert numbers(run_program, TAGS, 2, mpi__context="type", mpi__context_bits=bits) == [bound]


COMMUNICATORS = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Comm made[500], alone;
  int count = 0, rank, class, value;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  while (MPI_Comm_dup(MPI_COMM_WORLD, &made[count]) == MPI_SUCCESS) ++count;
  for (int i = 0; i < atoi(argv[1]); ++i) { /* of one process */
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_SELF, &alone);
    MPI_Isend(&i, 1, MPI_INT, 0, 5, alone, &request);
    MPI_Recv(&value, 1, MPI_INT, 0, MPI_ANY_TAG, alone, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (value != i) return 1;
    if (i % 2) MPI_Comm_free(&alone);
  }
  if (count > 0) { /* freed with a message that nobody has received */
    if (rank == 0) MPI_Send(&count, 1, MPI_INT, 1, 5, made[0]);
    MPI_Barrier(made[0]);
    MPI_Comm_free(&made[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (MPI_Comm_dup(MPI_COMM_WORLD, &made[0]) != MPI_SUCCESS) return 2;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, made[0], &value, MPI_STATUS_IGNORE);
    if (value) return 3;
  }
  MPI_Error_class(MPI_Comm_dup(MPI_COMM_WORLD, &alone), &class);
  if (class != MPI_ERR_OTHER) return 4;
  if (rank == 0) printf("%d\\n", count);
  MPI_Finalize();
  return 0;
}
"""


def test_bits_of_the_type_are_so_many_communicators(run_program):
    for bits, count in ((1, 0), (2, 1), (4, 7), (8, 127)):
        assert numbers(run_program, COMMUNICATORS, 3, 40, mpi__context="type", mpi__context_bits=bits) == [count]


def test_a_recycled_domain_has_no_old_message(run_program):
    assert numbers(run_program, COMMUNICATORS, 3, 0, mpi__domain_stack=4) == [2]


def test_errors_name_the_parameter(run_program):
    text = """
    #include <mpi.h>
    int main(int argc, char** argv) {
      MPI_Init(&argc, &argv);
      MPI_Comm comm;
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      MPI_Finalize();
    }
    """
    done = run_program(text, 2, machine="ap1000", launcher=["--set", "mpi.context=type"])
    assert done.returncode != 0
    assert "MPI_Comm_dup: contexts have run out: with 1 bit of the type for them (mpi.context_bits)" in done.stderr
    words = ["--set", "mpi.context=type", "--set", "mpi.context_bits=9"]
    done = run_program(text, 2, machine="ap1000", launcher=words)
    assert done.returncode != 0
    assert "mpi.context_bits" in done.stderr
    assert "must be 1 to 8" in done.stderr


DUPLICATE = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Comm half, copy;
  MPI_Request request;
  int rank, value = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Comm_idup(half, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Bcast(&value, 1, MPI_INT, 0, copy);
  MPI_Finalize();
  return value != 7;
}
"""


def test_a_duplicate_made_without_waiting_has_the_selective_broadcast(run_program, tmp_path):
    file = tmp_path / "steps.json"
    done = run_program(DUPLICATE, 8, machine="ap1000", launcher=["--count", file])
    assert done.returncode == 0, done.stderr
    steps = json.loads(file.read_text())
    assert sum(step["count"] for step in steps if step["name"] == "call that broadcasts") == 2
    discards = [step for step in steps if step["name"] == "discards a broadcast for other cells"]
    assert sum(step["count"] for step in discards) == 8
