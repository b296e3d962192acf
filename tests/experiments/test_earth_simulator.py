"""The Earth Simulator's experiments: their claims fail when what they are about is taken away."""

import json
from collections import Counter

import pytest

PREFIX = "earth-simulator-"


def claims_of_machine():
    from experiments.load import load, names

    return [claim for name, path in names().items() if name.startswith(PREFIX) for claim in load(path).data.claim]


def test_every_claim_is_scored_once_and_the_page_leaves_none_to_predict():
    scored = Counter(claim.id for claim in claims_of_machine())
    assert set(scored.values()) == {1}
    assert scored.keys() == {f"ES-{number:02}" for number in range(1, 24)} | {"ES-14b", "ES-16b", "ES-19b"}
    assert Counter(claim.kind for claim in claims_of_machine()) == {"calibrates": 20, "input": 6}


CASES = {
    "without the address of a user's buffer the change at 128 KB is no gap": (
        "fig8",
        ["mpi.set_up=0 us"],
        {"ES-08": False, "ES-02": False, "ES-05": False, "ES-07": True, "ES-01": True},
    ),
    "the data rides further: gaps at other lengths, and another method in between": (
        "fig8",
        ["mpi.short_max=8 KiB", "mpi.buffered_max=1 MiB"],
        {"ES-07": False, "ES-08": False, "ES-09": False, "ES-21": False, "ES-03": True},
    ),
    "with copies that cost next to nothing local memory is no slower": (
        "fig8",
        ["node.pn.copy_bandwidth=100000 GB/s", "node.pn.memory_port_bandwidth=800000 GB/s"],
        {"ES-10": False, "ES-01": False, "ES-09": True},
    ),
    "partners that share a node have no unit between them": (
        "fig8",
        ["node.pn.processors=16"],
        {"ES-22": False, "ES-04": False, "ES-06": False, "ES-03": True},
    ),
    "slower units": ("fig8", ["rcu.bandwidth=10 GB/s"], {"ES-04": False, "ES-19": False, "ES-01": True}),
    "an accumulate by the origin's processor gets and puts, and takes no step of the target's": (
        "fig9",
        ["mpi.accumulate_by=origin"],
        {"ES-13": False, "ES-14b": False, "ES-15": False, "ES-16b": False, "ES-23": False, "ES-12": True},
    ),
    "a unit that combines needs no processor": (
        "fig9",
        ["mpi.accumulate_by=rcu"],
        {"ES-13": False, "ES-23": False, "ES-11": True, "ES-14": True},
    ),
    "sums that take the target's processor no longer than a copy": (
        "fig9",
        ["node.pn.combine_rate=1.8625 Gop/s"],
        {"ES-13": False, "ES-15": False, "ES-11": True, "ES-23": True},
    ),
    "units that need no signal": ("fig9", ["rcu.signal=0 us"], {"ES-14": False, "ES-16": False, "ES-12": True}),
    "barriers by messages grow with the nodes": (
        "barrier",
        ["collectives.barrier=recursive_doubling"],
        {"ES-17": False, "ES-18": False},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_without_its_mechanism_a_claim_fails(case, verdicts_with):
    experiment, settings, expected = CASES[case]
    holds = verdicts_with(PREFIX + experiment, *settings)
    assert {name: holds[name] for name in expected} == expected


# The claims that count steps say so of GMEM, so it is the program's kind of memory that breaks them.
@pytest.mark.parametrize(("kind", "copies", "moved"), [("GMEM", 0, 1), ("LMEM", 42, 1)])
def test_the_copies_of_a_case_are_those_of_its_memory(root, run_program, tmp_path, kind, copies, moved):
    counts = tmp_path / "steps.json"
    source = root / "experiments" / "earth_simulator" / "programs" / "pingpong_mpi.c"
    done = run_program(
        source, 9, 1048576, 8, kind, "send", machine="earth-simulator", launcher=["--count", str(counts)]
    )
    assert done.returncode == 0, done.stderr
    steps = Counter()
    for step in json.loads(counts.read_text()):
        steps[step["name"]] += step["count"]
    assert steps["copy into the library's global memory"] == copies
    assert steps["copy out of the library's global memory"] == copies
    assert (steps["bytes by INA"] > 0) == bool(moved)


def test_data_between_nodes_never_goes_by_processors(root, run_program, tmp_path):
    """As long as a message is between nodes, its bytes are units': inside a node none are."""

    def moved(partner):
        counts = tmp_path / f"{partner}.json"
        source = root / "experiments" / "earth_simulator" / "programs" / "pingpong_mpi.c"
        done = run_program(
            source, 9, 1048576, partner, "GMEM", machine="earth-simulator", launcher=["--count", str(counts)]
        )
        assert done.returncode == 0, done.stderr
        return sum(step["amount"] for step in json.loads(counts.read_text()) if step["name"] == "bytes by INA")

    between, inside = moved(8), moved(1)
    assert between - inside >= 42 * 1048576
