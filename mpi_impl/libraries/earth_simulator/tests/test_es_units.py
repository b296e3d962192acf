"""What the units do: INA transfers, one-sided operations on them, the global barrier counter."""

from pathlib import Path

import pytest

from tests.support.machine_files import machine_numbers

PROGRAM = Path(__file__).parent / "programs" / "transfers.c"
EXPERIMENT = Path("experiments/earth_simulator/programs")


@pytest.fixture(scope="module")
def numbers():
    return machine_numbers("earth-simulator")


@pytest.fixture(scope="module")
def run_on_es(runs_on, same_ahead_and_in_lockstep):
    """The standard output, which is the same in lockstep."""
    return same_ahead_and_in_lockstep(runs_on("earth-simulator"))


@pytest.mark.parametrize("placement", ["node", "slot", "block:2"])
def test_ina_transfers_move_what_they_should(run_on_es, placement):
    run_on_es(PROGRAM, 6, launcher=["--map", placement])


def way_of(numbers):
    return numbers["network.in.injection_latency"] + numbers["network.in.switch_latency"]


def test_a_transfer_takes_an_instruction_a_signal_and_the_way(run_on_es, numbers):
    lines = dict(line.split()[:2] for line in run_on_es(PROGRAM, 2, launcher=["--map", "node"]).splitlines())
    fixed = numbers["rcu.instruction"] + numbers["rcu.signal"] + way_of(numbers) + numbers["node.pn.clock_read"]
    header = numbers["mpi.header_bytes"]
    for what, size in (("get", 8000), ("put", 64)):
        assert float(lines[what]) == pytest.approx(fixed + (size + header) * numbers["rcu.bandwidth"], abs=0.02), what


@pytest.mark.parametrize(
    ("argument", "says"),
    [("local", "memory that is not global (it is LMEM); INA instructions reach GMEM only"), ("load", "ignal 11")],
)
def test_what_units_alone_reach_is_refused_to_others(run_program, argument, says):
    done = run_program(PROGRAM, 2, argument, machine="earth-simulator", launcher=["--map", "node"])
    assert done.returncode != 0
    assert says in done.stderr or "SIGSEGV" in done.stderr or "Segmentation" in done.stderr


@pytest.mark.parametrize("what", ["put", "get", "accumulate"])
@pytest.mark.parametrize("kind", ["GMEM", "LMEM"])
@pytest.mark.parametrize("placement", ["node", "slot"])
def test_one_sided_operations_give_what_they_should(run_on_es, root, what, kind, placement):
    for size in (8, 200_000):
        run_on_es(root / EXPERIMENT / "ping_rma.c", 2, size, what, 1, kind, launcher=["--map", placement])


def time_of(output):
    return float(output.splitlines()[-1].split(",")[1])


def test_a_put_takes_a_call_more_than_its_transfer(run_on_es, root, numbers):
    took = time_of(run_on_es(root / EXPERIMENT / "ping_rma.c", 2, 8, "put", 1, launcher=["--map", "node"]))
    fixed = numbers["mpi.call"] + numbers["rcu.instruction"] + numbers["rcu.signal"] + way_of(numbers)
    assert took == pytest.approx(fixed + 72 * numbers["rcu.bandwidth"], abs=0.03)


def barrier_us(output):
    return {float(line.split(",")[2]) for line in output.splitlines()[1:]}


def test_barriers_take_the_same_for_any_number_of_nodes(run_on_es, root, numbers):
    source = root / EXPERIMENT / "barrier_mpi.c"
    fixed = numbers["mpi.call"] + 2 * numbers["barrier.latency"]
    for nodes in (2, 5, 64):
        times = barrier_us(run_on_es(source, nodes, nodes, launcher=["--map", "node"]))
        assert all(time == pytest.approx(fixed, abs=0.03) for time in times), nodes


def test_ranks_of_a_node_count_in_its_memory_first(run_on_es, root, numbers):
    source = root / EXPERIMENT / "barrier_mpi.c"
    fixed = numbers["mpi.call"] + 2 * numbers["barrier.latency"] + 2 * numbers["barrier.inside"]
    assert all(time == pytest.approx(fixed, abs=0.03) for time in barrier_us(run_on_es(source, 24, 3)))
