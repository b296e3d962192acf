"""The claims about the AP3000's PVM: all are scored, and fail when what they are about is taken away."""

import pytest

CLAIMS = {2, 6, 10, 12, 15, 18, 21, 24, 28, 37, 38, 41, 44}


def test_every_claim_is_scored():
    from experiments.load import load, names

    experiments = [load(path) for name, path in names().items() if name.startswith("ap3000-pvm-")]
    scored = {claim.id for experiment in experiments for claim in experiment.data.claim}
    assert scored >= {f"AP3000-{number:02}" for number in CLAIMS}


CASES = {
    "what a call takes is PVM's own": (
        "ap3000-pvm-fig1",
        ["pvm.receive_overhead=40 us"],
        {"AP3000-02": False, "AP3000-12": False, "AP3000-41": True},
    ),
    "packing goes at the rate of a copy": (
        "ap3000-pvm-fig1",
        ["processor.copy_bandwidth=2.6 ns/B"],
        {"AP3000-12": False, "AP3000-02": True, "AP3000-41": True},
    ),
    "by the daemons nothing is as it was": (
        "ap3000-pvm-fig1",
        ["pvm.route=daemon"],
        {"AP3000-02": False, "AP3000-12": False, "AP3000-41": True},
    ),
    "the bus is what a root's messages wait for": (
        "ap3000-pvm-table2",
        ["sbus.bandwidth=8 ns/B"],
        {"AP3000-15": False, "AP3000-21": False},
    ),
    "a quick group server makes quick group routines": (
        "ap3000-pvm-groups",
        ["pvm.group_service=50 us", "pvm.fragment_work=10 us", "pvm.daemon_call=10 us"],
        {"AP3000-37": False, "AP3000-38": False, "AP3000-44": False},
    ),
    "a root that knows all members at once waits once": (
        "ap3000-pvm-groups",
        ["pvm.group_lookup=all"],
        {"AP3000-37": False},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_without_its_mechanism_a_claim_fails(case, verdicts_with):
    experiment, settings, expected = CASES[case]
    holds = verdicts_with(experiment, *settings)
    assert {name: holds[name] for name in expected} == expected
