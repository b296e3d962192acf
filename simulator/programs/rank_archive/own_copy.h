/* The whole archive is linked into every program. What a program defines itself comes before: a getopt of its own, say. */
#ifndef HINDCAST_OWN_COPY_H
#define HINDCAST_OWN_COPY_H

#define OWN_COPY __attribute__((weak, visibility("default")))

#endif
