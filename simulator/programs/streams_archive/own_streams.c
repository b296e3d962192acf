/* The C library's streams as variables of the program. gcc's code for executables takes them to be in the program
 * itself, and a shared object whose code does can only be linked if they are. Such a program may not put other streams
 * in their place: the C library would go on with those that it has. */
#include <dlfcn.h>
#include <stdio.h>

#define IN_THE_PROGRAM __attribute__((visibility("hidden")))

IN_THE_PROGRAM FILE* stdin;
IN_THE_PROGRAM FILE* stdout;
IN_THE_PROGRAM FILE* stderr;

static FILE* stream_of_libc(const char* name) {
  FILE** const stream = dlsym(RTLD_DEFAULT, name);
  return *stream;
}

static void take_streams(void) {
  stdin = stream_of_libc("stdin");
  stdout = stream_of_libc("stdout");
  stderr = stream_of_libc("stderr");
}

/* Before all constructors, whose priorities are above this one. */
__attribute__((section(".init_array.00000"), used)) static void (*const first)(void) = take_streams;
