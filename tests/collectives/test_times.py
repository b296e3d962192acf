"""The cost formulas against simulated times, on an ideal machine whose network shows no contention."""

from pathlib import Path

import pytest

from tests.collectives.programs import WORDS
from tests.collectives.registry import read_registry

FOLDER = Path(__file__).parent
SETTINGS = [
    "network.hop_latency=0 ns",
    "network.injection_bandwidth=3000000 MB/s",
    "network.link_bandwidth=3000000 MB/s",
    "messages.eager_limit=1024 KiB",
    "processor.clock_read=1 ps",
]
SET = [word for setting in SETTINGS for word in ("--set", setting)]
RANKS = [2, 3, 8, 13, 16, 24, 32]
RANKS_OF_GRIDS = [12, 16, 36]  # with four neighbours each
SIZES = [8, 1024, 16384]  # of which those of several blocks travel at once too
# What a formula may be off by. Parts of a vector differ by an element, which no formula knows.
TOLERANCE = 0.011
# Here messages come while others are copied, and blocks are shared among rounds with a remainder.
OTHERS = {
    "gatherv=binomial": 0.03,
    "allreduce=circulant": 0.017,
}
# A message that asks is answered while another one is on its way, which no formula knows. In a pipeline the first
# rank's segments have been sent only when the second rank has worked on them.
TOLERANCE_OF_ASKING = 0.026
OTHERS_THAT_ASK = {
    "gatherv=binomial": 0.16,
    "scan=pipeline": 0.18,
}
PROTOCOLS = {
    "eager": (SET, SIZES, TOLERANCE, OTHERS),
    "asking": (
        [*SET, "--set", "messages.eager_limit=1 KiB"],
        [2048, 65536],
        TOLERANCE_OF_ASKING,
        OTHERS_THAT_ASK,
    ),
}
# Of other v- and w-forms the formulas are those of the forms with blocks of one length.
ROWS = [
    row
    for row in read_registry()
    if (row.operation[-1] not in "vw" or row.operation in ("gatherv", "scatterv"))
    and row.operation != "reduce_scatter"
    and not row.asks_the_machine
    and row.needs in WORDS
]
# Each algorithm as it stands. Tables list it with parameters of their own too, behind that.
ROWS = list({(row.operation, row.algorithm.split(":")[0]): row for row in reversed(ROWS)}.values())[::-1]


# No formula knows what of a cell's memory its cache has: so memory keeps up with the broadcast net, but where the
# formula has all of an exchange's copies follow each other. Nor does one know that who measures looks at the clock.
SIZES_ON_THE_MACHINE = [8, 1024, 3072]
READS_NO_CLOCK = ["--set", "processor.clock_read=1 ns"]
MEMORY_KEEPS_UP = ["--set", "cellos.memory_read=50 MB/s"]
# Where many broadcasts are under way, receivers are interrupted at times that no formula knows. The steps of a
# reduction lead to cells some hops away, and count as one.
ON_THE_MACHINE = {
    "allgather=broadcasts": 0.12,
    "alltoall=broadcasts": 0.2,
    "reduce=native": 0.06,
    "allreduce=native": 0.06,
}
ROWS_ON_THE_MACHINE = [
    row for row in read_registry() if row.operation[-1] not in "vw" and row.asks_the_machine and row.needs in WORDS
]


def formula_of(row, *options):
    """What it comes to with these options."""
    return next(
        r for r in read_registry(None, *options) if (r.operation, r.algorithm) == (row.operation, row.algorithm)
    )


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.operation}={row.algorithm}")
def test_formula_is_what_the_simulator_takes(row, protocol, run_program):
    choice = f"{row.operation}={row.algorithm.split(':')[0]}"
    change, sizes, tolerance, others = PROTOCOLS[protocol]
    for ranks in RANKS_OF_GRIDS if row.operation.startswith("neighbor") else RANKS:
        if ("power" in row.needs and ranks & (ranks - 1)) or ("even" in row.needs and ranks % 2):
            continue
        done = run_program(FOLDER / "times.c", ranks, row.operation, *sizes, launcher=[*change, "--coll", choice])
        assert done.returncode == 0, done.stderr
        for line in done.stdout.splitlines():
            size, seconds = line.split()
            formula = formula_of(row, *change, "-n", str(ranks), "-b", size).seconds
            within = pytest.approx(float(seconds), rel=others.get(choice, tolerance))
            assert formula == within, f"{ranks} ranks, {size} bytes"


# Where ranks do the same at the same times, nobody's next operation interrupts another's last one.
WITH_A_PROCESSOR = ["bcast=binomial", "allgather=ring", "allreduce=recursive_doubling", "barrier=dissemination"]


@pytest.mark.parametrize("progress", ["interrupt", "polling"])
@pytest.mark.parametrize("choice", WITH_A_PROCESSOR)
def test_formula_has_the_processors_work_on_arrivals(choice, progress, run_program):
    operation, algorithm = choice.split("=")
    change = ["--set", f"messages.progress={progress}", "--set", "messages.service_cost=5 us"]
    done = run_program(FOLDER / "times.c", 8, operation, 1024, launcher=[*SET, *change, "--coll", choice])
    rows = read_registry(None, *SET, *change, "-n", "8", "-b", "1024")
    row = next(row for row in rows if (row.operation, row.algorithm.split(":")[0]) == (operation, algorithm))
    assert row.seconds == pytest.approx(float(done.stdout.split()[1]), rel=0.015)


@pytest.mark.parametrize("row", ROWS_ON_THE_MACHINE, ids=lambda row: f"{row.operation}={row.algorithm}")
def test_formula_is_what_the_ap1000_takes(row, run_program):
    choice = f"{row.operation}={row.algorithm.split(':')[0]}"
    for ranks in (2, 4, 13, 32):
        memory = [] if choice == "alltoall=broadcasts" else MEMORY_KEEPS_UP
        launcher = [*READS_NO_CLOCK, *memory, "--coll", choice]
        done = run_program(
            FOLDER / "times.c", ranks, row.operation, *SIZES_ON_THE_MACHINE, machine="ap1000", launcher=launcher
        )
        assert done.returncode == 0, done.stderr
        for line in done.stdout.splitlines():
            size, seconds = line.split()
            formula = formula_of(row, "-m", "ap1000", "-n", str(ranks), "-b", size).seconds
            tolerance = ON_THE_MACHINE.get(choice, 0.025)
            assert formula == pytest.approx(float(seconds), rel=tolerance), f"{ranks} ranks, {size} bytes"


PROGRESS = {
    "hardware": ("ideal", ["--set", "messages.eager_limit=2 KiB"]),
    "polling": ("ideal", ["--set", "messages.progress=polling", "--set", "messages.eager_limit=2 KiB"]),
    "polling through a shared memory": ("earth-simulator", ["--set", "mpi.short_max=2 KiB"]),
}


# In lockstep ranks wait in each step on their own; ahead of the clock the algorithm goes on without them.
@pytest.mark.parametrize("progress", PROGRESS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.operation}={row.algorithm}")
def test_algorithm_takes_as_long_in_lockstep(row, progress, run_program):
    ranks = 16 if "power" in row.needs else 12
    machine, launcher = PROGRESS[progress]
    launcher = [*launcher, "--coll", f"{row.operation}={row.algorithm.split(':')[0]}"]
    words = [row.operation, *SIZES, 65536]
    ahead, lockstep = (
        run_program(FOLDER / "times.c", ranks, *words, machine=machine, launcher=[*launcher, *more])
        for more in ([], ["--lockstep"])
    )
    assert ahead.returncode == 0, ahead.stderr
    assert (lockstep.stdout, lockstep.stderr) == (ahead.stdout, ahead.stderr)


ROWS_OF_UNEQUAL_BLOCKS = [
    row
    for row in read_registry()
    if row.operation in ("allgatherv", "reduce_scatter") and not row.asks_the_machine and row.needs in WORDS
]


@pytest.mark.parametrize("row", ROWS_OF_UNEQUAL_BLOCKS, ids=lambda row: f"{row.operation}={row.algorithm}")
def test_one_block_may_be_so_long_that_its_copy_waits(row, run_program):
    """Though blocks are short on average: a copy of 256 bytes and more may wait for others in the node's memory."""
    ranks = 16 if "power" in row.needs else 12
    launcher = ["--coll", f"{row.operation}={row.algorithm.split(':')[0]}"]
    ahead, lockstep = (
        run_program(FOLDER / "one_long_block.c", ranks, machine="earth-simulator", launcher=[*launcher, *more])
        for more in ([], ["--lockstep"])
    )
    assert ahead.returncode == 0, ahead.stderr
    assert (lockstep.stdout, lockstep.stderr) == (ahead.stdout, ahead.stderr)
