"""Collectives of two levels, with several ranks a node: in blocks, dealt out in turn, and as many as happens."""

import json

import pytest

from tests.collectives.programs import FLAGS, FOLDER
from tests.collectives.registry import printed, read_registry
from tests.collectives.test_times import SET, SIZES

ROWS = [row for row in read_registry() if "several levels" in row.needs]
UNEVEN = ",".join(str(node) for node, ranks in enumerate([7, 1, 2, 20, 1, 1, 9, 3, 20]) for _ in range(ranks))
ALMOST_IN_TURN = ",".join(str(rank * rank % 11) for rank in range(64))
IN_ORDER = ["block:2", "block:3", UNEVEN]
OUT_OF_ORDER = ["cyclic:5", ALMOST_IN_TURN]
# Short messages travel at once, the longest ask first: both are met.
BOTH_PROTOCOLS = ["--set", "messages.eager_limit=100 B"]
HOW = ["blocking", "nonblocking"]
PROGRESS = ["interrupt", "polling"]


def name_of(row):
    return row.algorithm.split(":")[0]


def parameter(row, key):
    return dict(part.split("=") for part in row.algorithm.split(":")[1:])[key]


def words_of(row, placement, how):
    """Groups of ranks that are not consecutive do not keep the order of operands."""
    commutative = ["commutative"] if "commutative" in row.needs and placement in OUT_OF_ORDER else []
    return [row.operation, "levels", *commutative, *([how] if how == "nonblocking" else [])]


def ids(row):
    return row.operation if hasattr(row, "operation") else None


def test_there_are_algorithms_of_two_levels_for_the_usual_operations():
    assert {row.operation for row in ROWS} >= {
        "bcast", "reduce", "allreduce", "barrier", "gather", "scatter", "allgather", "alltoall"
    }  # fmt: skip
    assert {name_of(row) for row in ROWS} == {"two_level"}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("placement", [*IN_ORDER, *OUT_OF_ORDER])
@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_algorithm_is_right_on_all_sizes(row, placement, how, run_program):
    launcher = ["--coll", f"{row.operation}={name_of(row)}", "--map", placement, *BOTH_PROTOCOLS]
    done = run_program(FOLDER / "algorithms.c", 64, *words_of(row, placement, how), launcher=launcher, flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("placement", ["block:3", ALMOST_IN_TURN])
@pytest.mark.parametrize("row", [row for row in ROWS if row.operation != "barrier"], ids=ids)
def test_algorithm_moves_elements_that_do_not_lie_together(row, placement, how, run_program):
    launcher = ["--coll", f"{row.operation}={name_of(row)}", "--map", placement, *BOTH_PROTOCOLS]
    done = run_program(FOLDER / "types.c", 64, *words_of(row, placement, how), launcher=launcher, flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


@pytest.mark.parametrize("placement", ["block:7", "block:8"])
@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_algorithm_is_right_where_longer_copies_wait_for_memory(row, placement, run_program):
    """What a leader moves for all of its group is longer than what any rank gives."""
    how = {"machine": "earth-simulator", "launcher": ["--coll", f"{row.operation}={name_of(row)}", "--map", placement]}
    done = run_program(FOLDER / "algorithms.c", 64, *words_of(row, placement, ""), **how, flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


# Of which operations the algorithms inside groups and between them are.
STAGES = {
    "barrier": ("gather", "barrier"),
    "bcast": ("bcast", "bcast"),
    "gather": ("gather", "gatherv"),
    "gatherv": ("gatherv", "gatherv"),
    "scatter": ("scatter", "scatterv"),
    "scatterv": ("scatterv", "scatterv"),
    "allgather": ("gatherv", "allgatherv"),
    "allgatherv": ("gatherv", "allgatherv"),
    "alltoall": ("gather", "alltoallv"),
    "reduce": ("reduce", "reduce"),
    "allreduce": ("reduce", "allreduce"),
}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("more", [[], ["--lockstep"], *(["--set", f"messages.progress={way}"] for way in PROGRESS)])
def test_the_table_takes_them_where_there_are_levels(more, how, run_program):
    """Communicators of one node, and operations whose order would change, are left to what comes after them."""
    operations = [row.operation for row in ROWS if row.operation not in ("gatherv", "scatterv")]  # without a table
    table = [word for operation in operations for word in ("--set", f"collectives.{operation}=two_level")]
    launcher = [*table, "--map", ALMOST_IN_TURN, *BOTH_PROTOCOLS, *more]
    done = run_program(FOLDER / "algorithms.c", 64, "all", how, launcher=launcher, flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def stages():
    """Every algorithm that may be inside groups or between them, in place of the usual one."""
    for row in ROWS:
        for key, operation in zip(("inner", "outer"), STAGES[row.operation], strict=True):
            able = [name_of(one) for one in read_registry() if (one.operation, one.needs) == (operation, "nothing")]
            assert parameter(row, key) in able
            for name in able:
                if name != parameter(row, key):
                    yield pytest.param(row, f"{key}={name}", id=f"{row.operation}-{key}={name}")


@pytest.mark.parametrize(("row", "stage"), list(stages()))
def test_algorithm_is_right_with_other_stages(row, stage, run_program):
    launcher = ["--coll", f"{row.operation}={name_of(row)}:level=node:{stage}", "--map", UNEVEN, *BOTH_PROTOCOLS]
    done = run_program(FOLDER / "algorithms.c", 64, *words_of(row, UNEVEN, ""), launcher=launcher, flags=FLAGS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


@pytest.mark.parametrize("placement", ["block:4", "cyclic:3"])
@pytest.mark.parametrize("row", [row for row in ROWS if row.operation != "allgatherv"], ids=ids)
def test_algorithm_takes_as_long_in_lockstep(row, placement, run_program):
    launcher = ["--map", placement, "--set", "messages.eager_limit=2 KiB"]
    launcher += ["--coll", f"{row.operation}={name_of(row)}"]
    words = [row.operation, *SIZES, 65536]
    ahead, lockstep = (
        run_program(FOLDER / "times.c", 12, *words, launcher=[*launcher, *more]) for more in ([], ["--lockstep"])
    )
    assert ahead.returncode == 0, ahead.stderr
    assert (lockstep.stdout, lockstep.stderr) == (ahead.stdout, ahead.stderr)


@pytest.mark.parametrize(("ranks", "on_each"), [(8, 2), (16, 4), (32, 8), (64, 4), (35, 5), (18, 6)])
@pytest.mark.parametrize("row", [row for row in ROWS if row.operation != "allgatherv"], ids=ids)
def test_formula_is_what_the_simulator_takes(row, ranks, on_each, run_program):
    placement = ["--map", f"block:{on_each}"]
    launcher = [*SET, *placement, "--coll", f"{row.operation}={name_of(row)}"]
    done = run_program(FOLDER / "times.c", ranks, row.operation, *SIZES, launcher=launcher)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        size, seconds = line.split()
        rows = read_registry(None, *SET, *placement, "-n", str(ranks), "-b", size)
        formula = next(r for r in rows if (r.operation, r.algorithm) == (row.operation, row.algorithm)).seconds
        assert formula == pytest.approx(float(seconds), rel=0.005), f"{ranks} ranks, {size} bytes"


CALL = """
#include <mpi.h>
int main(int argc, char** argv) {
  int a[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Bcast(a, 2, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("placement", ["block", "block:4"])
def test_ranks_that_are_all_together_or_all_apart_have_no_levels(placement, run_program):
    done = run_program(CALL, 4, launcher=["--coll", "bcast=two_level", "--map", placement])
    assert done.returncode != 0
    assert (
        "bcast=two_level, needs several levels; this call is for 4 ranks, and either all are in one group or each is "
        "alone" in done.stderr
    )


@pytest.mark.parametrize("placement", ["block", "block:4"])
def test_the_table_passes_over_them_where_there_are_no_levels(placement, run_program):
    done = run_program(CALL, 4, launcher=["--set", "collectives.bcast=two_level", "--map", placement])
    assert (done.returncode, done.stderr) == (0, "")


def test_a_level_that_there_is_not_is_not_taken(run_program):
    done = run_program(CALL, 4, launcher=["--coll", "bcast=two_level:level=site", "--map", "block:2"])
    assert done.returncode != 0
    assert "needs several levels" in done.stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("bcast=two_level:level=cabinet", "level=cabinet: a level is one of nearest, node, site"),
        ("bcast=two_level:inner=rign", "'rign' is no algorithm of bcast, "),
        ("gather=two_level:outer=knomial", "'knomial' is no algorithm of gatherv, "),
        (
            "bcast=two_level:outer=scatter_recursive_doubling",
            "bcast=scatter_recursive_doubling needs a power of two of ranks, which groups may not have",
        ),
        ("bcast=two_level:inner=two_level", "bcast=two_level needs several levels, which groups may not have"),
        (
            "bcast=two_level:radix=4",
            "'radix=4' is no parameter of bcast's two_level, which has level and inner and outer",
        ),
    ],
)
def test_choice_that_makes_no_sense(text, complaint, hindcast):
    done = hindcast("collectives", "--coll", text)
    assert done.returncode != 0
    assert done.stderr.startswith(f"hindcast: --coll {text}: {complaint}")


def test_formulas_are_worked_out_for_ranks_that_lie_so():
    one_a_node, four_a_node = (
        {row.operation: row.seconds for row in read_registry(None, "-n", "16", *more) if "levels" in row.needs}
        for more in ([], ["--map", "block:4"])
    )
    assert set(one_a_node.values()) == {None}
    assert None not in four_a_node.values()


def able(ranks, *options):
    """The algorithms that can serve a broadcast of so many ranks of `grid`."""
    done = printed("bcast", "--json", "-m", "grid", "-n", str(ranks), "-b", "8", *options)
    return json.loads(done)["situations"][0]["able"]


@pytest.mark.parametrize(
    ("ranks", "placed", "level", "is_there"),
    [
        (32, (), "site", False),  # all in the east
        (33, (), "site", True),  # one in midland
        (33, (), "node", False),
        (34, (), "node", True),
        (2, ("--map", "31,32"), "site", False),  # each is alone at its site
        (3, ("--map", "31,32,0"), "site", True),
        (3, ("--map", "32,40,33"), "site", True),
        (3, ("--map", "32,33,34"), "site", False),
        (3, ("--map", "40,40,0"), "node", True),
    ],
)
def test_levels_follow_from_the_sites_of_the_machine(ranks, placed, level, is_there):
    choice = f"two_level:level={level}"
    assert (choice in able(ranks, "--coll", f"bcast={choice}", *placed)) == is_there


def test_which_messages_the_seconds_are_of_is_said_where_there_are_several_sorts(hindcast):
    said = "The seconds are of messages between nodes of the site 'east' on its network, wherever ranks lie"
    assert said in hindcast("collectives", "bcast", "-m", "grid", "-n", "2", "--map", "0,40").stdout
    for without in (("-m", "grid"), ("-m", "ideal", "-n", "2")):
        assert "The seconds are of" not in hindcast("collectives", "bcast", *without).stdout


def test_more_ranks_than_the_sites_have_are_refused(hindcast):
    done = hindcast("collectives", "-m", "grid", "-n", "81")
    assert done.returncode != 0
    assert "81 ranks, but the machine has 80 slots" in done.stderr
    assert hindcast("collectives", "-m", "ideal", "-n", "1000000").returncode == 0
