"""What is wrong with what the user gave: always one line, and where it can be, with file, line and key."""

import difflib
from collections.abc import Iterable
from pathlib import Path


class Problem(Exception):
    """Ends the command; its text is the one line the user sees."""


def folder_of_results(text: str) -> Path:
    """Of --out. An empty one, as of a variable that is not set, would be the working directory."""
    if not text:
        raise Problem("--out '': is empty: name a folder, or leave it out")
    return Path(text)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """ ", did you mean 'ranks'?", or what there is to choose from."""
    known = sorted(known)
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if near:
        return f", did you mean '{near[0]}'?"
    return f"; there {'is' if len(known) == 1 else 'are'} {', '.join(known)}" if known else ""


def did_you_mean_file(word: str, known: Iterable[str], folder: str | Path = "") -> str:
    """For names in whose place a file may be given: if one of the folder has this name, with .toml behind it, it is
    what is meant."""
    is_there = Path(folder, f"{word}.toml").is_file()
    return f", did you mean '{word}.toml'?" if is_there else did_you_mean(word, known)
