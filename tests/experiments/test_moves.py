"""What a fitted number was set by: to leave a claim out of its source does not help. A case measures all that is
claimed of its machine, twice or more."""

import pytest

from experiments.uncertainty.alone import alone
from experiments.uncertainty.parameters import entries_of
from experiments.uncertainty.study import chosen_parameters

MACHINES = ["ap1000", "ap3000", "argonne-sp", "earth-simulator", "t3e-900"]
FITTED = [
    (machine, key, entry["fits"])
    for machine in MACHINES
    for key, entry in entries_of(machine).items()
    if entry["kind"] == "fitted" and isinstance(entry["value"], int | float)
]


@pytest.mark.long
@pytest.mark.parametrize("machine, key, fits", FITTED, ids=[f"{machine}-{key}" for machine, key, _ in FITTED])
def test_no_prediction_fails_before_what_a_number_was_fitted_to(machine, key, fits, build, samples_about, monkeypatch):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    every = samples_about(machine)
    (found,) = alone(every, chosen_parameters(machine, (key,), every[0].experiment))
    moved = [*found.at_ends[0], *found.at_ends[1]]
    assert fits in {one.was.id for one in moved}
    for at_end in found.at_ends:
        changed = {one.was.id for one in at_end if one.changes_verdict()}
        predicted = {one.was.id for one in at_end if one.changes_verdict() and one.was.kind == "predicts"}
        assert predicted == set() or fits in changed
