"""Every algorithm of every collective, chosen by name, on communicators of 1 to 33 ranks and of 64, blocking,
nonblocking and persistent; and what is said of choices that make no sense."""

import json

import pytest

from tests.collectives.programs import FLAGS, FOLDER, WORDS, choices, program_of
from tests.collectives.registry import read_registry


def test_there_are_algorithms_of_every_operation():
    rows = read_registry()
    assert len(rows) > 60
    assert len({row.operation for row in rows}) == 22
    assert len({(row.operation, row.algorithm) for row in rows}) == len(rows)


WAYS = ["nonblocking", "persistent"]
CASES = [("blocking", *case) for case in choices()] + [
    (how, *case) for how in WAYS for case in choices() if ":" not in case[1]
]


@pytest.mark.parametrize(("how", "operation", "choice", "needs"), CASES)
def test_algorithm_is_right_on_all_sizes(how, operation, choice, needs, run_program):
    # Short messages travel at once, the longest ask first: both are met.
    launcher = ["--coll", choice, "--set", "messages.eager_limit=100 B"]
    words = [operation, *WORDS[needs], *([how] if how in WAYS else [])]
    done = run_program(program_of(operation), 64, *words, launcher=launcher, flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


# Machines of several ranks a node, and of several sites: few enough nodes that the ranks are at all of them.
OF_SEVERAL = {
    "cluster": ["method.memory.eager_limit=100 B", "method.network.eager_limit=100 B"],
    "grid": [
        "site.east.nodes=4",
        "network.mesh.dimensions=2x2",
        "site.midland.nodes=2",
        "node.large.processors=52",
        "method.memory.eager_limit=100 B",
        "method.internet.eager_limit=100 B",
    ],
}


@pytest.mark.parametrize("machine", sorted(OF_SEVERAL))
@pytest.mark.parametrize(("operation", "choice", "needs"), choices())
def test_algorithm_is_right_where_ranks_share_nodes(machine, operation, choice, needs, run_program):
    settings = [word for setting in OF_SEVERAL[machine] for word in ("--set", setting)]
    launcher = ["--coll", choice, *settings]
    done = run_program(
        program_of(operation), 64, operation, *WORDS[needs], machine=machine, launcher=launcher, flags=FLAGS
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


BROADCASTS = [case for case in choices(of_the_machine=True) if "broadcast" in case[2]]
OF_ALL_RANKS = [case for case in choices(of_the_machine=True) if "broadcast" not in case[2]]


@pytest.mark.parametrize("how", ["blocking", *WAYS])
@pytest.mark.parametrize(("operation", "choice", "needs"), BROADCASTS)
def test_algorithm_on_the_machines_broadcast_is_right(how, operation, choice, needs, run_program):
    words = [operation, *WORDS[needs], how]
    done = run_program(FOLDER / "algorithms.c", 64, *words, machine="ap1000", launcher=["--coll", choice], flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


@pytest.mark.parametrize("ranks", [1, 2, 7, 64])
@pytest.mark.parametrize(("operation", "choice", "needs"), OF_ALL_RANKS)
def test_algorithm_on_what_the_machine_does_for_all_ranks_is_right(operation, choice, needs, ranks, run_program):
    words = [operation, "commutative", "world"]
    done = run_program(
        FOLDER / "algorithms.c", ranks, *words, machine="ap1000", launcher=["--coll", choice], flags=FLAGS
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_what_the_machine_does_not_offer_is_refused(run_program):
    done = run_program(FOLDER / "algorithms.c", 4, "barrier", "world", launcher=["--coll", "barrier=native"])
    assert done.returncode != 0
    assert (
        "barrier=native, needs the machine's barrier; this call is for 4 ranks, for which the machine has"
        in done.stderr
    )


# With parameters of their own, those that have several operands in memory at once.
OF_VECTORS = ["reduce", "allreduce", "scan", "exscan"]
TYPED = [
    case
    for case in CASES
    if case[1] != "barrier" and not case[1].startswith("neighbor") and (":" not in case[2] or case[1] in OF_VECTORS)
]


@pytest.mark.parametrize(("how", "operation", "choice", "needs"), TYPED)
def test_algorithm_moves_elements_that_do_not_lie_together(how, operation, choice, needs, run_program):
    launcher = ["--coll", choice, "--set", "messages.eager_limit=100 B"]
    words = [operation, *WORDS[needs], *([how] if how in WAYS else [])]
    done = run_program(FOLDER / "types.c", 64, *words, launcher=launcher, flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


@pytest.mark.parametrize("progress", ["hardware", "interrupt", "polling"])
@pytest.mark.parametrize("how", ["blocking", *WAYS])
@pytest.mark.parametrize("program", ["algorithms.c", "neighbourhoods.c", "types.c"])
def test_the_table_chooses_algorithms_that_are_right(program, how, progress, run_program):
    launcher = ["--set", f"messages.progress={progress}"]
    done = run_program(FOLDER / program, 64, "all", how, launcher=launcher, flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


CALL = """
#include <mpi.h>
int main(int argc, char** argv) {{
  int a[64] = {{0}}, b[64] = {{0}};
  MPI_Op op = MPI_SUM;
  MPI_Init(&argc, &argv);
  {}
  MPI_Finalize();
  return a[0] + b[0];
}}
"""
FUNCTION = "static void f(void* a, void* b, int* n, MPI_Datatype* t) {{ (void)a, (void)b, (void)n, (void)t; }}"


@pytest.mark.parametrize(
    ("coll", "call", "complaint"),
    [
        ("alltoall=pairwise", "MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD);", "a power of two of ranks"),
        ("allgather=neighbor_exchange", "MPI_Allgather(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD);",
         "an even number of ranks"),
        ("allreduce=ring", "MPI_Op_create(f, 0, &op); MPI_Allreduce(a, b, 1, MPI_INT, op, MPI_COMM_WORLD);",
         "a commutative operation"),
        ("neighbor_alltoall=dimensions", "MPI_Comm g; MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, 0, "
         "MPI_UNWEIGHTED, 0, 0, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &g); "
         "MPI_Neighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, g);", "a Cartesian topology"),
    ],
)  # fmt: skip
def test_choice_that_cannot_serve_is_refused(coll, call, complaint, run_program):
    text = CALL.format(call).replace("int main", FUNCTION.format() + "\nint main")
    done = run_program(text, 3, launcher=["--coll", coll])
    assert done.returncode != 0
    assert f"the algorithm that was chosen by name, {coll}, needs {complaint}; this call is for 3 ranks" in done.stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("bcst=binomial", "'bcst' is no collective operation, did you mean 'bcast'?"),
        ("bcast=binomal", "'binomal' is no algorithm of bcast, did you mean 'binomial'?"),
        ("bcast", "'bcast': write OPERATION=ALGORITHM, such as bcast=binomial"),
        ("bcast=binomial:radix=4", "'radix=4' is no parameter of bcast's binomial, which has none"),
        ("bcast=tree:width=4", "'width=4' is no parameter of bcast's tree, which has radix and segment"),
        ("bcast=knomial:radix=1", "radix=1: a radix is a whole number from 2 to 1024"),
        ("bcast=pipeline:segment=0", "segment=0: a segment is a size from 1 B to 1 GiB, such as 8KiB"),
        ("barrier=linear,bcast=pipeline:segment=x", "segment=x: a segment is a size from 1 B to 1 GiB, such as 8KiB"),
    ],
)
def test_choice_that_makes_no_sense(text, complaint, hindcast):
    done = hindcast("collectives", "--coll", text)
    assert done.returncode != 0
    assert done.stderr == f"hindcast: --coll {text}: {complaint}\n"


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        (
            "collectives.bcast=binomial if size < 3",
            "'size < 3' is no condition such as 'bytes <= 16 KiB' or 'ranks < 8'",
        ),
        ("collectives.bcast=binomial, chain", "chain: 'chain' is no algorithm of bcast"),
    ],
)
def test_table_that_makes_no_sense(setting, complaint, hindcast):
    done = hindcast("collectives", "--set", setting)
    assert done.returncode != 0
    assert done.stderr.startswith(f"hindcast: --set {setting}: ") and complaint in done.stderr


TIMED = """
#include <mpi.h>
#include <stdio.h>
static int in[1 << 20], out[1 << 20];
int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int m = 4; m <= 16384; m *= 64) MPI_Alltoall(out, m / 4, MPI_INT, in, m / 4, MPI_INT, MPI_COMM_WORLD);
  printf("%d %.12f\\n", rank, MPI_Wtime());
  MPI_Finalize();
  return 0;
}
"""


def test_table_falls_through_to_what_can_serve(run_program):
    """On 16 ranks the first row serves, on 12 the second, where its condition holds."""
    table = ["--set", "collectives.alltoall=pairwise, bruck if bytes <= 64, linear"]
    forced = {name: ["--coll", f"alltoall={name}"] for name in ("pairwise", "bruck", "linear")}

    def times(ranks, launcher):
        return run_program(TIMED, ranks, launcher=launcher).stdout

    assert times(16, table) == times(16, forced["pairwise"])
    by_size = times(12, table)
    assert len({by_size, times(12, forced["bruck"]), times(12, forced["linear"])}) == 3
    assert times(12, ["--set", "collectives.alltoall=pairwise, bruck"]) == times(12, forced["bruck"])


def test_registry_is_shown_with_the_table(hindcast):
    done = hindcast("collectives", "--set", "collectives.bcast=linear if ranks < 4, knomial:radix=3")
    assert done.returncode == 0
    rows = {row.algorithm: row for row in read_registry(done.stdout) if row.operation == "bcast"}
    assert rows["linear"].taken == "1. if ranks < 4"
    assert rows["knomial:radix=3"].taken == "2. else"
    assert rows["knomial:radix=4"].taken == "-"
    assert rows["binomial"].taken == "-"


def test_json_says_what_is_taken_and_what_is_able(hindcast):
    table = ["--set", "collectives.alltoall=pairwise if bytes > 64, bruck:radix=3"]
    done = hindcast("collectives", "alltoall", "--json", "-n", "6,8", "-b", "8,1KiB", *table)
    answer = json.loads(done.stdout)
    choices = [one["choice"] for one in answer["algorithms"]]
    assert choices[:2] == ["ring", "pairwise"]
    assert choices[-1] == "bruck:radix=3"  # with parameters that only the table has
    assert "bruck:radix=2" in choices
    taken = {(one["ranks"], one["bytes"]): one["taken"] for one in answer["situations"]}
    assert taken == {
        (6, 8): "bruck:radix=3",
        (6, 1024): "bruck:radix=3",
        (8, 8): "bruck:radix=3",
        (8, 1024): "pairwise",
    }
    able = {one["ranks"]: one["able"] for one in answer["situations"]}
    assert "pairwise" in able[8]
    assert "pairwise" not in able[6]
    assert "broadcasts" in choices and "broadcasts" not in able[8]  # the machine has none


def test_json_of_ranks_alone_is_for_empty_blocks_as_the_table_is(hindcast):
    answer = json.loads(hindcast("collectives", "barrier", "--json", "-n", "6").stdout)
    assert [(one["ranks"], one["bytes"]) for one in answer["situations"]] == [(6, 0)]
    alone = json.loads(hindcast("collectives", "barrier", "--json").stdout)
    assert alone["situations"] == []


def test_json_knows_of_which_operations_ranks_do_not_know_the_sizes(hindcast):
    """There a condition on bytes sees none, however long the blocks are."""
    for operation, taken in (("alltoall", "ring"), ("alltoallv", "linear")):
        table = ["--set", f"collectives.{operation}=linear if bytes = 0, ring"]
        (situation,) = json.loads(hindcast("collectives", operation, "--json", "-n", "6", "-b", "1KiB", *table).stdout)[
            "situations"
        ]
        assert situation["taken"] == taken


@pytest.mark.parametrize("elements", [1000, 5000])
@pytest.mark.parametrize("choice", ["recursive_doubling", "ring", "rabenseifner", "reduce_bcast"])
def test_reductions_round_as_each_rank_says_and_leave_its_flags(choice, elements, run_program):
    """Though the arithmetic may be done while the rank waits: in lockstep it is not."""
    flags = ["-D_GNU_SOURCE", "-lm"]
    launcher = ["--coll", f"allreduce={choice}"]
    ahead = run_program(FOLDER / "arithmetic.c", 8, elements, launcher=launcher, flags=flags)
    assert ahead.returncode == 0, ahead.stderr
    lines = sorted(ahead.stdout.splitlines())
    assert len(lines) == 16
    assert any("inexact" in line for line in lines if "sum" in line)
    assert any("overflow" in line for line in lines if "product" in line)
    lockstep = run_program(FOLDER / "arithmetic.c", 8, elements, launcher=[*launcher, "--lockstep"], flags=flags)
    assert lockstep.stdout == ahead.stdout


@pytest.mark.parametrize("choice", ["recursive_doubling", "rabenseifner"])
@pytest.mark.parametrize("ranks", [2, 3, 8, 13])
def test_swapped_operands_are_combined_as_by_each_rank_alone(choice, ranks, run_program):
    """Ahead of the clock both sums of a swap are made at once; in lockstep each rank makes its own."""
    launcher = ["--coll", f"allreduce={choice}"]
    ahead = run_program(FOLDER / "swaps.c", ranks, launcher=launcher)
    assert ahead.returncode == 0, ahead.stdout + ahead.stderr
    assert len(ahead.stdout.splitlines()) == 25 * ranks + 1
    lockstep = run_program(FOLDER / "swaps.c", ranks, launcher=[*launcher, "--lockstep"])
    assert lockstep.stdout == ahead.stdout


@pytest.mark.parametrize("elements", [1000, 5000])
def test_arithmetic_that_traps_does_so_in_the_program(elements, run_program):
    flags = ["-D_GNU_SOURCE", "-lm"]
    launcher = ["--coll", "allreduce=recursive_doubling"]
    done = run_program(FOLDER / "arithmetic.c", 4, elements, "traps", launcher=launcher, flags=flags)
    assert done.returncode == 3, done.stderr
    assert "goes on" in done.stdout
