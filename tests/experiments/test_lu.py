"""The LU factorization and its model: they meet where both can be run, and each follows the machine."""

import pytest

MACHINES = ["ideal", "ap1000", "t3d", "t3e-900", "ap3000", "earth-simulator", "argonne-sp", "cluster"]
OFF_BY = 1.2  # at most, either way


@pytest.fixture(scope="module")
def efficiency(root, run_program):
    """efficiency(program, order, ranks, ...): the share of the peak that it tells."""
    sources = {
        "lu": (root / "examples" / "kernels" / "lu.c", ["0", "table"]),
        "lu_model": (root / "experiments" / "lu" / "programs" / "lu_model.c", []),
    }

    def measure(program, order, ranks, machine, block=16, settings=()):
        source, more = sources[program]
        words = [word for setting in settings for word in ("--set", setting)]
        done = run_program(source, ranks, order, block, *more, machine=machine, launcher=words)
        assert done.returncode == 0, done.stderr
        names, values = (line.split(",") for line in done.stdout.splitlines()[-2:])
        return float(dict(zip(names, values, strict=True))["efficiency"])

    return measure


@pytest.mark.parametrize(("order", "ranks"), [(192, 1), (192, 4), (384, 6), (384, 16)])
@pytest.mark.parametrize("machine", MACHINES)
def test_model_and_program_meet(efficiency, machine, order, ranks):
    model, simulated = efficiency("lu_model", order, ranks, machine), efficiency("lu", order, ranks, machine)
    assert simulated / OFF_BY < model < simulated * OFF_BY


@pytest.mark.parametrize("program", ["lu", "lu_model"])
def test_efficiency_rises_with_the_order_and_falls_with_the_ranks(efficiency, program):
    by_order = [efficiency(program, order, 16, "ideal") for order in (96, 192, 384)]
    by_ranks = [efficiency(program, 192, ranks, "ideal") for ranks in (1, 4, 16)]
    assert by_order == sorted(by_order)
    assert by_ranks == sorted(by_ranks, reverse=True)


@pytest.mark.parametrize(
    "setting", ["processor.send_overhead=50 us", "network.link_bandwidth=30 MB/s", "processor.memory_bandwidth=50 MB/s"]
)
def test_both_follow_the_machine_by_as_much(efficiency, setting):
    simulated, model = (
        efficiency(program, 384, 16, "ideal", settings=[setting]) / efficiency(program, 384, 16, "ideal")
        for program in ("lu", "lu_model")
    )
    assert simulated < 0.8
    assert simulated / OFF_BY < model < simulated * OFF_BY


def test_orders_beyond_what_can_be_factored_take_the_model_no_memory(efficiency):
    assert 0.9 < efficiency("lu_model", 1_000_000, 64, "earth-simulator", block=64) < 1


@pytest.mark.parametrize("arguments", [["100", "16", "3"], ["0"], ["100", "0"]])
def test_what_cannot_be_dealt_out_is_refused(root, run_program, arguments):
    done = run_program(root / "examples" / "kernels" / "lu.c", 4, *arguments, machine="ideal")
    assert done.returncode == 2
    assert "lu: an order and a block of 1 or more, and rows that divide 4 ranks" in done.stderr
