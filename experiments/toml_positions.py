"""Where each key of a TOML text stands: a map from its path to line and column, both from 1.

tomllib forgets positions, so the text is parsed a second time, by tree-sitter, which keeps them. A path is a tuple of
keys and, in lists, indexes: ("curve", 0, "program").
"""

from dataclasses import dataclass, field

Path = tuple[str | int, ...]
Position = tuple[int, int]


@dataclass
class Positions:
    of: dict[Path, Position] = field(default_factory=lambda: {(): (1, 1)})

    def nearest(self, path: Path) -> Position:
        """Of the path itself, or of what it would be in if it is not there."""
        while path not in self.of:
            path = path[:-1]
        return self.of[path]


def positions_in(text: str) -> Positions:
    import tree_sitter_toml
    from tree_sitter import Language, Parser

    lines = text.encode().split(b"\n")
    positions = Positions()
    tables: dict[Path, int] = {}  # how many tables an array of tables has so far

    def mark(path: Path, node) -> None:
        row, column = node.start_point
        positions.of.setdefault(path, (row + 1, len(lines[row][:column].decode(errors="replace")) + 1))

    def marked_keys(node, base: Path) -> Path:
        """A key, dotted or not: every table on its way is marked too."""
        parts = list(node.named_children) if node.type == "dotted_key" else [node]
        if parts and parts[0].type == "dotted_key":
            base = marked_keys(parts.pop(0), base)
        for part in parts:
            base = (*base, _plain(part.text.decode()))
            if base in tables:
                base = (*base, tables[base] - 1)
            mark(base, node)
        return base

    def walk_value(node, path: Path) -> None:
        if node.type == "inline_table":
            for pair in (child for child in node.named_children if child.type == "pair"):
                walk_pair(pair, path)
        elif node.type == "array":
            items = [child for child in node.named_children if child.type != "comment"]
            for index, item in enumerate(items):
                mark((*path, index), item)
                walk_value(item, (*path, index))

    def walk_pair(pair, base: Path) -> None:
        key, value = pair.named_children[:2]
        walk_value(value, marked_keys(key, base))

    for node in Parser(Language(tree_sitter_toml.language())).parse(text.encode()).root_node.named_children:
        if node.type == "pair":
            walk_pair(node, ())
        elif node.type in ("table", "table_array_element"):
            key, *rest = node.named_children
            if node.type == "table_array_element":
                base = _array_path(key, tables)
                tables[base] = tables.get(base, 0) + 1
                mark(base, node)
                base = (*base, tables[base] - 1)
                mark(base, node)
            else:
                base = marked_keys(key, ())
            for pair in (child for child in rest if child.type == "pair"):
                walk_pair(pair, base)
    return positions


def _plain(key: str) -> str:
    return key[1:-1] if key[:1] in ("'", '"') else key


def _words(node) -> list[str]:
    if node.type != "dotted_key":
        return [_plain(node.text.decode())]
    return [word for child in node.named_children for word in _words(child)]


def _array_path(node, tables: dict[Path, int]) -> Path:
    """Of an array of tables: a name on the way that is itself one means its last table."""
    path: Path = ()
    *above, last = _words(node)
    for word in above:
        path = (*path, word)
        if path in tables:
            path = (*path, tables[path] - 1)
    return (*path, last)
