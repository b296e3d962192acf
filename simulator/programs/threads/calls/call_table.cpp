// The table that programs' calls about threads go through. The functions are of many types, and named here alone: by
// the assembler.

#define CALL(name) ".quad hindcast_" #name "\n"

asm(R"(
        .pushsection .data.rel.ro.hindcast_thread_calls, "aw"
        .balign 8
        .globl hindcast_thread_calls
        .type hindcast_thread_calls, @object
hindcast_thread_calls:
)"
#include "simulator/programs/rank_archive/thread_calls.h"
    R"(
        .size hindcast_thread_calls, .-hindcast_thread_calls
        .popsection
)");

#undef CALL
