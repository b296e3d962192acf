"""What stands in the text of C programs that test themselves: statements that call a function, and what they check."""

import re


def statements(source):
    """The statements, and definitions of macros, of a program."""
    return re.split(r";\n|[{}]\n", source)


def statements_calling(function, source):
    return [part for part in statements(source) if re.search(rf"\b{function}\(", part)]


def unchecked(functions, programs):
    """Those whose result, or what they have done, no program looks at: neither a statement that names the function nor
    the one after it has a CHECK, or returns a number that fails."""
    looks = re.compile(r"\bCHECK\(|\) return [1-9]")
    texts = {name: [text for program in programs for text in statements_naming(name, program, 1)] for name in functions}
    return [name for name, of_one in texts.items() if not any(looks.search(text) for text in of_one)]


def macros_of(source):
    """Their bodies, by their names."""
    return dict(re.findall(r"^#define (\w+)\([^)]*\)((?:.*\\\n)*.*)$", source, re.M))


def statements_naming(function, source, following=0):
    """The statements in which a function is called or passed on, each with those that follow it, and the bodies of the
    program's macros that they use."""
    macros = macros_of(source)
    parts = statements(source)
    found = []
    for i, part in enumerate(parts):
        if re.search(rf"\b{function}\b", part) and not part.lstrip().startswith("#define"):
            text = "".join(parts[i : i + 1 + following])
            found.append(text + "".join(body for name, body in macros.items() if re.search(rf"\b{name}\(", text)))
    return found
