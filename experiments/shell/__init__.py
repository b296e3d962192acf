"""What a shell gives and takes: standard output, and commands that it can run."""
