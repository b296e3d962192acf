"""How a message-passing library is told to go about it, in a run of programs that test themselves. A library has its
strategies beside its other tests: strategies.py, with a list for each machine."""

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LIBRARIES = Path(__file__).parents[2] / "mpi_impl" / "libraries"
# What the head of a program may say that it needs. Other libraries may have it too: a strategy offers what it is to be
# tried with.
NEEDS = {
    "long messages",  # of many megabytes
    "sends that go on while the program computes",
    "processes that start others",
    "buffers of a few megabytes",  # for messages that nobody has received; who finds them full waits
}


@dataclass(frozen=True)
class Strategy:
    """A way for a machine's library to go about it: what --set, --coll and other options say, and the programs that
    cannot pass by its nature, with the reason. These are run, and must fail."""

    id: str
    settings: Mapping[str, str] = field(default_factory=dict)
    algorithms: Mapping[str, str] = field(default_factory=dict)
    must_fail: Mapping[str, str] = field(default_factory=dict)
    fails_from: int = 1  # so many ranks; on fewer they pass
    fails_alone: Sequence[str] = ()  # but for these, which fail on one rank too
    options: Sequence[str] = ()
    offers: Sequence[str] = ()  # of what programs may need
    ranks_min: int = 1  # not on fewer; programs that name no more are run on so many
    runs_all: bool = False  # all programs among the ordinary tests too, and not only the sample

    def launcher(self):
        of_settings = [word for key, value in self.settings.items() for word in ("--set", f"{key}={value}")]
        of_algorithms = [word for call, name in self.algorithms.items() for word in ("--coll", f"{call}={name}")]
        return [*self.options, *of_settings, *of_algorithms]


def strategies_by_machine() -> dict[str, list[Strategy]]:
    """Those of all libraries."""
    found = {}
    for file in sorted(LIBRARIES.glob("*/tests/strategies.py")):
        spec = importlib.util.spec_from_file_location(f"strategies_of_{file.parents[1].name}", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        assert not found.keys() & module.STRATEGIES.keys(), f"{file}: has a machine of another library's"
        found |= module.STRATEGIES
    return found


def launchers_with_births() -> dict[str, list[str]]:
    """By machine and strategy, of those among the ordinary tests: options of a run in which processes start others."""
    return {
        f"{machine}-{strategy.id}": ["-m", machine, *strategy.launcher()]
        for machine, strategies in sorted(strategies_by_machine().items())
        for strategy in strategies
        if strategy.runs_all and "processes that start others" in strategy.offers
    }


def launchers_with_deaths() -> dict[str, list[str]]:
    """The same, of those in which processes that end leave their places to others. A library whose places are not taken
    again says --universe."""
    return {name: words for name, words in launchers_with_births().items() if "--universe" not in words}
