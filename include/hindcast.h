/* What a program may tell hindcast about itself. Computation takes no simulated time unless the program says how much
 * there is of it; under `hindcast run --compute free` these calls take no time either. */
#ifndef HINDCAST_H
#define HINDCAST_H

#ifdef __cplusplus
extern "C" {
#endif

/* So many floating-point operations, at the machine's rate for them. */
__attribute__((visibility("default"))) void hindcast_compute_flops(double flops);
/* So many bytes moved between the processor and its memory, at the memory's rate. */
__attribute__((visibility("default"))) void hindcast_compute_bytes(double bytes);
/* So many seconds of the simulated processor. */
__attribute__((visibility("default"))) void hindcast_compute_seconds(double seconds);
/* So many bytes from there on are read or written: they are in the processor's cache now, where a machine's network
 * reads the program's memory through that. It takes no time: what computing takes is said by the others. */
__attribute__((visibility("default"))) void hindcast_touch_memory(const void* address, double bytes);

#ifdef __cplusplus
}
#endif

#endif
