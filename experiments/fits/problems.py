"""What is wrong with points or forms that are to be fitted."""

from experiments.problems import Problem


class NoFit(Problem):
    """There is no such model of these points; the text says why, in one line."""
