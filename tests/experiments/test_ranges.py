"""What an assumed or fitted number may have been (`range`), and the part of that in which no claim changes its verdict
(`holds`, or all of it): held at both ends, for every machine that claims are scored on, with what was fitted by
arithmetic on it fitted anew. A case takes most of a minute: it measures all that the machine's claims are about."""

import pytest

from experiments.machines import fitted_parameters, machine_paths
from experiments.uncertainty.parameters import entries_of
from tests.experiments.verdicts import changed, scores_as_it_is, scores_with

MACHINES = ["ap1000", "ap3000", "argonne-sp", "earth-simulator", "t3e-900"]
RANGED = [
    (machine, key, entry) for machine in MACHINES for key, entry in entries_of(machine).items() if "range" in entry
]


def where_claims_hold(entry):
    """An assumed number's range, if the file says of no part of it."""
    return entry.get("holds", entry["range"] if entry["kind"] == "assumed" else [])


CASES = [(machine, key, end, entry.get("fits")) for machine, key, entry in RANGED for end in where_claims_hold(entry)]


@pytest.mark.long
@pytest.mark.parametrize("machine, key, value, fits", CASES, ids=[f"{m}-{key}={value}" for m, key, value, _ in CASES])
def test_no_verdict_changes_at_the_end_of_what_claims_hold_in(
    machine, key, value, fits, build, samples_about, monkeypatch
):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    every = samples_about(machine)
    as_it_is = scores_as_it_is(every)
    assert any(score.holds for score in as_it_is.values())
    found = scores_with(every, machine, key, value)
    others = changed(as_it_is, found, fits)
    assert [f"{claim} {'holds' if found[claim].holds else 'fails'}" for claim in sorted(others)] == []


@pytest.mark.parametrize("machine", MACHINES)
def test_every_number_that_could_be_otherwise_says_how_far(machine):
    numbers = [
        (key, entry)
        for key, entry in entries_of(machine).items()
        if entry["kind"] in ("assumed", "fitted") and isinstance(entry["value"], int | float)
    ]
    assert len(numbers) > 10
    assert [key for key, entry in numbers if "range" not in entry] == []


def test_what_claims_hold_in_is_less_than_the_range_if_it_is_given():
    given = [(machine, key, entry) for machine, key, entry in RANGED if "holds" in entry]
    assert given
    assert [key for _, key, entry in given if entry["holds"] == entry["range"]] == []


def test_numbers_of_several_kinds_of_nodes_are_counted(tmp_path, monkeypatch):
    fitted = 'x = { value = 2, kind = "fitted", fits = "A-01", source = "s" }\n'
    (tmp_path / "kinds.toml").write_text(f'[[node]]\nname = "a"\n{fitted}[[node]]\nname = "b"\n{fitted}')
    monkeypatch.setenv("HINDCAST_PLATFORMS", str(tmp_path))
    assert fitted_parameters("kinds") == 2


def test_an_assumed_number_that_claims_narrow_counts_as_fitted(tmp_path, monkeypatch):
    def counted(attributes):
        text = f'[mpi]\nx = {{ value = 2, kind = "assumed", range = [1, 9], {attributes}source = "s" }}\n'
        (tmp_path / "narrow.toml").write_text(text)
        return fitted_parameters("narrow")

    monkeypatch.setenv("HINDCAST_PLATFORMS", str(tmp_path))
    (tmp_path / "narrow.toml").touch()
    assert "narrow" in machine_paths()
    assert counted("") == 0
    assert counted("holds = [1, 4], ") == 1


def test_a_fitted_choice_counts_once_and_a_list_of_numbers_by_its_entries(tmp_path, monkeypatch):
    monkeypatch.setenv("HINDCAST_PLATFORMS", str(tmp_path))
    fitted = 'kind = "fitted", fits = "A-01", source = "s"'
    table = f'[collectives]\nbarrier = {{ value = ["native", "linear"], {fitted} }}\n'
    (tmp_path / "chosen.toml").write_text(f"{table}[mpi]\nx = {{ value = [1, 2], {fitted} }}\n")
    assert fitted_parameters("chosen") == 3
