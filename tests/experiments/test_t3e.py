"""The T3E's experiments: their claims fail when what they are about is taken away."""

import pytest

ALL = {f"T3E-{n:02}" for n in range(1, 27)} | {"T3E-13p"}


def test_every_claim_is_scored_once(root):
    from experiments.load import load, names

    experiments = [load(path) for name, path in names().items() if name.startswith("t3e-")]
    claims = [claim.id for experiment in experiments for claim in experiment.data.claim]
    assert sorted(claims) == sorted(ALL)
    kinds = {claim.id: claim.kind for experiment in experiments for claim in experiment.data.claim}
    assert {name for name in ALL if kinds[name] == "calibrates"} == {"T3E-01", "T3E-02", "T3E-03", "T3E-10"}


CASES = {
    "the new library with the old one's queue takes as long for short messages": (
        "t3e-fig1",
        ["mpi.queue=locked", "mpi.medium=RTA"],
        {"T3E-10": False},
    ),
    "without the library's own work on protocol messages the old one is not late enough": (
        "t3e-long",
        ["locked_queue.put_overhead=0 us"],
        {"T3E-01": False, "T3E-02": True},
    ),
    "calls of SHMEM that take nothing leave too little for the new library": (
        "t3e-long",
        ["shmem.get_overhead=0 us"],
        {"T3E-02": False, "T3E-05": True},
    ),
    "half the bandwidth of a get: no longer that of a put": (
        "t3e-long",
        ["remote_memory.get_bandwidth=170 MB/s"],
        {"T3E-05": False},
    ),
    "short messages of two words only": (
        "t3e-protocols",
        ["mpi.short_max=16 B"],
        {"T3E-07": False, "T3E-06": True},
    ),
    "a shorter packet": ("t3e-protocols", ["locked_queue.slot_bytes=64 B"], {"T3E-08": False, "T3E-14": True}),
    "Tn with copies that cost nothing is never overtaken": (
        "t3e-tn",
        ["processor.copy_bandwidth=100000 MB/s", "local_memory.sharing=apart", "locked_queue.slot_data=32 B"],
        {"T3E-15": False},
    ),
    "by messages the new barrier grows as well": ("t3e-fig2", ["mpi.barrier=messages"], {"T3E-18": False}),
    "by messages no communicator takes the hardware": ("t3e-groups", ["mpi.barrier=messages"], {"T3E-19": False}),
    "a get as quick as a put leaves RAT nothing to exploit": (
        "t3e-t3d-transfers",
        ["remote_memory.get_bandwidth=120 MB/s"],
        {"T3E-20": False},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_without_its_mechanism_a_claim_fails(case, verdicts_with):
    experiment, settings, expected = CASES[case]
    holds = verdicts_with(experiment, *settings)
    assert {name: holds[name] for name in expected} == expected


def test_retries_do_not_stay_in_step_with_polls(verdicts_with):
    """With such a look one period of the polls is as long as a retry, which would meet the lock held each time."""
    holds = verdicts_with("t3e-long", "locked_queue.look=150 ns")
    assert holds["T3E-01"]
    assert holds["T3E-04"]
