/* The hash table of hsearch, of which libc has one for the process. */
#include <search.h>
#include <stddef.h>

#include "own_copy.h"

static struct hsearch_data table;

OWN_COPY int hcreate(size_t entries) { return hcreate_r(entries, &table); }
OWN_COPY void hdestroy(void) { hdestroy_r(&table); }
OWN_COPY ENTRY* hsearch(ENTRY item, ACTION action) {
  ENTRY* found;
  return hsearch_r(item, action, &found, &table) != 0 ? found : NULL;
}

OFFER(hcreate);
OFFER(hdestroy);
OFFER(hsearch);
