"""Machine files, as far as experiments look into them: where they are, and how many of their numbers were fitted.

What their keys mean and whether a change is allowed, the launcher knows: it is asked (`hindcast show`).
"""

import hashlib
import os
import re
import tomllib
from functools import cache
from pathlib import Path

from experiments.problems import Problem, did_you_mean_file
from experiments.serving.servers import ask

NO_TIME = "1000000 Gop/s"  # a femtosecond: less than what a clock of picoseconds tells
ROOT = Path(__file__).resolve().parent.parent


def machine_paths() -> dict[str, Path]:
    """By name; found as the launcher finds them."""
    folders = [Path(folder) for folder in os.environ.get("HINDCAST_PLATFORMS", "").split(":") if folder]
    found: dict[str, Path] = {}
    for folder in [*folders, ROOT / "platforms"]:
        for path in sorted(folder.glob("*.toml")):
            found.setdefault(path.stem, path)
    return found


def is_file_name(machine: str) -> bool:
    """Rather than the name of a machine, as the launcher tells them apart."""
    return "/" in machine or machine.endswith(".toml")


def machine_path(machine: str) -> Path:
    if is_file_name(machine):
        return Path(machine)
    return machine_paths()[machine]


def machine_tables(machine: str) -> dict:
    """What its file says, with the keys of other machines that kinds of nodes or networks are `as`."""
    tables = tomllib.loads(machine_path(machine).read_text())
    for sort, alone in (("node", "processor"), ("network", "network")):
        for table in tables[sort] if isinstance(tables.get(sort), list) else []:
            if "as" in table:
                other, _, kind = table.pop("as").partition(".")
                theirs = machine_tables(other)
                like = next(each for each in theirs[sort] if each["name"] == kind) if kind else theirs[alone]
                there, here = f"{sort}.{kind}." if kind else f"{alone}.", f"{sort}.{table['name']}."
                for key, entry in like.items():
                    if key not in table:  # what follows from another number does so here
                        table[key] = {**entry, "source": entry.get("source", "").replace(there, here)}
    return tables


def machine_sha256(machine: str) -> str:
    """Of its file, and of those of other machines that parts of it are `as`."""
    content = hashlib.sha256(machine_path(machine).read_bytes())
    for other in re.findall(r'^as *= *"([^".]+)', machine_path(machine).read_text(), re.M):
        content.update(machine_sha256(other).encode())
    return content.hexdigest()


@cache
def check_settings(machine: str, settings: tuple[str, ...]) -> None:
    """Asks the launcher whether there are such a machine and such parameters, before anything is run."""
    changes = [word for setting in settings for word in ("--set", setting)]
    if refusal := refusal_of(("show", machine, *changes)):
        raise Problem(refusal)


def refusal_of(words: tuple[str, ...]) -> str:
    """What the launcher says against a command; nothing if it does it."""
    done = ask(list(words))
    if done.returncode == 0:
        return ""
    said = done.stderr.strip().splitlines() or [f"'{' '.join(words)}' failed with status {done.returncode}"]
    return said[0].removeprefix("hindcast: ")


def refuse_no_machine(machine: str) -> None:
    """What is neither a machine's name nor a file that the launcher takes for one."""
    is_there = Path(machine).is_file() if is_file_name(machine) else machine in machine_paths()
    if not is_there:
        raise Problem(f"no machine '{machine}'{did_you_mean_file(machine, ())} (hindcast machines)")
    check_settings(machine, ())


def free_arithmetic(machine: str) -> tuple[str, ...]:
    """The settings with which reductions carry as they do, and compute in no time."""

    def keys(table: dict, at: str) -> list[str]:
        found = []
        for name, value in table.items():
            kinds = value if isinstance(value, list) else []  # of nodes: tables that have names
            inner = {kind["name"]: kind for kind in kinds if isinstance(kind, dict) and "name" in kind} or value
            if name in ("combine_rate", "integer_combine_rate"):
                found.append(f"{at}{name}")
            elif isinstance(inner, dict):
                found += keys(inner, f"{at}{name}.")
        return found

    return tuple(f"{key}={NO_TIME}" for key in keys(machine_tables(machine), ""))


def fitted_parameters(machine: str) -> int:
    """A list of numbers counts one per entry, a choice is one. As good as fitted is an assumed number without a range,
    or with one that claims hold in a part of (`holds`), and an invented one; an assumed choice is none."""

    def count(table: dict) -> int:
        if "value" in table and "kind" in table:
            values = table["value"] if isinstance(table["value"], list) else [table["value"]]
            is_a_choice = "one_of" in table or any(isinstance(value, str) for value in values)
            is_fitted = table["kind"] == "fitted" or (
                not is_a_choice
                and (
                    table["kind"] == "invented"
                    or (table["kind"] == "assumed" and ("range" not in table or "holds" in table))
                )
            )
            return (1 if is_a_choice else len(values)) if is_fitted else 0
        several = [inner if isinstance(inner, list) else [inner] for inner in table.values()]  # [[node]] is a list
        return sum(count(inner) for inners in several for inner in inners if isinstance(inner, dict))

    return count(machine_tables(machine))
