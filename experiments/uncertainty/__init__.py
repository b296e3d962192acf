"""How sure a machine's results are: its uncertain parameters are drawn at once, and what follows is counted."""
