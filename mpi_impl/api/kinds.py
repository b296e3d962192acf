"""The kinds of parameters that functions.toml uses: their C type, what a function's body receives, and their checks."""

from kind import (
    Kind,
    array,
    callback,
    comm,
    errhandler,
    foreign_status,
    freeable_keyval,
    handle,
    handle_inout,
    keyval,
    null_check,
    out,
    plain_value,
)

NULL_BUFFER = ("is_missing({n}, {a}, {b_object})", "buffer", "{n} != nullptr")
NULL_BUFFERS = ("are_missing({n}, {a}, {owner}, {b_object})", "buffer", "{n} != nullptr")
NULL_VECTOR = ("are_missing({n}, {a}, ({owner}).size, {b_object})", "buffer", "{n} != nullptr")
NULL_OWN_BUFFER = ("is_missing({n}, {a}[({owner}).rank], {b_object})", "buffer", "{n} != nullptr")
OF_BLOCKS = "{a}, {b_object}, {c}"
IN_PLACE_BUFFER = ("{n} == MPI_IN_PLACE", "buffer", "1")  # what its elements are, the function's body finds out

STATUS_TYPES = {"c": "MPI_Status", "f": "MPI_Fint", "f08": "MPI_F08_status"}


def neighbours(side: str, degree: str, const: str) -> dict[str, Kind]:
    """What there is a block, a count, ... of for every neighbour on one side."""
    degree = degree + "({owner})"
    buffer = const + "void*"
    there_are_some = null_check(f" && {degree} > 0")

    def block(missing: str) -> Kind:
        checks = (("{n} == MPI_IN_PLACE || " + missing, "buffer", "{n} != nullptr"),)
        return Kind(buffer + " {n}", buffer, checks=checks, stage=2)

    def displacements(c_type: str) -> Kind:
        return Kind(f"const {c_type} {{n}}[]", f"const {c_type}*", checks=there_are_some)

    return {
        f"block_{side}": block(f"({degree} > 0 && is_missing({{n}}, {{a}}, {{b_object}}))"),
        f"blocks_{side}": block(f"are_missing({{n}}, {{a}}, {degree}, {{b_object}})"),
        f"blocks_of_types_{side}": Kind(buffer + " {n}", buffer, checks=(IN_PLACE_BUFFER,), stage=2),
        f"counts_{side}": Kind(
            "const int {n}[]",
            "const int*",
            checks=there_are_some + ((f"has_negative({{n}}, {degree})", "counts", "0"),),
        ),
        f"displacements_{side}": displacements("int"),
        f"addresses_{side}": displacements("MPI_Aint"),
        f"datatypes_{side}": Kind(
            "const MPI_Datatype {n}[]",
            "const MPI_Datatype*",
            checks=there_are_some + ((f"!are_datatypes_of_blocks(process, {{n}}, {{a}}, {degree})", "datatypes", "0"),),
        ),
    }


KINDS = {
    # buffers, how much of them, and with whom
    "send_buffer": Kind("const void* {n}", "const void*", checks=(NULL_BUFFER,), stage=2),
    "receive_buffer": Kind("void* {n}", "void*", checks=(NULL_BUFFER,), stage=2),
    "send_buffers": Kind("const void* {n}", "const void*", checks=(NULL_BUFFERS,), stage=2, data=OF_BLOCKS),
    "receive_buffers": Kind("void* {n}", "void*", checks=(NULL_BUFFERS,), stage=2, data=OF_BLOCKS),
    # a vector that is cut into a block for every rank of the group, and the rank's own one of these
    "send_vector": Kind(
        "const void* {n}",
        "const void*",
        checks=(NULL_VECTOR,),
        stage=2,
        data="sum_of({a}, ({owner}).size), {b_object}",
    ),
    "receive_own_buffer": Kind(
        "void* {n}", "void*", checks=(NULL_OWN_BUFFER,), stage=2, data="{a}[({owner}).rank], {b_object}"
    ),
    "receive_buffer_but_first": Kind("void* {n}", "void*", checks=(NULL_BUFFER,), stage=2, where="({owner}).rank > 0"),
    "send_buffers_of_types": Kind("const void* {n}", "const void*", checks=(IN_PLACE_BUFFER,), stage=2, data=OF_BLOCKS),
    "receive_buffers_of_types": Kind("void* {n}", "void*", checks=(IN_PLACE_BUFFER,), stage=2, data=OF_BLOCKS),
    "count": plain_value("int", ("{n} < 0", "count", "{n}")),
    "large_count": plain_value("MPI_Count", ("{n} < 0", "count", "{n}")),
    "counts": Kind(
        "const int {n}[]", "const int*", checks=null_check() + (("has_negative({n}, {owner})", "counts", "0"),)
    ),
    "counts_of_group": Kind(
        "const int {n}[]", "const int*", checks=null_check() + (("has_negative({n}, ({owner}).size)", "counts", "0"),)
    ),
    "displacements": Kind("const int {n}[]", "const int*", checks=null_check()),
    "datatype": handle("MPI_Datatype", "const Datatype", "find_datatype", "datatype"),
    # as many as there are ranks, each of so many elements
    "datatypes_of_ranks": Kind(
        "const MPI_Datatype {n}[]",
        "const MPI_Datatype*",
        checks=null_check() + (("!are_datatypes_of_ranks(process, {n}, {a}, {owner})", "datatypes", "0"),),
    ),
    "destination": plain_value("int", ("!is_destination({n}, {owner})", "destination", "{n}")),
    "source": plain_value("int", ("!is_source({n}, {owner})", "source", "{n}")),
    "root": plain_value("int", ("!is_root({n}, {owner})", "root", "{n}")),
    "tag": plain_value("int", ("!is_tag(process, {n})", "tag", "{n}")),
    "any_tag": plain_value("int", ("!is_any_tag(process, {n})", "any_tag", "{n}")),
    # datatypes in the making, or asked about: those that have not been committed are good too
    "any_datatype": handle("MPI_Datatype", "const Datatype", "find_any_datatype", "any_datatype"),
    "committed_datatype": Kind(
        "MPI_Datatype* {n}",
        "const Datatype&",
        "*{n}_object",
        null_check(),
        object="find_any_datatype(process, *{n})",
        object_type="const Datatype",
        problem="any_datatype",
    ),
    "freeable_datatype": handle_inout("MPI_Datatype", "DerivedType", "find_freeable_datatype", "freeable_datatype"),
    "new_datatype": out("MPI_Datatype"),
    "datatypes": Kind(
        "const MPI_Datatype {n}[]",
        "const MPI_Datatype*",
        checks=null_check(" && {a} > 0") + (("!are_datatypes(process, {n}, {a})", "datatypes", "0"),),
    ),
    "length": plain_value("int", ("{n} < 0", "size", "{n}")),
    "lengths": Kind(
        "const int {n}[]",
        "const int*",
        checks=null_check(" && {a} > 0") + (("has_negative({n}, {a})", "lengths", "0"),),
    ),
    "order": plain_value("int", ("{n} != MPI_ORDER_C && {n} != MPI_ORDER_FORTRAN", "order", "{n}")),
    "datarep": Kind("const char* {n}", "", checks=null_check() + (("!is_external32({n})", "datarep", "0"),)),
    # communicators and groups
    "comm": handle("MPI_Comm", "Comm", "find_comm", "communicator", stage=0),
    "intracomm": comm("{n}_object->is_inter()", "intracommunicator"),
    "intercomm": comm("!{n}_object->is_inter()", "intercommunicator"),
    "grid_comm": comm("!has_topology<Grid>(*{n}_object)", "grid"),
    "graph_comm": comm("!has_topology<GraphPointer>(*{n}_object)", "graph"),
    "neighbourhood_comm": comm("!has_topology<Neighbourhood>(*{n}_object)", "distributed_graph"),
    "neighbours_comm": Kind(
        "MPI_Comm {n}",
        "Comm&",
        "*{n}_object",
        (
            ("{n}_object->is_inter()", "intracommunicator", "{n}"),
            ("{n}_object->topology == nullptr", "topology", "{n}"),
        ),
        object="find_comm(process, {n})",
        object_type="Comm",
        problem="communicator",
        stage=0,
    ),
    **neighbours("to_neighbours", "out_degree_of", "const "),
    **neighbours("from_neighbours", "in_degree_of", ""),
    "new_comm": out("MPI_Comm"),
    "member": plain_value("int", ("!is_member({n}, {a_object})", "member", "{n}")),
    "ndims": plain_value("int", ("{n} < 0", "ndims", "{n}")),
    # not declared as arrays: compilers would warn of MPI_UNWEIGHTED, which is none
    "any_ints": Kind("const int* {n}", "const int*"),
    "weights_out": Kind("int* {n}", "int*"),
    "freeable_comm": handle_inout("MPI_Comm", "Comm", "find_freeable_comm", "freeable_communicator"),
    "group": handle("MPI_Group", "GroupObject", "find_group", "group"),
    "new_group": out("MPI_Group"),
    "freeable_group": handle_inout("MPI_Group", "GroupObject", "find_group", "group"),
    "ranges": Kind("int {n}[][3]", "int (*)[3]", checks=null_check(" && {a} > 0")),
    "color": plain_value("int", ("{n} < 0 && {n} != MPI_UNDEFINED", "color", "{n}")),
    # attributes: keys that may be predefined, and those that the program has made
    "comm_keyval": plain_value("int", ("!is_comm_keyval(process, {n})", "keyval", "{n}")),
    **{f"own_{of}_keyval": keyval(of) for of in ("comm", "type", "win")},
    **{f"settable_{of}_keyval": keyval(of, "settable_") for of in ("comm", "type", "win")},
    **{f"freeable_{of}_keyval": freeable_keyval(of) for of in ("comm", "type", "win")},
    **{f"{of}_copy_function": callback(f"MPI_{of.title()}_copy_attr_function") for of in ("comm", "type", "win")},
    **{f"{of}_delete_function": callback(f"MPI_{of.title()}_delete_attr_function") for of in ("comm", "type", "win")},
    "attribute": plain_value("void*"),
    "extra_state": plain_value("void*"),
    # windows, their memory, and places in it
    "win": handle("MPI_Win", "Window", "find_window", "window", stage=0),
    "freeable_win": handle_inout("MPI_Win", "Window", "find_window", "window", stage=0),
    "new_win": out("MPI_Win"),
    "win_keyval": plain_value("int", ("!is_win_keyval(process, {n})", "keyval", "{n}")),
    "window_memory": Kind("void* {n}", "void*", checks=(("{n} == nullptr && {a} > 0", "window_memory", "0"),), stage=2),
    "window_size": plain_value("MPI_Aint", ("{n} < 0", "window_size", "{n}")),
    "displacement_unit": plain_value("int", ("{n} <= 0", "displacement_unit", "{n}")),
    "target": plain_value("int", ("!is_destination({n}, {owner})", "destination", "{n}")),
    "target_displacement": plain_value("MPI_Aint", ("is_displacement_wrong({n}, {owner})", "displacement", "{n}")),
    "assertion": plain_value("int", ("!is_assertion({n})", "assertion", "{n}")),
    "lock_type": plain_value("int", ("{n} != MPI_LOCK_EXCLUSIVE && {n} != MPI_LOCK_SHARED", "lock_type", "{n}")),
    # what an operation may ignore
    "operand": Kind("const void* {n}", "const void*", stage=2),
    "optional_datatype": Kind("MPI_Datatype {n}", "const Datatype*", "find_datatype(process, {n})"),
    # one of them
    "element": Kind("const void* {n}", "const void*", checks=null_check()),
    "result_element": Kind("void* {n}", "void*", checks=null_check()),
    # requests, messages, statuses
    "new_request": out("MPI_Request"),
    "request": Kind(
        "MPI_Request* {n}", "MPI_Request&", "*{n}", null_check() + (("!is_request(process, *{n})", "request", "*{n}"),)
    ),
    "request_value": plain_value("MPI_Request", ("!is_request(process, {n})", "request", "{n}")),
    "requests": Kind(
        "MPI_Request {n}[]",
        "MPI_Request*",
        checks=null_check(" && {a} > 0") + (("!are_requests(process, {n}, {a})", "requests", "{a}"),),
    ),
    "live_request": handle_inout("MPI_Request", "Request", "find_request", "live_request"),
    "startable_request": Kind(
        "MPI_Request* {n}",
        "MPI_Request&",
        "*{n}",
        null_check() + (("!is_startable(process, *{n})", "startable", "*{n}"),),
    ),
    "startable_requests": Kind(
        "MPI_Request {n}[]",
        "MPI_Request*",
        checks=null_check(" && {a} > 0") + (("!are_startable(process, {n}, {a})", "startable", "0"),),
    ),
    "generalized_request": Kind(
        "MPI_Request {n}",
        "Request&",
        "*{n}_object",
        object="find_generalized_request(process, {n})",
        object_type="Request",
        problem="generalized_request",
    ),
    **{f"grequest_{what}_function": callback(f"MPI_Grequest_{what}_function") for what in ("query", "free", "cancel")},
    "new_message": out("MPI_Message"),
    "message": Kind(
        "MPI_Message* {n}", "MPI_Message&", "*{n}", null_check() + (("!is_message(process, *{n})", "message", "*{n}"),)
    ),
    "status": Kind("MPI_Status* {n}", "MPI_Status*", checks=null_check()),
    "statuses": Kind("MPI_Status* {n}", "MPI_Status*", checks=null_check(" && {a} > 0")),
    "status_in": Kind("const MPI_Status* {n}", "const MPI_Status&", "*{n}", (("is_no_status({n})", "status", "0"),)),
    "status_inout": Kind("MPI_Status* {n}", "MPI_Status&", "*{n}", (("is_no_status({n})", "status", "0"),)),
    # of a language, to be made into another's
    **{f"{language}_status": foreign_status(f"const {c}*", "const void*") for language, c in STATUS_TYPES.items()},
    **{f"{language}_status_out": foreign_status(f"{c}*", "void*") for language, c in STATUS_TYPES.items()},
    # operations
    "op": Kind(
        "MPI_Op {n}",
        "const Op&",
        "*{n}_object",
        (("!takes(process, call, *{n}_object, {a_object})", "op_for_type", "{n}"),),
        object="find_op(process, {n})",
        object_type="const Op",
        problem="op",
    ),
    "any_op": handle("MPI_Op", "const Op", "find_op", "op"),
    "new_op": out("MPI_Op"),
    "freeable_op": handle_inout("MPI_Op", "Op", "find_freeable_op", "freeable_op"),
    "user_function": callback("MPI_User_function"),
    # error handlers and codes
    "comm_errhandler": errhandler("comm"),
    "win_errhandler": errhandler("win"),
    "file_errhandler": errhandler("file"),
    "new_errhandler": out("MPI_Errhandler"),
    "freeable_errhandler": handle_inout("MPI_Errhandler", "Errhandler", "find_errhandler", "errhandler"),
    **{
        f"{of}_errhandler_function": callback(f"MPI_{of.title()}_errhandler_function") for of in ("comm", "win", "file")
    },
    # files, and places in them
    "file": handle("MPI_File", "File", "find_file", "file", stage=0),
    "freeable_file": handle_inout("MPI_File", "File", "find_file", "file", stage=0),
    "new_file": out("MPI_File"),
    # MPI_FILE_NULL stands for all the files that will be opened
    "file_or_null": Kind(
        "MPI_File {n}",
        "File*",
        "find_file(process, {n})",
        (("{n} != MPI_FILE_NULL && find_file(process, {n}) == nullptr", "file", "{n}"),),
    ),
    "offset": plain_value("MPI_Offset", ("{n} < 0", "offset", "{n}")),
    "any_offset": plain_value("MPI_Offset"),
    "offset_out": out("MPI_Offset"),
    "file_size": plain_value("MPI_Offset", ("{n} < 0", "size", "{n}")),
    "view_displacement": plain_value(
        "MPI_Offset", ("{n} < 0 && {n} != MPI_DISPLACEMENT_CURRENT", "view_displacement", "{n}")
    ),
    "whence": plain_value(
        "int", ("{n} != MPI_SEEK_SET && {n} != MPI_SEEK_CUR && {n} != MPI_SEEK_END", "whence", "{n}")
    ),
    # where a read that has begun puts what it reads; of a write, `any_address`
    "read_memory": Kind("void* {n}", "const void*"),
    "conversion_function": Kind("MPI_Datarep_conversion_function* {n}", "MPI_Datarep_conversion_function*"),
    "extent_function": callback("MPI_Datarep_extent_function"),
    "error_code": plain_value("int", ("!is_error_code(process, {n})", "error_code", "{n}")),
    # info objects
    "info": handle("MPI_Info", "Info", "find_info", "info"),
    "info_or_null": Kind(
        "MPI_Info {n}",
        "const Info*",
        "find_info(process, {n})",
        (("!is_info_or_null(process, {n})", "info_or_null", "{n}"),),
    ),
    "new_info": out("MPI_Info"),
    "freeable_info": handle_inout("MPI_Info", "Info", "find_info", "info"),
    "info_key": plain_value("const char*", *null_check(), ("!is_info_key({n})", "info_key", "0")),
    "info_value": plain_value("const char*", *null_check(), ("!is_info_value({n})", "info_value", "0")),
    "info_length": plain_value("int", ("{n} < 0", "size", "{n}")),
    "info_space": Kind("int* {n}", "int&", "*{n}", null_check() + (("*{n} < 0", "size", "*{n}"),)),
    # plain values and places for results
    "int": plain_value("int"),
    "aint": plain_value("MPI_Aint"),
    "size": plain_value("MPI_Aint", ("{n} < 0", "size", "{n}")),
    "ints": Kind("const int {n}[]", "const int*", checks=null_check(" && {a} > 0")),
    "aints": Kind("const MPI_Aint {n}[]", "const MPI_Aint*", checks=null_check(" && {a} > 0")),
    "int_out": out("int"),
    "int_inout": out("int"),
    "aint_out": out("MPI_Aint"),
    "aint_inout": out("MPI_Aint"),
    "count_out": out("MPI_Count"),
    "ints_out": array("int"),
    "ints_inout": array("int"),
    "aints_out": array("MPI_Aint"),
    "datatypes_out": array("MPI_Datatype"),
    "text": Kind("const char* {n}", "const char*", checks=null_check()),
    "text_out": Kind("char* {n}", "char*", checks=null_check()),
    "text_place": Kind("char* {n}", "char*", checks=null_check(" && *{a} > 0"), stage=2),
    "address": Kind("void* {n}", "void*", checks=null_check(" && {a} > 0")),
    "const_address": Kind("const void* {n}", "const void*", checks=null_check(" && {a} > 0")),
    "any_address": Kind("const void* {n}", "const void*"),
    "memory": Kind("void* {n}", "void*"),
    "place_for_pointer": Kind("void* {n}", "void*", checks=null_check()),
    # of programs to be started; a list of arguments ends with a null pointer, and what may be left out is not declared
    # as an array, as above
    "argument_list": Kind("char** {n}", "char**"),
    "argument_lists": Kind("char*** {n}", "char***"),
    "texts": Kind(
        "char* {n}[]",
        "char**",
        checks=null_check(" && {a} > 0") + (("has_null({n}, {a})", "text_missing", "0"),),
    ),
    "process_counts": Kind(
        "const int {n}[]",
        "const int*",
        checks=null_check(" && {a} > 0") + (("has_negative({n}, {a})", "counts", "0"),),
    ),
    "infos": Kind(
        "const MPI_Info {n}[]",
        "const MPI_Info*",
        checks=null_check(" && {a} > 0") + (("!are_infos_or_null(process, {n}, {a})", "infos", "0"),),
    ),
    "error_codes_out": Kind("int* {n}", "int*"),
    # of the interface for tools, whose functions look at all arguments themselves; what a tool does not want is null
    "tool_int_out": Kind("int* {n}", "int*"),
    "tool_ints_out": Kind("int {n}[]", "int*"),
    "tool_text": Kind("const char* {n}", "const char*"),
    "tool_text_out": Kind("char* {n}", "char*"),
    "tool_datatype_out": Kind("MPI_Datatype* {n}", "MPI_Datatype*"),
    "tool_enum": plain_value("MPI_T_enum"),
    "tool_enum_out": Kind("MPI_T_enum* {n}", "MPI_T_enum*"),
    **{kind: plain_value(f"MPI_T_{kind}") for kind in ("cvar_handle", "pvar_handle", "pvar_session")},
    **{
        f"{kind}_place": Kind(f"MPI_T_{kind}* {{n}}", f"MPI_T_{kind}*")
        for kind in ("cvar_handle", "pvar_handle", "pvar_session")
    },
    "argc": Kind("int* {n}", "int*"),
    "argv": Kind("char*** {n}", "char***"),
    "more": Kind("...", "", ""),
}
