"""What is wrong with what the user gave: always one line, and where it can be, with file, line and key."""

import difflib
from collections.abc import Iterable


class Problem(Exception):
    """Ends the command; its text is the one line the user sees."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """ ", did you mean 'ranks'?", or what there is to choose from."""
    known = sorted(known)
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if near:
        return f", did you mean '{near[0]}'?"
    return f"; there {'is' if len(known) == 1 else 'are'} {', '.join(known)}" if known else ""
