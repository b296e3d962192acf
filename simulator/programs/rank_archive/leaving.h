#ifndef HINDCAST_LEAVING_H
#define HINDCAST_LEAVING_H

#include <stdlib.h>

#include "own_copy.h"

#endif
