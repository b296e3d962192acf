"""What a fitted number was set by: to leave a claim out of its source does not help. A case measures all that is
claimed of its machine, twice or more."""

import pytest

from experiments.load import load, names
from experiments.uncertainty.parameters import entries_of
from experiments.uncertainty.study import chosen_parameters
from tests.experiments.verdicts import changed, scores_as_it_is, scores_with

MACHINES = ["ap1000", "ap3000", "argonne-sp", "earth-simulator", "t3e-900"]
FITTED = [
    (machine, key, entry)
    for machine in MACHINES
    for key, entry in entries_of(machine).items()
    if entry["kind"] == "fitted" and isinstance(entry["value"], int | float)
]
BEYOND = 0.02  # of an end of what claims hold in, which is as near to where they fail


def ends_of_what_is_left(machine, key, entry, experiment):
    """What is drawn; or just beyond, within the range, where the file says what claims hold in."""
    if "holds" not in entry:
        (drawn,) = chosen_parameters(machine, (key,), experiment)
        return drawn.low, drawn.high
    (lowest, highest), (low, high) = entry["range"], entry["holds"]
    return max(lowest, low * (1 - BEYOND)), min(highest, high * (1 + BEYOND))


@pytest.mark.long
@pytest.mark.parametrize("machine, key, entry", FITTED, ids=[f"{machine}-{key}" for machine, key, _ in FITTED])
def test_no_prediction_fails_before_what_a_number_was_fitted_to(machine, key, entry, build, samples_about, monkeypatch):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    every = samples_about(machine)
    was, fits = scores_as_it_is(every), entry["fits"]
    ends = ends_of_what_is_left(machine, key, entry, every[0].experiment)
    found = [scores_with(every, machine, key, end) for end in ends]
    assert any((one[fits].simulated, one[fits].checks) != (was[fits].simulated, was[fits].checks) for one in found)
    for end, becomes in zip(ends, found, strict=True):
        others = changed(was, becomes, fits)
        assert {claim for claim in others if was[claim].kind == "predicts"} == set() or fits in others
        if "holds" in entry and end not in entry["range"]:
            assert {claim for claim in others if was[claim].kind == "calibrates"} != set()


def test_what_was_fitted_to_a_shape_or_a_factor_says_where_claims_hold():
    """A few per cent of such a number say nothing of what its claim leaves of it."""
    claims = {claim.id: claim for path in names().values() for claim in load(path).data.claim}
    by_shape_or_factor = [
        (machine, key)
        for machine, key, entry in FITTED
        if claims[entry["fits"]].tolerance is None or claims[entry["fits"]].measure.gives == "shape"
    ]
    assert ("ap1000", "cellos.memory_read") in by_shape_or_factor
    says_so = {(machine, key) for machine, key, entry in FITTED if "holds" in entry}
    assert [one for one in by_shape_or_factor if one not in says_so] == []
