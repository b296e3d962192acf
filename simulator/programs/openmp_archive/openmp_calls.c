/* The calls of openmp_calls.h, each a jump to the library. In place of libgomp, whose threads are the system's. */

#define CALL_AS(name, other) CALL(name)
#define CALL(name)                                           \
  "        .weak " #name                                     \
  "\n"                                                       \
  "        .hidden " #name                                   \
  "\n"                                                       \
  "        .type " #name ", @function\n" #name               \
  ":\n"                                                      \
  "        mov hindcast_openmp_calls@GOTPCREL(%rip), %r11\n" \
  "        jmp *hindcast_next_openmp_call(%r11)\n"           \
  "        .size " #name ", .-" #name                        \
  "\n"                                                       \
  "        .globl hindcast_own_" #name                       \
  "\n"                                                       \
  "        .set hindcast_own_" #name ", " #name              \
  "\n"                                                       \
  "        .set hindcast_next_openmp_call, hindcast_next_openmp_call + 8\n"

__asm__(
    "        .text\n"
    "        .set hindcast_next_openmp_call, 0\n"
#include "openmp_calls.h"
);

/* Fortran passes numbers by their addresses. */
extern void omp_set_num_threads(int);
extern void omp_set_dynamic(int);
extern void omp_set_nested(int);
extern void omp_set_max_active_levels(int);
extern void omp_set_schedule(int, int);
extern int omp_get_ancestor_thread_num(int);
extern int omp_get_team_size(int);
#define OWN __attribute__((weak, visibility("hidden")))
OWN void omp_set_num_threads_(const int* count) { omp_set_num_threads(*count); }
OWN void omp_set_dynamic_(const int* on) { omp_set_dynamic(*on); }
OWN void omp_set_nested_(const int* on) { omp_set_nested(*on); }
OWN void omp_set_max_active_levels_(const int* levels) { omp_set_max_active_levels(*levels); }
OWN void omp_set_schedule_(const int* kind, const int* chunk) { omp_set_schedule(*kind, *chunk); }
OWN int omp_get_ancestor_thread_num_(const int* level) { return omp_get_ancestor_thread_num(*level); }
OWN int omp_get_team_size_(const int* level) { return omp_get_team_size(*level); }
