"""mpi.h and the table of functions."""

import importlib.util
import re

import pytest


@pytest.fixture(scope="module")
def document(root):
    spec = importlib.util.spec_from_file_location("document", root / "mpi_impl" / "api" / "document.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_table_in_the_documentation_is_up_to_date(document):
    page = document.PAGE.read_text()
    assert document.page_with_table(page) == page, "run mpi_impl/api/document.py"


def test_every_function_is_declared_and_exported_in_both_names(document, build, run_command):
    names = {f.name for f in document.read_functions()}
    symbols = run_command(["nm", "-D", "--defined-only", build / "lib" / "libhindcast.so"]).stdout
    kinds = {name: kind for kind, name in re.findall(r" ([TWVt]) (P?MPI_\w+)", symbols)}
    header = (build / "include" / "mpi.h").read_text()
    for name in names:
        assert kinds.get("PMPI_" + name) == "T"
        assert kinds.get("MPI_" + name) == "W"
        assert re.search(rf"\bMPI_{name}\(", header)
        assert re.search(rf"\bPMPI_{name}\(", header)
    assert {name.removeprefix("P").removeprefix("MPI_") for name in kinds} == names


@pytest.mark.parametrize("language", ["c89", "c99", "c11", "c++98", "c++11", "c++20"])
def test_header_is_plain(language, build, run_command, tmp_path):
    source = tmp_path / "uses_mpi"
    source.write_text(
        "#include <mpi.h>\n"
        "MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE_INT};\n"
        "static MPI_Comm comm = MPI_COMM_WORLD;\n"
        "int rank(int* out, MPI_Status* status) {\n"
        "  return MPI_Recv(out, 1, types[0], MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status)\n"
        "    + MPI_Waitall(0, (MPI_Request*)0, MPI_STATUSES_IGNORE) + PMPI_Barrier(MPI_COMM_SELF);\n"
        "}\n"
    )
    compiler = ["g++", "-xc++"] if "++" in language else ["gcc", "-xc"]
    flags = [f"-std={language}", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Wconversion"]
    done = run_command([*compiler, *flags, "-I", build / "include", "-c", source, "-o", tmp_path / "object"])
    assert done.returncode == 0, done.stderr


# Annex A.1.1 and A.1.2 of MPI-3.1, for the chapters whose functions are there; those of C only.
CONSTANTS = """
MPI_SUCCESS MPI_ERR_BUFFER MPI_ERR_COUNT MPI_ERR_TYPE MPI_ERR_TAG MPI_ERR_COMM MPI_ERR_RANK MPI_ERR_REQUEST
MPI_ERR_ROOT MPI_ERR_GROUP MPI_ERR_OP MPI_ERR_TOPOLOGY MPI_ERR_DIMS MPI_ERR_ARG MPI_ERR_UNKNOWN MPI_ERR_TRUNCATE
MPI_ERR_OTHER MPI_ERR_INTERN MPI_ERR_PENDING MPI_ERR_IN_STATUS MPI_ERR_ACCESS MPI_ERR_AMODE MPI_ERR_ASSERT
MPI_ERR_BAD_FILE MPI_ERR_BASE MPI_ERR_CONVERSION MPI_ERR_DISP MPI_ERR_DUP_DATAREP MPI_ERR_FILE_EXISTS
MPI_ERR_FILE_IN_USE MPI_ERR_FILE MPI_ERR_INFO_KEY MPI_ERR_INFO_NOKEY MPI_ERR_INFO_VALUE MPI_ERR_INFO MPI_ERR_IO
MPI_ERR_KEYVAL MPI_ERR_LOCKTYPE MPI_ERR_NAME MPI_ERR_NO_MEM MPI_ERR_NOT_SAME MPI_ERR_NO_SPACE MPI_ERR_NO_SUCH_FILE
MPI_ERR_PORT MPI_ERR_QUOTA MPI_ERR_READ_ONLY MPI_ERR_RMA_ATTACH MPI_ERR_RMA_CONFLICT MPI_ERR_RMA_RANGE
MPI_ERR_RMA_SHARED MPI_ERR_RMA_SYNC MPI_ERR_RMA_FLAVOR MPI_ERR_SERVICE MPI_ERR_SIZE MPI_ERR_SPAWN
MPI_ERR_UNSUPPORTED_DATAREP MPI_ERR_UNSUPPORTED_OPERATION MPI_ERR_WIN MPI_ERR_LASTCODE
MPI_BOTTOM MPI_IN_PLACE MPI_STATUS_IGNORE MPI_STATUSES_IGNORE MPI_UNWEIGHTED MPI_WEIGHTS_EMPTY MPI_F_STATUS_IGNORE
MPI_F_STATUSES_IGNORE MPI_F08_STATUS_IGNORE MPI_F08_STATUSES_IGNORE
MPI_PROC_NULL MPI_ANY_SOURCE MPI_ANY_TAG MPI_UNDEFINED MPI_BSEND_OVERHEAD MPI_KEYVAL_INVALID MPI_ROOT
MPI_ERRORS_ARE_FATAL MPI_ERRORS_RETURN MPI_ERRHANDLER_NULL
MPI_MAX_PROCESSOR_NAME MPI_MAX_LIBRARY_VERSION_STRING MPI_MAX_ERROR_STRING MPI_MAX_INFO_KEY MPI_MAX_INFO_VAL
MPI_MAX_OBJECT_NAME
MPI_CHAR MPI_SHORT MPI_INT MPI_LONG MPI_LONG_LONG_INT MPI_LONG_LONG MPI_SIGNED_CHAR MPI_UNSIGNED_CHAR
MPI_UNSIGNED_SHORT MPI_UNSIGNED MPI_UNSIGNED_LONG MPI_UNSIGNED_LONG_LONG MPI_FLOAT MPI_DOUBLE MPI_LONG_DOUBLE MPI_WCHAR
MPI_C_BOOL MPI_INT8_T MPI_INT16_T MPI_INT32_T MPI_INT64_T MPI_UINT8_T MPI_UINT16_T MPI_UINT32_T MPI_UINT64_T MPI_AINT
MPI_COUNT MPI_OFFSET MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX MPI_C_DOUBLE_COMPLEX MPI_C_LONG_DOUBLE_COMPLEX MPI_BYTE
MPI_PACKED MPI_CXX_BOOL MPI_CXX_FLOAT_COMPLEX MPI_CXX_DOUBLE_COMPLEX MPI_CXX_LONG_DOUBLE_COMPLEX
MPI_INTEGER MPI_REAL MPI_DOUBLE_PRECISION MPI_COMPLEX MPI_LOGICAL MPI_CHARACTER MPI_DOUBLE_COMPLEX MPI_INTEGER1
MPI_INTEGER2 MPI_INTEGER4 MPI_INTEGER8 MPI_INTEGER16 MPI_REAL2 MPI_REAL4 MPI_REAL8 MPI_REAL16 MPI_COMPLEX4 MPI_COMPLEX8
MPI_COMPLEX16 MPI_COMPLEX32
MPI_FLOAT_INT MPI_DOUBLE_INT MPI_LONG_INT MPI_2INT MPI_SHORT_INT MPI_LONG_DOUBLE_INT MPI_2REAL MPI_2DOUBLE_PRECISION
MPI_2INTEGER MPI_LB MPI_UB
MPI_COMM_WORLD MPI_COMM_SELF MPI_COMM_TYPE_SHARED MPI_IDENT MPI_CONGRUENT MPI_SIMILAR MPI_UNEQUAL
MPI_TAG_UB MPI_IO MPI_HOST MPI_WTIME_IS_GLOBAL MPI_APPNUM MPI_LASTUSEDCODE MPI_UNIVERSE_SIZE
MPI_MAX MPI_MIN MPI_SUM MPI_PROD MPI_MAXLOC MPI_MINLOC MPI_BAND MPI_BOR MPI_BXOR MPI_LAND MPI_LOR MPI_LXOR
MPI_GROUP_NULL MPI_COMM_NULL MPI_DATATYPE_NULL MPI_REQUEST_NULL MPI_OP_NULL MPI_FILE_NULL MPI_INFO_NULL MPI_WIN_NULL
MPI_MESSAGE_NULL MPI_GROUP_EMPTY MPI_MESSAGE_NO_PROC MPI_INFO_ENV
MPI_GRAPH MPI_CART MPI_DIST_GRAPH
MPI_COMM_NULL_COPY_FN MPI_COMM_DUP_FN MPI_COMM_NULL_DELETE_FN MPI_WIN_NULL_COPY_FN MPI_WIN_DUP_FN
MPI_WIN_NULL_DELETE_FN MPI_TYPE_NULL_COPY_FN MPI_TYPE_DUP_FN MPI_TYPE_NULL_DELETE_FN MPI_NULL_COPY_FN
MPI_NULL_DELETE_FN MPI_DUP_FN
MPI_COMBINER_CONTIGUOUS MPI_COMBINER_DARRAY MPI_COMBINER_DUP MPI_COMBINER_F90_COMPLEX MPI_COMBINER_F90_INTEGER
MPI_COMBINER_F90_REAL MPI_COMBINER_HINDEXED MPI_COMBINER_HVECTOR MPI_COMBINER_INDEXED_BLOCK
MPI_COMBINER_HINDEXED_BLOCK MPI_COMBINER_INDEXED MPI_COMBINER_NAMED MPI_COMBINER_RESIZED MPI_COMBINER_STRUCT
MPI_COMBINER_SUBARRAY MPI_COMBINER_VECTOR MPI_COMBINER_HVECTOR_INTEGER MPI_COMBINER_HINDEXED_INTEGER
MPI_COMBINER_STRUCT_INTEGER MPI_TYPECLASS_COMPLEX MPI_TYPECLASS_INTEGER MPI_TYPECLASS_REAL
MPI_THREAD_FUNNELED MPI_THREAD_MULTIPLE MPI_THREAD_SERIALIZED MPI_THREAD_SINGLE
MPI_DISTRIBUTE_BLOCK MPI_DISTRIBUTE_CYCLIC MPI_DISTRIBUTE_DFLT_DARG MPI_DISTRIBUTE_NONE MPI_ORDER_C MPI_ORDER_FORTRAN
MPI_VERSION MPI_SUBVERSION
""".split()
TYPES = """
MPI_Aint MPI_Count MPI_Fint MPI_Offset MPI_Status MPI_F08_status MPI_Comm MPI_Datatype MPI_Errhandler MPI_File MPI_Group
MPI_Info MPI_Message MPI_Op MPI_Request MPI_Win MPI_Copy_function MPI_Delete_function MPI_Handler_function
MPI_Comm_copy_attr_function MPI_Comm_delete_attr_function MPI_Type_copy_attr_function MPI_Type_delete_attr_function
MPI_Win_copy_attr_function MPI_Win_delete_attr_function MPI_Comm_errhandler_function MPI_Win_errhandler_function
MPI_File_errhandler_function MPI_Comm_errhandler_fn MPI_Win_errhandler_fn MPI_File_errhandler_fn MPI_User_function
MPI_Grequest_query_function MPI_Grequest_free_function MPI_Grequest_cancel_function
""".split()
# Those with which programs size arrays, label cases and start static variables.
COMPILE_TIME = re.compile(r"MPI_(MAX_\w+|BSEND_OVERHEAD|ERR_\w+|THREAD_\w+|COMBINER_\w+|VERSION|SUBVERSION|IDENT)$")


@pytest.mark.parametrize("compiler", [["gcc", "-xc", "-std=c99"], ["g++", "-xc++", "-std=c++11"]])
def test_every_constant_and_type_is_there(compiler, build, run_command, tmp_path):
    numbers = [name for name in CONSTANTS if COMPILE_TIME.match(name)]
    lines = ["#include <mpi.h>"]
    lines += [f"typedef {name}* pointer_{number};" for number, name in enumerate(TYPES)]
    lines += [f"int use_{name}(void);\nint use_{name}(void) {{ return {name} != 0; }}" for name in CONSTANTS]
    lines += [f"enum {{ copy_of_{name} = {name} }};" for name in numbers]
    source = tmp_path / "constants"
    source.write_text("\n".join(lines) + "\n")
    flags = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-Wno-address", "-I", build / "include"]
    done = run_command([*compiler, *flags, "-c", source, "-o", tmp_path / "object"])
    assert done.returncode == 0, done.stderr
    assert len(numbers) > 80
