/* Transfers by INA instructions: a node's remote access control unit moves data between global memories (GMEM) of
 * processes on any nodes, without a processor. The instructions are the Earth Simulator's; what a program calls is
 * named here, as nobody has published a name.
 *
 * A global address is no pointer: what is at it is reached by these calls only. */
#ifndef ES_INA_H
#define ES_INA_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
#define ES_INA_EXPORT __attribute__((visibility("default")))

typedef struct {
  int process;
  void* address; /* not to be loaded from */
} es_global_address;

/* So many items of so many bytes, each so far behind the one before. */
typedef struct {
  size_t items, item_bytes;
  long here_stride, there_stride;
} es_ina_items;

ES_INA_EXPORT void* es_global_alloc(size_t bytes);
ES_INA_EXPORT void es_global_free(void* memory);
/* Of the calling process's global memory; what it gives may be sent to others, who reach these bytes by it until the
 * memory is given back: by es_global_free; if MPI has got it, by MPI_Free_mem or MPI_Win_free; or by free or realloc,
 * in which case realloc's memory is new even where it begins at the same place. */
ES_INA_EXPORT es_global_address es_global_address_of(const void* memory, size_t bytes);

/* Return when the data is there, and the memory here can be used again. */
ES_INA_EXPORT void es_ina_put(es_global_address there, const void* here, size_t bytes);
ES_INA_EXPORT void es_ina_get(void* here, es_global_address there, size_t bytes);
ES_INA_EXPORT void es_ina_put_items(es_global_address there, const void* here, es_ina_items items);
ES_INA_EXPORT void es_ina_get_items(void* here, es_global_address there, es_ina_items items);
/* Return at once; es_ina_wait returns when all that this process has started is over. */
ES_INA_EXPORT void es_ina_start_put(es_global_address there, const void* here, size_t bytes);
ES_INA_EXPORT void es_ina_start_get(void* here, es_global_address there, size_t bytes);
ES_INA_EXPORT void es_ina_wait(void);

#ifdef __cplusplus
}
#endif
#endif
