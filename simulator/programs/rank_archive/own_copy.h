/* The whole archive is linked into every program.
 *
 * OWN_COPY: what a program defines itself comes before (a getopt of its own, say), and nobody outside the program sees
 * ours. OFFER: except the program's own libraries, to which the loader binds it by another name. */
#ifndef HINDCAST_OWN_COPY_H
#define HINDCAST_OWN_COPY_H

#define OWN_COPY __attribute__((weak, visibility("hidden")))
#define OFFER(name) __asm__(".globl hindcast_own_" #name "\n.set hindcast_own_" #name ", " #name)

#endif
