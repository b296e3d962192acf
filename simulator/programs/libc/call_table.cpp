// The table that programs' calls of libc go through which have an answer here. The functions are of many types, and
// named here alone: by the assembler.

#define CALL(name) ".quad hindcast_" #name "\n"
#define SAME(name, as)

asm(R"(
        .pushsection .data.rel.ro.hindcast_library_calls, "aw"
        .balign 8
        .globl hindcast_library_calls
        .type hindcast_library_calls, @object
hindcast_library_calls:
)"
#include "simulator/programs/rank_archive/library_calls.h"
    R"(
        .size hindcast_library_calls, .-hindcast_library_calls
        .popsection
)");

#undef CALL
#undef SAME
