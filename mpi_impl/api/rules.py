"""Prints what the standard requires and forbids in the chapters that rules.toml is about, each with its test.

rules.py [--untested] [WORD..]     only those without a test; only chapters and sections with one of these words
"""

import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).parent / "rules.toml"
KINDS = ("shall", "erroneous")


@dataclass(frozen=True)
class Rule:
    chapter: str
    section: str
    kind: str
    text: str
    test: str  # "FILE below tests/: function"; "" if there is none
    because: str  # why there is none


def as_rule(chapter: str, section: str, row: dict[str, str]) -> Rule:
    kinds = [kind for kind in KINDS if kind in row]
    if len(kinds) != 1 or set(row) - {*KINDS, "test", "because"}:
        raise SystemExit(f"rules.toml: {section}: cannot make sense of {row}")
    return Rule(chapter, section, kinds[0], row[kinds[0]], row.get("test", ""), row.get("because", ""))


def read_rules() -> list[Rule]:
    chapters = tomllib.loads(TABLE.read_text())
    return [
        as_rule(chapter, section, row)
        for chapter, sections in chapters.items()
        for section, rows in sections.items()
        for row in rows
    ]


def lines_of(rules: Iterable[Rule]) -> list[str]:
    lines, heading = [], ""
    for rule in rules:
        if heading != (heading := f"{rule.chapter}, {rule.section}"):
            lines += ["", heading]
        lines.append(f"  {rule.kind:<10}{rule.text}")
        lines.append(f"  {'':<10}  {rule.test or 'no test' + (': ' if rule.because else '') + rule.because}")
    return lines[1:]


def main(words: list[str]) -> None:
    rules = read_rules()
    named = [word for word in words if word != "--untested"]
    if named:
        rules = [rule for rule in rules if any(word in f"{rule.chapter} {rule.section}".lower() for word in named)]
        if not rules:
            wanted = " or ".join(f"'{word}'" for word in named)
            raise SystemExit(f"hindcast: no chapter or section of rules.toml has {wanted} in its name")
    if "--untested" in words:
        rules = [rule for rule in rules if not rule.test]
    print("\n".join(lines_of(rules)))
    print(f"\n{len(rules)} rules, {sum(1 for rule in rules if rule.test)} of them with a test")


if __name__ == "__main__":
    main([word.lower() for word in sys.argv[1:]])
