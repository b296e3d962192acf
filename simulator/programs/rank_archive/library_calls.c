/* The calls of library_calls.h, each a jump to the library. They are many, and every rank has them mapped: so each only
 * says its number, and jumps to a door that it shares with others near by, where two bytes say how far. */

#define CALL(name)                              \
  "        .weak " #name                        \
  "\n"                                          \
  "        .hidden " #name                      \
  "\n"                                          \
  "        .type " #name ", @function\n" #name  \
  ":\n"                                         \
  "        mov $hindcast_next_call, %r11b\n"    \
  "        jmp 1f\n"                            \
  "        .size " #name ", .-" #name           \
  "\n"                                          \
  "        .globl hindcast_own_" #name          \
  "\n"                                          \
  "        .set hindcast_own_" #name ", " #name \
  "\n"                                          \
  "        hindcast_call_is_made\n"

#define SAME(name, as)                 \
  "        .weak " #name               \
  "\n"                                 \
  "        .hidden " #name             \
  "\n"                                 \
  "        .set " #name ", " #as       \
  "\n"                                 \
  "        .globl hindcast_own_" #name \
  "\n"                                 \
  "        .set hindcast_own_" #name ", " #as "\n"

__asm__(
    "        .text\n"
    "        .set hindcast_next_call, 0\n"
    "        .macro hindcast_door\n"
    "1:      movzbl %r11b, %r11d\n"
    "        mov hindcast_library_calls@GOTPCREL(%rip), %r10\n"
    "        jmp *(%r10, %r11, 8)\n"
    "        .endm\n"
    "        .macro hindcast_call_is_made\n"
    "        .set hindcast_next_call, hindcast_next_call + 1\n"
    "        .if hindcast_next_call > 255\n"
    "        .error \"a call's number has one byte\"\n"
    "        .endif\n"
    "        .if hindcast_next_call % 24 == 0\n"
    "        hindcast_door\n"
    "        .endif\n"
    "        .endm\n"
#include "library_calls.h"
    "        hindcast_door\n");
