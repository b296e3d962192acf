"""What an experiment file may say: its keys, their types and what they mean. docs/experiments.md tells it to users."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from experiments.contrasts import CONTRASTS
from experiments.fits.names import Errors
from experiments.machines import is_file_name
from experiments.measures import NUMBERS
from experiments.refits import REFITS
from experiments.results import OVER_RANKS
from experiments.shapes import SHAPES

AnyMeasure = Annotated[NUMBERS | SHAPES | CONTRASTS | REFITS, Field(discriminator="how")]
Scale = Literal["linear", "log", "log2"]  # log2 has powers of two at its ticks, written out
SIZE_UNITS = ("KiB", "MiB")  # of an x axis, for sizes in bytes


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True)


class MachineTable(Part):
    name: str | list[str]  # or a file, from where the experiment's lies; several: curves for each
    ranks: int | str = Field(default=2)  # a number, or the size's name: as many as the size says
    map: str = "slot"  # as the launcher has it, unless given
    set: list[str] = []  # "key=value", as --set has it
    _folder: Path = PrivateAttr(default=Path())

    @property
    def names(self) -> list[str]:
        """As they are written."""
        return [self.name] if isinstance(self.name, str) else self.name

    def lies_in(self, folder: Path) -> None:
        self._folder = folder

    def found(self, name: str) -> str:
        """As the launcher finds it: a machine's name, or a file from the working directory."""
        if not is_file_name(name):
            return name
        path = str(self._folder / name)
        return path if "/" in path else f"./{path}"

    @property
    def first(self) -> str:
        return self.found(self.names[0])

    def is_only(self, machine: str) -> bool:
        """Whether that is the only one, by its name or by any path of its file."""
        if len(self.names) > 1 or not (is_file_name(self.first) and is_file_name(machine)):
            return self.names == [machine]
        return Path(self.first).resolve() == Path(machine).resolve()


class Steps(Part):
    """Sizes from one to another, both included: `step` apart, or each `times` the one before."""

    from_: int = Field(alias="from")
    to: int
    step: int | None = Field(default=None, gt=0)
    times: int | None = Field(default=None, gt=1)

    def values(self) -> list[int]:
        values, value = [], self.from_
        while value <= self.to:
            values.append(value)
            value = value + self.step if self.step else value * (self.times or 1)
        return values


def all_values(listed: list[int | Steps]) -> list[int]:
    values = [value.values() if isinstance(value, Steps) else [value] for value in listed]
    return sorted({one for several in values for one in several})


class Sizes(Part):
    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")  # a column of the results; "{name}" in a curve's arguments
    label: str
    values: list[int | Steps] = Field(min_length=1)

    def all(self) -> list[int]:
        return all_values(self.values)


class CurveModel(Part):
    """What model is fitted to a curve: forms of p, each the best of several unless given."""

    t_s: str = ""
    t_b: str = ""
    t_c: str = ""
    without: str = ""  # the curve of the same operation without arithmetic, by which t_c is told
    carries: str = "p - 1"  # how often its bytes go from one processor to another
    ranks: list[int] = []  # the only numbers of processors that it is run among; all sizes unless given


class Curve(Part):
    """A program at every size. Curves that differ in nothing but their names are run once."""

    name: str
    program: str  # a file beside the experiment's
    arguments: list[str] | None = None  # the size alone unless given
    set: list[str] = []  # "key=value"; the size as "{name}", as in arguments
    coll: str = ""  # "operation=algorithm,...", as the launcher's --coll has it
    arithmetic: Literal["charged", "free"] = "charged"  # of reductions; free on a machine where it takes no time
    model: CurveModel | None = None


class Axis(Part):
    label: str
    unit: str = ""
    range: list[float] | None = Field(default=None, min_length=2, max_length=2)
    scale: Scale = "linear"

    @property
    def is_logarithmic(self) -> bool:
        return self.scale != "linear"


class Published(Part):
    """Points that the paper gives, drawn as open marks in a curve's colour: [size, value] or [size, value, error]."""

    curve: str = ""
    label: str
    points: list[list[float]] = Field(min_length=1)
    source: str


class Panel(Part):
    y: Axis
    quantity: str = "time_us"
    curves: list[str] = []  # all unless given
    difference: list[str] | None = Field(default=None, min_length=2, max_length=2)  # the first curve less the second
    over: list[Literal[OVER_RANKS]] = ["max"]
    fits: bool = False
    published: list[Published] = []


class Figure(Part):
    caption: str
    width: Literal["column", "page"] = "column"
    height_mm: float = Field(default=60, ge=20, le=1000)
    x: Axis
    panel: list[Panel] = Field(min_length=1)


class Check(Part):
    """A published value, and how near to it the simulated one has to be."""

    published: float | str  # a sentence for a shape
    unit: str = ""
    measure: AnyMeasure
    # One of these; a shape has a tolerance only, which its measure uses.
    tolerance: float | None = Field(default=None, ge=0)  # relative
    factor: float | None = Field(default=None, gt=1)  # either way
    between: list[float] | None = Field(default=None, min_length=2, max_length=2)  # both excluded
    exact: bool = False


class Claim(Check):
    id: str = Field(pattern=r"^[A-Z0-9]+-[0-9]+[a-z]?$")
    kind: Literal["calibrates", "predicts", "input", "held-out"]
    states: str  # what is claimed
    source: str
    arithmetic_on: list[str] = []  # claims from which it follows: it says nothing new
    also: list[Check] = []  # further checks, all of which have to hold


class Models(Part):
    """Models are fitted to curves. The sizes are numbers of processors; each run gets all lengths as its last
    arguments, and prints a row for each. Or they are the lengths of messages between two."""

    bytes: list[int | Steps] = []  # the lengths, unless they are the sizes
    at: list[int] = []  # the numbers of processors that forms are fitted to; all unless given
    up_to: int | None = Field(default=None, ge=2)  # of peaks; the most that were measured unless given
    errors: Errors = "absolute"
    shown_ranks: int = 8  # the figure has times over lengths among so many, or the nearest that were measured,
    shown_bytes: int = 65536  # and over processors at this length, or the nearest

    def all_bytes(self) -> list[int]:
        return all_values(self.bytes)


class Header(Part):
    """What experiments of both sorts have."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    title: str
    source: str
    rule: str  # of measurement
    machine: MachineTable
    sizes: Sizes


class Experiment(Header):
    """Programs as curves over sizes, a figure of them, and a paper's claims about them."""

    curve: list[Curve] = Field(min_length=1)
    figure: Figure | None = None
    models: Models | None = None
    claim: list[Claim] = []

    @property
    def is_of_messages(self) -> bool:
        """Whether models are of messages alone, between two, since the sizes are their lengths."""
        return self.sizes.name == "bytes"

    def counts_steps(self) -> bool:
        """Whether a claim needs the recorded steps of runs."""
        checks = [check for claim in self.claim for check in (claim, *claim.also)]
        return any(check.measure.how == "steps" for check in checks)


class Algorithms(Part):
    """Curves that the registry of collectives' algorithms names: one for each that an operation has."""

    operations: list[str] = Field(min_length=1)  # a comparison of its own for each
    program: str  # a file beside the experiment's
    ranks: list[int | Steps] = Field(min_length=1)  # drawn over these too, up to the machine table's number,
    bytes: list[int] = Field(min_length=1, max_length=2)  # for these sizes
    also: dict[str, list[str]] = {}  # of an operation, algorithms with other parameters than the registry's
    together: bool = False  # one picture of all operations,
    over: Literal["ranks", "bytes"] = "ranks"  # at the first of `bytes`, or at the machine table's number of ranks,
    sorts: Literal["means", "levels"] = "means"  # by what algorithms move data by, or by whether they have two levels
    slack: float = Field(default=0.1, gt=0)  # how far the table's choice may be off the best before it is told

    def all_ranks(self) -> list[int]:
        return all_values(self.ranks)


class Comparison(Header):
    """Every algorithm of a collective operation, over sizes and over ranks, against the machine's choice."""

    algorithms: Algorithms

    @property
    def claim(self) -> list[Claim]:
        return []


AnyExperiment = Experiment | Comparison
