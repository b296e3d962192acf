// The table that a program's calls of OpenMP go through, as those about threads do.

#define CALL(name) ".quad hindcast_" #name "\n"
#define CALL_AS(name, other) ".quad hindcast_" #other "\n"

asm(R"(
        .pushsection .data.rel.ro.hindcast_openmp_calls, "aw"
        .balign 8
        .globl hindcast_openmp_calls
        .type hindcast_openmp_calls, @object
hindcast_openmp_calls:
)"
#include "simulator/programs/openmp_archive/openmp_calls.h"
    R"(
        .size hindcast_openmp_calls, .-hindcast_openmp_calls
        .popsection
)");

#undef CALL
#undef CALL_AS
