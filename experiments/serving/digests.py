"""Digests of files, computed once for as long as a file stays as it is."""

import hashlib
from functools import lru_cache
from pathlib import Path


def sha256_of(file: Path) -> str:
    is_now = file.stat()
    return _sha256_as_of(file, is_now.st_mtime_ns, is_now.st_size)


@lru_cache(maxsize=16)
def _sha256_as_of(file: Path, _mtime_ns: int, _size: int) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
