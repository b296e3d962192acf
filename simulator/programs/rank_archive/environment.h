#ifndef HINDCAST_ENVIRONMENT_H
#define HINDCAST_ENVIRONMENT_H

#include "own_copy.h"

extern char** environ;

#endif
