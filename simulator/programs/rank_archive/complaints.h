#ifndef HINDCAST_COMPLAINTS_H
#define HINDCAST_COMPLAINTS_H

#include "rank_interface.h"

__attribute__((visibility("hidden"))) extern struct hindcast_complaints hindcast_rank_complaints;

#endif
