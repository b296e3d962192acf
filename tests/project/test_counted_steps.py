"""Steps that claims count by name are steps of the simulator. Of a name that is none no run would take any, and a claim
that there are none would hold."""

from pathlib import Path

from experiments.load import experiment_paths, load
from experiments.measures import Steps

SIMULATOR = ("simulator", "mpi_impl")


def counted_steps():
    """The names, with the claims that count them."""
    names = {}
    for path in experiment_paths():
        for claim in load(path).data.claim:
            for check in (claim, *claim.also):
                if isinstance(check.measure, Steps):
                    for name in filter(None, (check.measure.step, check.measure.per)):
                        names.setdefault(name, claim.id)
    return names


def test_steps_that_claims_count_are_named_in_the_simulator(root):
    sources = [path for top in SIMULATOR for path in Path(root, top).rglob("*.[ch]pp") if "tests" not in path.parts]
    text = "\n".join(path.read_text() for path in sources)
    names = counted_steps()
    assert len(names) > 20
    assert [f"{claim}: {name}" for name, claim in names.items() if f'"{name}"' not in text] == []
