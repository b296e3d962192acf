"""The functions that Fortran calls: mpi_send_ and pmpi_send_ of mpif.h and both modules, and for mpi_f08 those whose
buffers come with a description of their shape."""

from forms import WITH_POINTERS, Form, FortranFunction

# Written by hand, in special_calls.cpp.
SPECIAL = {
    *("Init", "Init_thread", "Pcontrol", "Buffer_detach", "Grequest_start"),
    *("Comm_spawn", "Comm_spawn_multiple"),
    *("Comm_create_keyval", "Type_create_keyval", "Win_create_keyval", "Keyval_create"),
    *("Comm_set_attr", "Type_set_attr", "Attr_put", "Comm_get_attr", "Type_get_attr", "Attr_get"),
    *("Win_set_attr", "Win_get_attr", "Info_get_string", "Register_datarep"),
}
# What is counted from 1, and how many of them there are.
INDICES = {
    **dict.fromkeys(("Waitany", "Testany"), ("index",)),
    **dict.fromkeys(("Waitsome", "Testsome"), ("outcount", "array_of_indices")),
}
# Blanks before the text that they are given are a part of it.
KEEP_LEADING_BLANKS = {"Comm_set_name", "Type_set_name", "Win_set_name", "Add_error_string"}
HEAD = """#include "mpi_impl/api/fortran/entry.hpp"
#include "mpi_impl/api/fortran/sections.hpp"

using namespace hindcast::mpi::fortran;

"""


def cpp_type(form: Form, function: FortranFunction) -> str:
    if form.of == "choice":
        return "void*"
    if form.of == "text":
        return "char*"
    if form.of == "callback":
        return f"{form.c_base}*"
    if form.of == "pointer":
        return "void*"
    if form.of == "status" and form.c_base != "int":
        return f"{form.c_base}*"
    if form.of == "integer" and function.has_short_addresses:
        return "int*"
    return f"{'int' if form.of in ('triples', 'handle') else form.c_base}*"


def parameters(function: FortranFunction) -> list[tuple[str, str]]:
    """Types and names, with what the compiler adds."""
    result = [(cpp_type(form, function), form.name) for form in function.forms]
    if function.has_error_code:
        result.append(("int*", "ierror"))
    return result + [("std::size_t", f"{form.name}_length") for form in function.forms if form.of == "text"]


def declaration(function: FortranFunction, prefix: str) -> str:
    listed = ", ".join(f"{kind} {name}" for kind, name in parameters(function))
    result = "void" if function.is_subroutine else function.function.result
    return f"{result} {prefix}{function.symbol}({listed})"


class Shim:
    """The lines of a function that calls its counterpart in C."""

    def __init__(self, function: FortranFunction):
        self.function = function
        self.before: list[str] = []
        self.after: list[str] = []  # if the call has succeeded
        arguments = [self.argument(form) for form in function.forms]
        call = f"PMPI_{function.name}({', '.join(arguments)})"
        if not function.is_subroutine:
            self.lines = [*self.before, f"return {call};"]
            return
        conditions = [
            "code == MPI_SUCCESS",
            *(["*flag != 0"] if any(form.name == "flag" for form in function.forms) else []),
        ]
        if self.after and function.name not in INDICES:
            self.after = [f"if ({' && '.join(conditions)}) {{", *("  " + line for line in self.after), "}"]
        if self.after:
            self.lines = [*self.before, f"const int code = {call};", *self.after, "give(ierror, code);"]
        else:
            self.lines = [*self.before, f"give(ierror, {call});"]

    def argument(self, form: Form) -> str:
        name = form.name
        if form.of == "text":
            return self.text(form)
        if form.of == "triples":
            return f"reinterpret_cast<int(*)[3]>({name})"
        if name in INDICES.get(self.function.name, ()):
            return self.indices(form)
        if self.function.has_short_addresses and form.c_base == "MPI_Aint":
            return self.short_address(form)
        return f"*{name}" if form.is_value and form.of != "callback" else name

    def text(self, form: Form) -> str:
        name = form.name
        if form.intent == "in":
            leading = ", LeadingBlanks::kept" if self.function.name in KEEP_LEADING_BLANKS else ""
            self.before.append(f"const Text {name}_text({name}, {name}_length{leading});")
            return f"{name}_text.c_str()"
        self.before.append(f"char {name}_text[longest_text + 1] = {{}};")
        self.after.append(f"give_text({name}, {name}_length, {name}_text);")
        return f"{name}_text"

    def indices(self, form: Form) -> str:
        """An array of them; or the one that there is, or how many: those are set even if the call fails later."""
        name = form.name
        if form.is_array:
            self.after.append(f"count_from_one({name}, outcount_here);")
            return name
        self.before.append(f"int {name}_here = MPI_UNDEFINED;")
        if name == "index":
            self.after.append("count_from_one(&index_here, 1);")
        self.after.append(f"if ({name}_here != MPI_UNDEFINED || code == MPI_SUCCESS) *{name} = {name}_here;")
        return f"&{name}_here"

    def short_address(self, form: Form) -> str:
        name = form.name
        if form.is_value:
            return f"*{name}"
        if form.intent == "in":
            self.before.append(f"const Addresses {name}_long({name}, *{form.parameter.arguments[0]});")
            return f"{name}_long.data()"
        self.before.append(f"MPI_Aint {name}_long = 0;")
        self.after.append(f"*{name} = static_cast<int>({name}_long);")
        return f"&{name}_long"


# What pmpi_send_ does, also within its counterpart for mpi_f08: a jump from one to the other would show in a ping-pong.
WITHIN = "[[gnu::always_inline]] static inline"


def shim(function: FortranFunction) -> str:
    lines = ["  " + line for line in Shim(function).lines]
    if function.has_choice and function.name not in ADDRESSES:
        within = [f"{WITHIN} {declaration(function, 'within_')} {{", *lines, "}"]
        names = ", ".join(name for _, name in parameters(function))
        lines = [
            *within,
            f"MPI_ENTRY {declaration(function, 'pmpi_')} {{",
            f"  within_{function.symbol}({names});",
            "}",
        ]
    else:
        lines = [f"MPI_ENTRY {declaration(function, 'pmpi_')} {{", *lines, "}"]
    lines.append(f'MPI_ALIAS("pmpi_{function.symbol}") {declaration(function, "mpi_")};')
    return "\n".join(lines)


# --- with descriptors ---


def described_name(name: str, prefix: str = "mpi_") -> str:
    """As MPI-3.1, 17.1.5, names what mpi_f08 calls where buffers have descriptors, so that tools find it."""
    return f"{prefix}{name.lower()}_f08ts_"


class Described:
    """A function that calls mpi_send_ or the like with the address of its buffers' contents, because buffers and texts
    come as descriptors. Where the elements of all buffers follow one another, that is all that it does; else there is
    another function, which looks further, and after the sections."""

    def __init__(self, function: FortranFunction):
        self.function = function
        self.is_message = function.goes_on_with_buffers
        self.keeps_copies = function.begins_something and not self.is_message
        self.before = ["LastingCopies copies;", "int code = MPI_SUCCESS;"] if self.keeps_copies else []
        self.replaced = {"ierror": "&code"} if self.keeps_copies else {}
        arguments = [self.argument(form) for form in function.forms] + ["ierror"]
        arguments = [self.replaced.get(argument, argument) for argument in arguments]
        self.with_sections = [*self.before, self.call(arguments)]
        if self.keeps_copies:
            self.with_sections += ["if (code == MPI_SUCCESS) copies.go_with(*request);", "give(ierror, code);"]

    def call(self, arguments: list[str], prefix: str = "pmpi_") -> str:
        lengths = [f"{form.name}->elem_len" for form in self.function.forms if form.of == "text"]
        return f"{prefix}{self.function.symbol}({', '.join(arguments + lengths)});"

    def of_contents(self, prefix: str = "pmpi_") -> str:
        contents = {"choice": "{}->base_addr", "text": "static_cast<char*>({}->base_addr)"}
        return self.call(
            [contents.get(form.of, "{}").format(form.name) for form in self.function.forms] + ["ierror"], prefix
        )

    def functions(self) -> list[str]:
        entry, other = described_name(self.function.name, "pmpi_"), f"sections_{self.function.name.lower()}"
        head = f"MPI_ENTRY void {entry}({self.parameters()}) {{"
        alias = f'MPI_ALIAS("{entry}") void {described_name(self.function.name)}({self.parameters()});'
        if self.function.name in ADDRESSES:
            return [head, f"  {self.of_contents()}", "}", alias]
        buffers = [form.name for form in self.function.forms if form.of == "choice"]
        names = ", ".join([form.name for form in self.function.forms] + ["ierror"])
        return [
            f"[[gnu::noinline]] static void {other}({self.parameters()}) {{",
            f"  if ({' && '.join(f'is_contiguous(*{name})' for name in buffers)}) return {self.of_contents()}",
            *("  " + line for line in self.with_sections),
            "}",
            head,
            f"  if ({' || '.join(f'!is_plain(*{name})' for name in buffers)}) [[unlikely]]",
            f"    return {other}({names});",
            f"  {self.of_contents('within_')}",
            "}",
            alias,
        ]

    def argument(self, form: Form) -> str:
        if form.of == "text":
            return f"static_cast<char*>({form.name}->base_addr)"
        return self.buffer(form) if form.of == "choice" else form.name

    def buffer(self, form: Form) -> str:
        name, way = form.name, "Way::in" if form.is_const else "Way::in_and_out"
        if self.keeps_copies:
            return f"copies.add(*{name}, {way})"
        if not self.is_message:
            self.before.append(f"const ContiguousCopy {name}_copy(*{name}, {way});")
            return f"{name}_copy.data()"
        count, datatype = form.parameter.arguments
        self.before.append(f"const TypedSection {name}_section(*{name}, *{count}, *{datatype});")
        self.replaced |= {count: f"{name}_section.count()", datatype: f"{name}_section.datatype()"}
        return f"{name}_section.data()"

    def parameters(self) -> str:
        listed = [
            f"{'CFI_cdesc_t*' if form.of in ('choice', 'text') else cpp_type(form, self.function)} {form.name}"
            for form in self.function.forms
        ]
        return ", ".join([*listed, "int* ierror"])


def described(function: FortranFunction) -> str:
    return "\n".join(Described(function).functions())


# It is the address of a buffer that counts, not what is in it; or one element there, whose new value may come when the
# call has long returned.
ADDRESSES = {
    *("Get_address", "Free_mem", "Buffer_attach", "Win_create", "Win_attach", "Win_detach"),
    *("Fetch_and_op", "Compare_and_swap"),
}


def comparison(handle: str, name: str, operator: str) -> str:
    """Of handles, for mpi_f08."""
    head = f"MPI_ENTRY int hindcast_{name}_handle_{handle.lower()}_(const int* one, const int* other) {{"
    return "\n".join([head, f"  return *one {operator} *other ? 1 : 0;", "}"])


def kinds_with_sizes() -> dict[str, tuple[str, int]]:
    """By a name of each kind: how Fortran declares it, and how many bytes it has."""
    kinds = {"character": ("character", 1)}
    for kind in (1, 2, 4, 8, 16):
        kinds |= {f"{word}{kind}": (f"{word}({kind})", kind) for word in ("integer", "logical")}
    for kind, size in ((4, 4), (8, 8), (10, 16), (16, 16)):
        kinds |= {f"real{kind}": (f"real({kind})", size), f"complex{kind}": (f"complex({kind})", 2 * size)}
    return kinds


KINDS_WITH_SIZES = kinds_with_sizes()


def sizeof(kind: str, size: int) -> str:
    lines = [f"MPI_ENTRY void hindcast_sizeof_{kind}_(const void*, int* size, int* ierror) {{", f"  *size = {size};"]
    return "\n".join([*lines, "  give(ierror, MPI_SUCCESS);", "}"])


def make_names(functions: list[FortranFunction], in_mpi_f08: list[FortranFunction], callbacks: list[str]) -> str:
    """Of all that a program may call."""
    names = [f"mpi_{f.symbol}" for f in functions] + [described_name(f.name) for f in in_mpi_f08 if f.has_choice]
    names += [f"mpi_{other.lower()}_cptr_" for other in WITH_POINTERS]
    names += [f"{other.lower()}_" for other in (*callbacks, "mpi_f_sync_reg")]
    names += [described_name(other) for other in ("Buffer_detach", "F_sync_reg")]
    return "".join(f'    "{name}",\n' for name in names)


def make_entry_points(functions: list[FortranFunction], in_mpi_f08: list[FortranFunction], handles: list[str]) -> str:
    parts = [shim(f) for f in functions if f.name not in SPECIAL]
    parts += [described(f) for f in in_mpi_f08 if f.has_choice and f.name not in SPECIAL]
    parts += [sizeof(kind, size) for kind, (_, size) in KINDS_WITH_SIZES.items()]
    parts += [comparison(handle, *which) for handle in handles for which in (("same", "=="), ("other", "!="))]
    return HEAD + "\n\n".join(parts) + "\n"
