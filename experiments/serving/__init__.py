"""How runs of the launcher are asked for: by servers, which have its libraries loaded, and from threads."""
