"""No two types have one name in one namespace. C++ takes them for the same type, and no compiler refuses that: of a
template's function that is made for both the linker keeps one, for whichever type it finds first."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOPS = ("simulator", "mpi_impl", "traces", "commands")
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
NAMESPACE = re.compile(r"\bnamespace\s*([\w:]*)\s*$")
TYPE = re.compile(
    r"\b(?:struct|class|union|enum(?:\s+class)?)\s+(?:alignas\([^)]*\)\s*|\[\[[^\]]*\]\]\s*)*([\w:]+)\s*(?:final\s*)?(?::[^;]*)?$"
)


def types_defined(text):
    """Names of the types that a source defines in named namespaces and in nothing else, in full."""
    scopes: list[str | None] = []  # a namespace's name; None: a type, a function or an unnamed namespace
    found, since = [], 0
    text = NOT_CODE.sub(" ", text)
    for brace in re.finditer(r"[{};]", text):
        before, since = text[since : brace.start()], brace.end()
        if brace[0] == "}":
            scopes.pop()
        elif brace[0] == "{":
            if namespace := NAMESPACE.search(before):
                scopes.append(namespace[1] or None)
                continue
            if (defined := TYPE.search(before)) and None not in scopes:
                found.append("::".join([*filter(None, scopes), defined[1]]))
            scopes.append(None)
    return found


def test_the_types_of_a_source_are_found():
    text = """
    namespace hindcast { namespace { struct Hidden { int a; }; }
    namespace mpi::body {
    struct alignas(16) Packet : Base<int> { struct Inner { }; enum class Kind : char { one } kind; };  // class A {
    template <typename T> class Of final { };
    enum class Choice : std::uint8_t { a, b };
    struct Declared;
    inline void function() { struct Local { }; }
    } }
    struct Outside { };
    """
    assert types_defined(text) == [
        "hindcast::mpi::body::Packet",
        "hindcast::mpi::body::Of",
        "hindcast::mpi::body::Choice",
        "Outside",
    ]


def test_no_name_has_two_types():
    files = [file for top in TOPS for file in (ROOT / top).rglob("*.[ch]pp") if "tests" not in file.parts]
    assert len(files) > 500
    defined_in = defaultdict(list)
    for file in files:
        for name in types_defined(file.read_text()):
            defined_in[name].append(str(file.relative_to(ROOT)))
    assert len(defined_in) > 500
    twice = {name: files for name, files in defined_in.items() if len(files) > 1}
    assert not twice
