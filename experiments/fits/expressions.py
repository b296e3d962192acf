"""Formulas of p, the number of processors, as a file writes them: "p - 1", "a log2 p + b", "46 + a (p - 2)".

Factors may stand beside each other; a function takes the factor behind it. Letters other than p are coefficients.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from experiments.fits.problems import NoFit

RANKS = "p"
FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "log2": np.log2,
    "sqrt": np.sqrt,
    "ceil": np.ceil,
    "floor": np.floor,
}
TOKEN = re.compile(r"\s*(\d+\.?\d*(?:[eE][-+]?\d+)?|log2|sqrt|ceil|floor|[a-z](?![a-z0-9])|[-+*/^()])")

Values = Mapping[str, np.ndarray]
Node = Callable[[Values], np.ndarray]


@dataclass(frozen=True)
class Expression:
    text: str
    letters: tuple[str, ...]  # of its coefficients, as they appear
    node: Node

    def at(self, ranks: object, coefficients: Mapping[str, float] | None = None) -> np.ndarray:
        """Its values for these numbers of processors."""
        p = np.asarray(ranks, dtype=float)
        values = {RANKS: p} | {letter: np.asarray(float(x)) for letter, x in (coefficients or {}).items()}
        with np.errstate(all="ignore"):
            found = np.broadcast_to(self.node(values), p.shape).astype(float)
        if not np.isfinite(found).all():
            raise NoFit(f"'{self.text}' has no value for p = {p[~np.isfinite(found)].flat[0]:g}")
        return found


def parse(text: str) -> Expression:
    reader = _Reader(text, _tokens_of(text))
    node = reader.sum()
    if reader.next is not None:
        raise NoFit(f"'{text}': not understood from '{reader.next}' on")
    letters = [token for token in reader.tokens if len(token) == 1 and token.isalpha() and token != RANKS]
    return Expression(text, tuple(dict.fromkeys(letters)), node)


def _tokens_of(text: str) -> list[str]:
    tokens, place = [], 0
    while place < len(text.rstrip()):
        found = TOKEN.match(text, place)
        if not found:
            raise NoFit(
                f"'{text}': not understood from '{text[place:].strip()}' on; a formula has p, numbers, coefficients of "
                f"one letter, + - * / ^, and {', '.join(FUNCTIONS)}"
            )
        tokens.append(found[1])
        place = found.end()
    return tokens


class _Reader:
    """Descends into sums, products, powers and what stands alone."""

    def __init__(self, text: str, tokens: list[str]):
        self.text, self.tokens, self.place = text, tokens, 0

    @property
    def next(self) -> str | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def take(self) -> str:
        if self.next is None:
            raise NoFit(f"'{self.text}': something is missing at its end")
        self.place += 1
        return self.tokens[self.place - 1]

    def sum(self) -> Node:
        node = self.product()
        while self.next in ("+", "-"):
            node = _added(node, self.product()) if self.take() == "+" else _subtracted(node, self.product())
        return node

    def product(self) -> Node:
        if self.next == "-":
            self.take()
            return _subtracted(_constant(0.0), self.product())
        node = self.power()
        while self.next not in (None, "+", "-", ")"):
            if self.next in ("*", "/"):
                node = _times(node, self.power()) if self.take() == "*" else _by(node, self.power())
            else:
                node = _times(node, self.power())
        return node

    def power(self) -> Node:
        base = self.alone()
        if self.next != "^":
            return base
        self.take()
        exponent = self.power()
        return lambda values: base(values) ** exponent(values)

    def alone(self) -> Node:
        token = self.take()
        if token == "(":
            node = self.sum()
            if self.next != ")":
                raise NoFit(f"'{self.text}': a bracket is not closed")
            self.take()
            return node
        if token in FUNCTIONS:
            function, argument = FUNCTIONS[token], self.power()
            return lambda values: function(argument(values))
        if token[0].isdigit():
            return _constant(float(token))
        if token.isalpha():
            return lambda values: values[token]
        raise NoFit(f"'{self.text}': something is missing before '{token}'")


def _constant(number: float) -> Node:
    return lambda values: np.asarray(number)


def _added(first: Node, second: Node) -> Node:
    return lambda values: first(values) + second(values)


def _subtracted(first: Node, second: Node) -> Node:
    return lambda values: first(values) - second(values)


def _times(first: Node, second: Node) -> Node:
    return lambda values: first(values) * second(values)


def _by(first: Node, second: Node) -> Node:
    return lambda values: first(values) / second(values)
