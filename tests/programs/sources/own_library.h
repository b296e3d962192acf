#ifndef OWN_LIBRARY_H
#define OWN_LIBRARY_H
#ifdef __cplusplus
extern "C" {
#endif
extern int library_counter;
int library_step(void);   /* counts in statics, thread-locals and (C++) templates of the library */
int library_random(void); /* of the rank's own sequence */
const char* library_variable(const char* name);
int library_calls_back(void); /* a function of the program's */
#ifdef __cplusplus
}
#endif
#endif
