"""What a fitted number was set by: to leave a claim out of its source does not help. A case measures all that is
claimed of its machine, twice or more."""

import pytest

from experiments.uncertainty.parameters import entries_of
from tests.experiments.verdicts import changed, scores_as_it_is, scores_with

MACHINES = ["ap1000", "ap3000", "argonne-sp", "earth-simulator", "t3e-900"]
FITTED = [
    (machine, key, entry)
    for machine in MACHINES
    for key, entry in entries_of(machine).items()
    if entry["kind"] == "fitted" and isinstance(entry["value"], int | float)
]
BEYOND = 0.02  # of an end of what claims hold in, which is as near to where they fail


def just_beyond_what_claims_leave(entry):
    """Within the range."""
    (lowest, highest), (low, high) = entry["range"], entry["holds"]
    return max(lowest, low * (1 - BEYOND)), min(highest, high * (1 + BEYOND))


@pytest.mark.long
@pytest.mark.parametrize("machine, key, entry", FITTED, ids=[f"{machine}-{key}" for machine, key, _ in FITTED])
def test_no_prediction_fails_before_what_a_number_was_fitted_to(machine, key, entry, build, samples_about, monkeypatch):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    every = samples_about(machine)
    was, fits = scores_as_it_is(every), entry["fits"]
    ends = just_beyond_what_claims_leave(entry)
    found = [scores_with(every, machine, key, end) for end in ends]
    assert any((one[fits].simulated, one[fits].checks) != (was[fits].simulated, was[fits].checks) for one in found)
    for end, becomes in zip(ends, found, strict=True):
        others = changed(was, becomes, fits)
        assert {claim for claim in others if was[claim].kind == "predicts"} == set() or fits in others
        if end not in entry["range"]:
            assert {claim for claim in others if was[claim].kind == "calibrates"} != set()


def test_every_fitted_number_says_where_claims_hold():
    """A few per cent of a number that is a part of a sum are less than what the sum's claim leaves of it."""
    assert {machine for machine, _, _ in FITTED} == set(MACHINES)
    assert [f"{machine} {key}" for machine, key, entry in FITTED if "holds" not in entry] == []
