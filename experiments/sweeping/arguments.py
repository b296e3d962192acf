"""Words with names in braces, in whose places values come: a program's arguments, and files of computation."""

import re
from collections.abc import Iterable, Sequence

from experiments.problems import Problem, did_you_mean
from experiments.sweeping.axes import NAME

PLACE = re.compile(rf"\{{({NAME})\}}")
ALWAYS = ("machine", "ranks")


def refuse_misspelt(words: Sequence[str], names: Iterable[str]) -> None:
    """A name without a place would give runs that are all alike, and a place without a name would reach the program."""
    names = list(names)
    places = dict.fromkeys(place for word in words for place in PLACE.findall(word))
    known = [*names, *ALWAYS]
    for name in names:
        if name not in places:
            others = [f"{{{place}}}" for place in places if place not in known]
            raise Problem(f"--with {name}: no argument has {{{name}}}{did_you_mean(f'{{{name}}}', others)}")
    for place in places:
        if place not in known:
            hint = did_you_mean(f"{{{place}}}", (f"{{{name}}}" for name in known))
            raise Problem(f"{{{place}}}: no --with says it{hint}")


def filled(arguments: Iterable[str], values: dict[str, str]) -> tuple[str, ...]:
    """Values are not looked into: braces in them stay."""
    return tuple(PLACE.sub(lambda place: values[place[1]], argument) for argument in arguments)
