"""The algorithms of a collective operation, as the launcher knows them (`hindcast collectives --json`)."""

import json
import subprocess
from dataclasses import dataclass

from experiments.changes import Variant
from experiments.problems import Problem
from experiments.serving.servers import launcher


@dataclass(frozen=True)
class Situation:
    """What there is to choose from for some number of ranks and bytes; names have parameters, "knomial:radix=4"."""

    able: tuple[str, ...]
    taken: str  # by the machine's table


@dataclass(frozen=True)
class Registry:
    algorithms: tuple[str, ...]
    means: dict[str, str]  # of each, in words: what it moves its data by
    needs: dict[str, str]  # of each, in words
    situations: dict[tuple[int, int], Situation]  # by ranks and bytes

    def means_of(self, choice: str) -> str:
        """Also with parameters that the registry does not list."""
        return self._first_of(self.means, choice)

    def has_two_levels(self, choice: str) -> bool:
        return "several levels" in self._first_of(self.needs, choice)

    @staticmethod
    def _first_of(texts: dict[str, str], choice: str) -> str:
        return next(text for other, text in texts.items() if name_of(other) == name_of(choice))


def name_of(choice: str) -> str:
    """Of an algorithm, without its parameters."""
    return choice.split(":")[0]


def ask_registry(
    variant: Variant, settings: tuple[str, ...], operation: str, ranks: list[int], sizes: list[int]
) -> Registry:
    """For ranks that lie on nodes as the variant's map says."""
    changes = [word for setting in settings for word in ("--set", setting)]
    numbers = ["-n", ",".join(map(str, ranks)), "-b", ",".join(map(str, sizes)), "--map", variant.map]
    command = [launcher(), "collectives", operation, "--json", "-m", variant.machine, *changes, *numbers]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[0]
        raise Problem(f"--set operation={operation}: {said.removeprefix('hindcast: ')}")
    answer = json.loads(done.stdout)
    return Registry(
        tuple(algorithm["choice"] for algorithm in answer["algorithms"]),
        {algorithm["choice"]: algorithm["means"] for algorithm in answer["algorithms"]},
        {algorithm["choice"]: algorithm["needs"] for algorithm in answer["algorithms"]},
        {
            (found["ranks"], found["bytes"]): Situation(tuple(found["able"]), found["taken"])
            for found in answer["situations"]
        },
    )
