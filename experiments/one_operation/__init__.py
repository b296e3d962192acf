"""hindcast compare: one operation on several machines or in several ways, as a table and a figure."""

# The operations of between_two.c.
BETWEEN_TWO = ("pingpong", "exchange", "stream", "put", "get", "accumulate", "get_accumulate")
