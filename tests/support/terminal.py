"""What a command writes to a terminal."""

import os


def written_to(terminal):
    """All, until the command has ended and nobody else has the terminal's other end; that is closed then."""
    written = b""
    try:
        while part := os.read(terminal, 65536):
            written += part
    except OSError:  # all has been read
        pass
    os.close(terminal)
    return written.decode().replace("\r\n", "\n")
