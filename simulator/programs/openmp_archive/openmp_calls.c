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
#define OWN __attribute__((weak, visibility("hidden")))
#define OF_NUMBER(result, name)                                   \
  extern result name(int);                                        \
  OWN result name##_(const int* number) { return name(*number); } \
  OWN result name##_8_(const long* number) { return name((int)*number); }

OF_NUMBER(void, omp_set_num_threads)
OF_NUMBER(void, omp_set_dynamic)
OF_NUMBER(void, omp_set_nested)
OF_NUMBER(void, omp_set_max_active_levels)
OF_NUMBER(void, omp_set_num_teams)
OF_NUMBER(void, omp_set_teams_thread_limit)
OF_NUMBER(void, omp_set_default_device)
OF_NUMBER(int, omp_get_ancestor_thread_num)
OF_NUMBER(int, omp_get_team_size)
OF_NUMBER(int, omp_get_place_num_procs)
OF_NUMBER(int, omp_pause_resource_all)

extern void omp_set_schedule(int, int);
extern void omp_get_schedule(int*, int*);
extern void omp_get_place_proc_ids(int, void*);
extern int omp_pause_resource(int, int);
extern void omp_fulfill_event(void*);
extern unsigned long omp_init_allocator(unsigned long, int, const void*);
extern void omp_destroy_allocator(unsigned long);
extern void omp_set_default_allocator(unsigned long);
OWN void omp_set_schedule_(const int* kind, const int* chunk) { omp_set_schedule(*kind, *chunk); }
OWN void omp_set_schedule_8_(const int* kind, const long* chunk) { omp_set_schedule(*kind, (int)*chunk); }
OWN void omp_get_schedule_8_(int* kind, long* chunk) {
  int of_default_kind = 0;
  omp_get_schedule(kind, &of_default_kind);
  *chunk = of_default_kind;
}
/* There is no place, and so nothing to write. */
OWN void omp_get_place_proc_ids_(const int* place, void* ids) { omp_get_place_proc_ids(*place, ids); }
OWN void omp_get_place_proc_ids_8_(const long* place, void* ids) { omp_get_place_proc_ids((int)*place, ids); }
OWN int omp_pause_resource_(const int* kind, const int* device) { return omp_pause_resource(*kind, *device); }
OWN void omp_fulfill_event_(void** event) { omp_fulfill_event(*event); }
OWN unsigned long omp_init_allocator_(const unsigned long* space, const int* count, const void* traits) {
  return omp_init_allocator(*space, *count, traits);
}
OWN unsigned long omp_init_allocator_8_(const unsigned long* space, const long* count, const void* traits) {
  return omp_init_allocator(*space, (int)*count, traits);
}
OWN void omp_destroy_allocator_(const unsigned long* allocator) { omp_destroy_allocator(*allocator); }
OWN void omp_set_default_allocator_(const unsigned long* allocator) { omp_set_default_allocator(*allocator); }
