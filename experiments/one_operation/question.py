"""What is compared, and how: the words of the command as an experiment, with what is varied as its changes."""

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from experiments.changes import OWN_KEYS, Changes, changes_of, in_a_file_name, key_and_values
from experiments.comparison import in_bytes, in_ranks
from experiments.load import FOLDER, LoadedExperiment
from experiments.one_operation import BETWEEN_TWO
from experiments.problems import Problem, did_you_mean
from experiments.schema import Axis, Curve, Experiment, Figure, MachineTable, Panel, Sizes, Steps
from experiments.serving.servers import ask
from experiments.shell.compilers import is_source
from experiments.units import UNITS

OF_TWO = "between the first rank and the last, the mean of four, after one that does not count"
OF_ALL = "all ranks begin at one instant, each takes its own time, and the largest counts"
OF_A_PROGRAM = "as the program measures, and of several ranks the largest"
TABLE = "table"  # in the place of an algorithm's name: what the machine chooses
SIZES = [Steps.model_validate({"from": 8, "to": 1 << 20, "times": 2})]
RANKS = [Steps.model_validate({"from": 2, "to": 64, "times": 2})]
COLLECTIVE_RANKS = 16
BYTES_OF_A_DOUBLE = 8
SIZE_MAX = 256 << 20
UNITS_OF_SIZES = {"": 1} | {unit: int(size) for unit, size in UNITS["size"].items()}


@dataclass(frozen=True)
class Question:
    """What is empty is not said."""

    operation: str  # or a measuring program's source
    machines: tuple[str, ...]
    ranks: list[int]
    sizes: list[int]
    maps: tuple[str, ...]
    settings: list[str]  # "key=value,value..."
    algorithms: tuple[str, ...]

    @property
    def is_of_two(self) -> bool:
        return self.operation in BETWEEN_TWO

    @property
    def is_a_program(self) -> bool:
        return is_source(Path(self.operation))

    @property
    def is_over_ranks(self) -> bool:
        """Rather than over bytes: an operation that moves nothing is, and several numbers of ranks are at one size."""
        return self.operation == "barrier" or (len(self.ranks) > 1 and len(self.sizes) <= 1)

    @property
    def name(self) -> str:
        """What was asked for, as names of files have it."""
        own = {"algorithms": self.algorithms, "bytes": [self._size] if self.is_over_ranks else self.sizes}
        if self.is_over_ranks:
            own["ranks"] = self.ranks
        said = [f"{key}={','.join(map(str, values))}" for key, values in own.items() if values]
        return in_a_file_name(".".join([self.operation.removeprefix("./"), *self.changes().texts, *said]))

    @property
    def title(self) -> str:
        """What all its times have in common."""
        own = dict(self.changes().fixed)
        common = [self.operation, *(own[key] for key in ("machine", "map") if key in own)]
        if self.is_over_ranks:
            return ", ".join([*common, *([in_bytes(self._size)] if self._size else [])])
        return ", ".join(
            common if len(self.ranks) > 1 else [*common, in_ranks(int(own.get("ranks", self._ranks_alone)))]
        )

    def changes(self) -> Changes:
        own = {"machine": self.machines, "map": self.maps}
        if not self.is_over_ranks:
            own["ranks"] = tuple(map(str, self.ranks))
        settings = [key_and_values("--set", text) for text in self.settings]
        return changes_of([*((key, values) for key, values in own.items() if values), *settings])

    def experiment(self, command: str) -> LoadedExperiment:
        """The comparison as an experiment, whose results name the command that makes them."""
        over = "ranks" if self.is_over_ranks else "bytes"
        data = Experiment(
            name="compare",
            title=f"The time of {self.operation}",
            source="",
            rule=OF_TWO if self.is_of_two else OF_A_PROGRAM if self.is_a_program else OF_ALL,
            machine=MachineTable(name="ideal", ranks="ranks" if self.is_over_ranks else self._ranks_alone),
            sizes=Sizes(name=over, label=over, values=self._places()),
            curve=[self._curve(algorithm) for algorithm in self.algorithms or [TABLE]],
            figure=Figure(
                caption="",
                x=Axis(label=self._x_label(), scale="log2"),
                panel=[Panel(y=Axis(label="time", unit="us", scale="log"))],
            ),
        )
        folder = Path() if self.is_a_program else FOLDER
        return LoadedExperiment(folder / "compare.toml", data, self.operation, command)

    @property
    def _ranks_alone(self) -> int:
        """How many ranks there are if nothing is said of them."""
        return 2 if self.is_of_two else COLLECTIVE_RANKS

    @property
    def _size(self) -> int:
        """The bytes at which numbers of ranks are compared."""
        return self.sizes[0] if self.sizes else 0 if self.operation == "barrier" else 8

    def _places(self) -> list[int | Steps]:
        return list(self.ranks or RANKS) if self.is_over_ranks else list(self.sizes or SIZES)

    def _x_label(self) -> str:
        if self.is_over_ranks:
            return "ranks"
        return "bytes" if self.is_of_two or self.is_a_program else "bytes of a block"

    def _curve(self, algorithm: str) -> Curve:
        if self.is_a_program:
            program = self.operation
        else:
            program = "one_operation/between_two.c" if self.is_of_two else "collectives/collective.c"
        size = str(self._size) if self.is_over_ranks else "{bytes}"
        return Curve(
            name=algorithm if self.algorithms else self.operation,
            program=program,
            arguments=[size] if self.is_a_program else [self.operation, size],
            coll="" if algorithm == TABLE else f"{self.operation}={algorithm}",
        )


def checked(question: Question) -> Question:
    """Refuses what cannot be compared."""
    _refuse_settings_with_options_of_their_own(question.settings)
    collectives = operations_of_all()
    if question.is_a_program:
        if not Path(question.operation).is_file():
            raise Problem(f"{question.operation}: no such file")
    elif not question.is_of_two and question.operation not in collectives:
        meant = did_you_mean(question.operation, [*BETWEEN_TWO, *collectives])
        raise Problem(f"no operation '{question.operation}'{meant} (or a measuring program's source)")
    if question.algorithms and question.operation not in collectives:
        raise Problem(f"--algorithms: {question.operation} has none, as it is no collective operation")
    _refuse_sizes(question)
    if question.operation == "barrier" and question.sizes:
        raise Problem("--bytes: a barrier moves none; leave it out")
    if question.is_of_two and any(ranks < 2 for ranks in question.ranks):
        raise Problem(f"--ranks: {question.operation} is between two ranks")
    return question


def _refuse_settings_with_options_of_their_own(settings: list[str]) -> None:
    for text in settings:
        key, _, values = text.partition("=")
        if key in OWN_KEYS:
            raise Problem(f"--set {text}: --{key} says it, as --{key} {values}")


def _refuse_sizes(question: Question) -> None:
    """Of the project's own programs."""
    is_of_doubles = not question.is_of_two or question.operation.endswith("accumulate")
    for size in () if question.is_a_program else question.sizes:
        if is_of_doubles and size % BYTES_OF_A_DOUBLE:
            raise Problem(f"--bytes: {question.operation} is of whole doubles: give multiples of 8, not {size}")
        if size > SIZE_MAX:
            raise Problem(f"--bytes: {in_bytes(size)} are too many: give {in_bytes(SIZE_MAX)} at most")


def operations_of_all() -> list[str]:
    """The collective operations, as the launcher knows them, whatever machine is the user's."""
    algorithms = json.loads(ask(["collectives", "--json", "-m", "ideal"]).stdout)["algorithms"]
    return sorted({algorithm["operation"] for algorithm in algorithms})


def whole_numbers(option: str, text: str, units: dict[str, int] | None = None) -> list[int]:
    """ "2,4,8", and with units "8,1.5KiB": from 1 on, each once, rising."""
    known = units or {"": 1}
    numbers = []
    for part in text.split(",") if text else []:
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", part)
        number = Fraction(found[1]) * known[found[2]] if found and found[2] in known else 0
        if number == 0 or number.denominator != 1:
            like = "sizes such as 8,512,64KiB" if units else "whole numbers from 1 on, such as 2,4,8"
            raise Problem(f"{option} {text}: has to be {like}")
        numbers.append(int(number))
    if len(set(numbers)) < len(numbers):
        raise Problem(f"{option} {text}: numbers have to differ")
    return sorted(numbers)
