"""Prints what MPI-4.0 requires (shall) and forbids (erroneous), chapter by chapter, each with its test.

rules.py [--untested] [WORD..]     only those without a test; only chapters and sections with one of these words

The files in rules/ are the chapters. In our own words a section's rules say, a row each:

  shall = "..." or erroneous = "..."
  test = "FILE below tests/: function in it"; a rule without one is listed as such, and `because` may say why.

tests/mpi/test_rules.py holds them to the tests.
"""

import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "rules"
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
        raise SystemExit(f"{chapter}, {section}: cannot make sense of {row}")
    return Rule(chapter, section, kinds[0], row[kinds[0]], row.get("test", ""), row.get("because", ""))


def read_rules() -> list[Rule]:
    return [
        as_rule(chapter, section, row)
        for file in sorted(FOLDER.glob("*.toml"))
        for chapter, sections in tomllib.loads(file.read_text()).items()
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
            raise SystemExit(f"hindcast: no chapter or section of the rules has {wanted} in its name")
    if "--untested" in words:
        rules = [rule for rule in rules if not rule.test]
    print("\n".join(lines_of(rules)))
    print(f"\n{len(rules)} rules, {sum(1 for rule in rules if rule.test)} of them with a test")


if __name__ == "__main__":
    main([word.lower() for word in sys.argv[1:]])
