"""An assumed number has a range over which no claim changes its verdict: held at both its ends, for every machine that
claims are scored on. A case takes most of a minute: it measures all that the machine's claims are about."""

import tomllib
from pathlib import Path

import pytest

from experiments.changes import Changes
from experiments.load import load, names
from experiments.runner import measure
from experiments.score import score_experiment

PLATFORMS = Path(__file__).resolve().parents[2] / "platforms"
MACHINES = ["ap1000", "ap3000", "argonne-sp", "t3e-900"]


def ends_of_ranges(machine):
    """(key, value) at both ends of all assumed numbers with a range, as --set has them."""
    found = []

    def look(table, key):
        if "value" not in table or "kind" not in table:
            for name, inner in table.items():
                if isinstance(inner, dict):
                    look(inner, [*key, name])
        elif table["kind"] == "assumed" and "range" in table:
            found.extend((".".join(key), f"{end} {table.get('unit', '')}".strip()) for end in table["range"])

    look(tomllib.loads((PLATFORMS / f"{machine}.toml").read_text()), [])
    return found


def verdicts(machine, changes):
    """What all claims about a machine come to: {id: holds}."""
    experiments = [experiment for experiment in map(load, names().values()) if experiment.data.machine.name == machine]
    return {
        score.id: score.holds
        for experiment in experiments
        if experiment.data.claim
        for score in score_experiment(experiment, measure(experiment, changes))
    }


@pytest.fixture(scope="session")
def verdicts_as_it_is():
    """verdicts_as_it_is(machine), with the numbers of its file; measured once by each worker."""
    kept = {}

    def verdicts_of(machine):
        if machine not in kept:
            kept[machine] = verdicts(machine, Changes())
        return kept[machine]

    return verdicts_of


CASES = [(machine, key, value) for machine in MACHINES for key, value in ends_of_ranges(machine)]


@pytest.mark.long
@pytest.mark.parametrize("machine, key, value", CASES, ids=[f"{m}-{key}={value}" for m, key, value in CASES])
def test_no_verdict_changes_at_the_end_of_a_range(machine, key, value, build, verdicts_as_it_is, monkeypatch):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    as_it_is = verdicts_as_it_is(machine)
    assert any(as_it_is.values())
    found = verdicts(machine, Changes(((key, value),)))
    changed = [f"{claim} {'holds' if holds else 'fails'}" for claim, holds in found.items() if holds != as_it_is[claim]]
    assert changed == []
