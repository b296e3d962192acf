"""Every function refuses a handle that is null, has been freed or is one of another kind of object, whichever argument
it is: with the error class of that kind, under a handler that returns. The program that tries it is made from the table
of functions."""

import re
import sys
import tomllib
from pathlib import Path

API = Path(__file__).parents[3] / "mpi_impl" / "api"
sys.path.insert(0, str(API))
from generate import add_forms  # noqa: E402

# What is right for a parameter of a kind, in a call in which another is wrong. All others take "data".
RIGHT = {
    **dict.fromkeys(["datatype", "any_datatype"], "MPI_INT"),
    **dict.fromkeys(["comm", "intracomm"], "comm"),
    **dict.fromkeys(["op", "any_op"], "MPI_SUM"),
    **dict.fromkeys(["info", "info_or_null"], "info"),
    **dict.fromkeys(["count", "large_count", "length", "int", "tag", "any_tag", "info_length", "aint"], "1"),
    **dict.fromkeys(["root", "member", "color", "attribute", "extra_state"], "0"),
    **dict.fromkeys(["destination", "source"], "MPI_PROC_NULL"),
    **dict.fromkeys(["comm_keyval", "own_comm_keyval", "settable_comm_keyval"], "comm_key"),
    **dict.fromkeys(["own_type_keyval", "settable_type_keyval"], "type_key"),
    **dict.fromkeys(["info_key", "info_value", "text"], '"text"'),
    **dict.fromkeys(
        ["datatypes", "datatypes_of_ranks", "datatypes_to_neighbours", "datatypes_from_neighbours"], "types"
    ),
    "requests": "no_requests",
    "counts": "(int*)other",
    "comm_errhandler": "MPI_ERRORS_RETURN",
    "datarep": '"external32"',
    "error_code": "MPI_ERR_ARG",
    "grid_comm": "grid",
    "graph_comm": "graph",
    **dict.fromkeys(["neighbourhood_comm", "neighbours_comm"], "neighbours"),
    "intercomm": "inter",
    "group": "group",
    "message": "no_message",
    "ndims": "1",
    **dict.fromkeys(["file", "file_or_null"], "file"),
    "file_errhandler": "MPI_ERRORS_RETURN",
    **dict.fromkeys(["offset", "any_offset", "view_displacement", "file_size"], "0"),
    "whence": "MPI_SEEK_SET",
    "conversion_function": "MPI_CONVERSION_FN_NULL",
    "extent_function": "(MPI_Datarep_extent_function*)add",
    "order": "MPI_ORDER_C",
    "request_value": "MPI_REQUEST_NULL",
    **dict.fromkeys(["size", "window_size"], "64"),
    "win": "win",
    "win_errhandler": "MPI_ERRORS_RETURN",
    **dict.fromkeys(["win_keyval", "own_win_keyval", "settable_win_keyval"], "win_key"),
    **dict.fromkeys(["target_displacement", "assertion"], "0"),
    "target": "MPI_PROC_NULL",
    "displacement_unit": "1",
    "lock_type": "MPI_LOCK_SHARED",
    "optional_datatype": "MPI_INT",
    "ranges": "range",
    "user_function": "add",
}
CALLBACK = re.compile(r"(comm|type|win)_(copy|delete)_function")
# Of kinds whose argument is a handle, or a pointer to one: the kind of object, and whether null is right too.
HANDLES = {
    **dict.fromkeys(["comm", "intracomm", "intercomm", "grid_comm", "graph_comm"], "comm"),
    **dict.fromkeys(["neighbourhood_comm", "neighbours_comm"], "comm"),
    **dict.fromkeys(["datatype", "any_datatype"], "datatype"),
    **dict.fromkeys(["op", "any_op"], "op"),
    "group": "group",
    "info": "info",
    "info_or_null": "info",
    **dict.fromkeys(["comm_errhandler", "win_errhandler", "file_errhandler"], "errhandler"),
    **dict.fromkeys(["file", "file_or_null"], "file"),
    "win": "win",
    "request_value": "request",
}
POINTED_AT = {
    **dict.fromkeys(["freeable_datatype", "committed_datatype"], "datatype"),
    **dict.fromkeys(["request", "live_request", "startable_request"], "request"),
    "freeable_comm": "comm",
    "freeable_win": "win",
    "freeable_file": "file",
    "freeable_group": "group",
    "freeable_op": "op",
    "freeable_info": "info",
    "freeable_errhandler": "errhandler",
    "message": "message",
}
NULL_IS_RIGHT = {"info_or_null", "file_or_null", "request", "request_value"}
# The null handle, one that has been freed, one of another kind; and the class.
WRONG = {
    "comm": ("MPI_COMM_NULL", "freed_comm", "(MPI_Comm)MPI_INT", "MPI_ERR_COMM"),
    "datatype": ("MPI_DATATYPE_NULL", "freed_type", "(MPI_Datatype)MPI_COMM_WORLD", "MPI_ERR_TYPE"),
    "group": ("MPI_GROUP_NULL", "freed_group", "(MPI_Group)MPI_COMM_WORLD", "MPI_ERR_GROUP"),
    "op": ("MPI_OP_NULL", "freed_op", "(MPI_Op)MPI_INT", "MPI_ERR_OP"),
    "info": ("MPI_INFO_NULL", "freed_info", "(MPI_Info)MPI_INT", "MPI_ERR_INFO"),
    "errhandler": ("MPI_ERRHANDLER_NULL", "freed_errhandler", "(MPI_Errhandler)MPI_INT", "MPI_ERR_ARG"),
    "request": ("MPI_REQUEST_NULL", "freed_request", "(MPI_Request)MPI_INT", "MPI_ERR_REQUEST"),
    "win": ("MPI_WIN_NULL", "freed_win", "(MPI_Win)MPI_INT", "MPI_ERR_WIN"),
    "file": ("MPI_FILE_NULL", "freed_file", "(MPI_File)MPI_INT", "MPI_ERR_FILE"),
    "message": ("MPI_MESSAGE_NULL", "freed_message", "(MPI_Message)MPI_INT", "MPI_ERR_REQUEST"),
}
C_TYPES = {kind: f"MPI_{kind.title()}" for kind in WRONG}

HEAD = """
#include <mpi.h>
#include <stdio.h>
static int tried, bad;
static void expect(const char* call, int code, int wanted) {
  int error_class = -1;
  MPI_Error_class(code, &error_class);
  ++tried;
  if (error_class == wanted) return;
  ++bad;
  printf("%s: class %d, not %d\\n", call, error_class, wanted);
}
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in; (void)inout; (void)count; (void)type;
}
int main(int argc, char** argv) {
  static long data[64], other[64];
  const int one[1] = {1}, zero[1] = {0};
  int range[1][3] = {{0, 0, 1}}, comm_key, type_key, win_key, last;
  MPI_Win win, freed_win;
  MPI_File file, freed_file;
  MPI_Comm comm, grid, graph, neighbours, inter, freed_comm;
  MPI_Group group, freed_group;
  MPI_Datatype freed_type, types[2] = {MPI_INT, MPI_INT};
  MPI_Request no_requests[1] = {MPI_REQUEST_NULL}, freed_request, request;
  MPI_Info info, freed_info;
  MPI_Op freed_op;
  MPI_Errhandler freed_errhandler;
  MPI_Message message, freed_message, no_message[1] = {MPI_MESSAGE_NO_PROC};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &last);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Cart_create(MPI_COMM_SELF, 1, one, zero, 0, &grid);
  MPI_Graph_create(MPI_COMM_SELF, 1, one, zero, 0, &graph);
  MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, zero, MPI_UNWEIGHTED, 1, zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &neighbours);
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - last, 0, &inter);
  MPI_Comm_group(MPI_COMM_SELF, &group);
  MPI_Info_create(&info);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, NULL);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &win_key, NULL);
  MPI_Win_create(data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  {
    MPI_File file_made; MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file_made);
    freed_file = file_made; MPI_File_close(&file_made);
    MPI_Win win_made; MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &win_made); freed_win = win_made;
    MPI_Win_free(&win_made);
    MPI_Comm made; MPI_Comm_dup(MPI_COMM_SELF, &made); freed_comm = made; MPI_Comm_free(&made);
    MPI_Group group_made; int first = 0; MPI_Group_incl(group, 1, &first, &group_made);
    freed_group = group_made; MPI_Group_free(&group_made);
    MPI_Datatype type; MPI_Type_contiguous(2, MPI_INT, &type); MPI_Type_commit(&type); freed_type = type;
    MPI_Type_free(&type);
    MPI_Info info_made; MPI_Info_create(&info_made); freed_info = info_made; MPI_Info_free(&info_made);
    MPI_Op op; MPI_Op_create(add, 1, &op); freed_op = op; MPI_Op_free(&op);
    MPI_Errhandler handler; MPI_Comm_create_errhandler((MPI_Comm_errhandler_function*)add, &handler);
    freed_errhandler = handler; MPI_Errhandler_free(&handler);
    MPI_Isend(data, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request); freed_request = request;
    MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE); freed_message = message;
    MPI_Mrecv(other, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
"""
TAIL = """
  printf("%d tried, %d bad\\n", tried, bad);
  MPI_Finalize();
  return bad != 0;
}
"""


def table():
    tables = tomllib.loads((API / "functions.toml").read_text())
    add_forms(tables, tables.pop("settings")["of_three_forms"])
    return {name: text for rows in tables.values() for name, text in rows.items()}


def parameters(text):
    return [re.match(r"\w*: (\w+)", part.strip())[1] for part in text.split(";") if part.strip()]


def right(kind):
    if CALLBACK.fullmatch(kind):
        parts = kind.upper().split("_")
        return f"MPI_{parts[0]}_NULL_{parts[1]}_FN"
    return RIGHT.get(kind, "(void*)data")


def wrong_handles(kind):
    """C expressions of an argument that is wrong, each with the class of the error."""
    if kind not in HANDLES and kind not in POINTED_AT:
        return []
    of = HANDLES.get(kind) or POINTED_AT[kind]
    *handles, error_class = WRONG[of]
    if kind in NULL_IS_RIGHT:
        del handles[0]
    if kind in POINTED_AT:
        handles = [f"(({C_TYPES[of]}[1]){{{handle}}})" for handle in handles]
    return [(handle, error_class) for handle in handles]


def calls():
    """(call, class) for every wrong handle of every function. Two buffers of a call are not the same one."""
    for name, text in table().items():
        kinds = parameters(text)
        buffers = [i for i, kind in enumerate(kinds) if right(kind) == "(void*)data"]
        arguments = ["(void*)other" if i in buffers[1:] else right(kind) for i, kind in enumerate(kinds)]
        for place, kind in enumerate(kinds):
            for handle, error_class in wrong_handles(kind):
                yield f"MPI_{name}({', '.join([*arguments[:place], handle, *arguments[place + 1 :]])})", error_class


def test_no_function_takes_a_handle_that_is_not_good(run_program):
    made = list(calls())
    lines = [f'  expect("{call.replace(chr(34), "")}", {call}, {error_class});' for call, error_class in made]
    done = run_program(HEAD + "\n".join(lines) + TAIL, 2, flags=["-std=gnu99", "-w"])
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.splitlines() == [f"{len(made)} tried, 0 bad"] * 2
    assert len(made) > 3 * 150
