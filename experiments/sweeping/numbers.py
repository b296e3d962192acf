"""What is a number, in words of a command and in cells of a table."""


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
