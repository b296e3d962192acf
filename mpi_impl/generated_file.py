"""Files that the build makes from tables."""

from pathlib import Path


def write_if_changed(path: Path, text: str) -> None:
    """So that what includes a file is compiled again only if that has changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
