"""One program run with every combination of machines, numbers of ranks, maps, parameters and arguments."""
