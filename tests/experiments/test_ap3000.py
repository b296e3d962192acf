"""The AP3000's experiments: their claims fail when what they are about is taken away."""

from collections import Counter

import pytest

OF_PVM = {2, 6, 10, 12, 15, 18, 21, 24, 28, 37, 38, 41, 44}
ENDS_A_RUN = {39}  # tests of the library hold it
MPI_AND_APLIB = {f"AP3000-{number:02}" for number in {*range(1, 48)} - OF_PVM - ENDS_A_RUN}


def claims_of_machine():
    from experiments.load import load, names

    experiments = [load(path) for name, path in names().items() if name.startswith("ap3000-")]
    return [claim for experiment in experiments for claim in experiment.data.claim]


def test_every_claim_is_scored_once():
    scored = Counter(claim.id for claim in claims_of_machine())
    assert set(scored.values()) == {1}
    assert scored.keys() >= MPI_AND_APLIB


# What follows from messages between two with no number and no structure of the paper's tables of collectives.
def test_only_what_follows_from_messages_alone_is_predicted():
    predicted = {claim.id for claim in claims_of_machine() if claim.kind == "predicts"}
    assert predicted & MPI_AND_APLIB == {"AP3000-26", "AP3000-29"}


CASES = {
    "with a slower bus messages are slower": (
        "ap3000-fig1",
        ["sbus.bandwidth=12 ns/B"],
        {"AP3000-04": False, "AP3000-08": False, "AP3000-03": True},
    ),
    "with slower links than the bus, too": (
        "ap3000-fig1",
        ["network.link_bandwidth=80 MB/s"],
        {"AP3000-04": False, "AP3000-01": True},
    ),
    "MPI's own work is MPI's alone": (
        "ap3000-fig1",
        ["mpi.overhead=30 us"],
        {"AP3000-01": False, "AP3000-05": False, "AP3000-13": False, "AP3000-03": True, "AP3000-07": True},
    ),
    "calls of the layer are everybody's": (
        "ap3000-fig1",
        ["ap3000.receive_overhead=30 us"],
        {"AP3000-01": False, "AP3000-03": False, "AP3000-11": False},
    ),
    "what a sender takes for each message is what separates a root's sends": (
        "ap3000-table2",
        ["ap3000.send_overhead=15 us", "ap3000.receive_overhead=30.724 us"],
        {"AP3000-16": False, "AP3000-19": False, "AP3000-14": True, "AP3000-26": True},
    ),
    "a broadcast of MPI's without a tree is no better than the others": (
        "ap3000-table2",
        ["collectives.bcast=linear"],
        {"AP3000-14": False, "AP3000-17": False, "AP3000-29": False, "AP3000-30": False, "AP3000-16": True},
    ),
    "a result that is copied more slowly is carried more slowly": (
        "ap3000-reductions",
        ["mpi.result_copy=10.4 ns/B"],
        {"AP3000-33": False},
    ),
    "with a copy of its own for results, computing comes out and the peak does not": (
        "ap3000-reductions",
        ["mpi.result_copy=3.7 ns/B"],
        {"AP3000-36": True, "AP3000-35": False, "AP3000-33": True},
    ),
    "where the processor's copies are what takes long, the bus matters little": (
        "ap3000-sbus",
        ["processor.copy_bandwidth=40 ns/B"],
        {"AP3000-45": False},
    ),
    "without a tree the root sends to all": (
        "ap3000-mechanisms",
        ["collectives.bcast=linear"],
        {"AP3000-46": False, "AP3000-47": True},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_without_its_mechanism_a_claim_fails(case, verdicts_with):
    experiment, settings, expected = CASES[case]
    holds = verdicts_with(experiment, *settings)
    assert {name: holds[name] for name in expected} == expected
