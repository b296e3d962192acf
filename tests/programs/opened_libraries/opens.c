/* Opens libraries, and prints what becomes of it: the same in a process as in each rank. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int in_program = 1;
int of_program(int number) { return number + 100000; }

static const char* text_of(const char* error) {
  return error == NULL ? "none" : strrchr(error, '/') ? strrchr(error, '/') + 1 : error;
}

static int (*next_of_thread)(void);
static void* look(void* result) {
  next_of_thread();
  *(int*)result = next_of_thread();
  return NULL;
}

static void show_symbols(void* library) {
  Dl_info info;
  int (*call)(int) = (int (*)(int))dlsym(library, "call");
  const int is_known = dladdr((void*)call, &info);
  printf("it is %s, in %s\n", is_known ? info.dli_sname : "nothing", is_known ? text_of(info.dli_fname) : "nothing");
  printf("the program's: %d %d %d\n", dlsym(RTLD_DEFAULT, "of_program") == (void*)of_program,
         dlsym(dlopen(NULL, RTLD_LAZY), "in_program") == (void*)&in_program, dlsym(RTLD_DEFAULT, "call") == NULL);
  dlerror();
  printf("needed: %d\n", ((int (*)(void))dlsym(library, "help"))());
  void* const missing = dlsym(library, "missing");
  printf("missing: %d, %s\n", missing != NULL, strstr(dlerror(), "undefined symbol: missing"));
  printf("no error: %s\n", text_of(dlerror()));
  printf("in another library: %d\n",
         dlsym(RTLD_NEXT, "cos") != NULL || dlsym(dlopen("libm.so.6", RTLD_NOW), "cos") != NULL);
}

static void show_threads(void* library) {
  int inner = 0;
  pthread_t thread;
  next_of_thread = (int (*)(void))dlsym(library, "next_of_thread");
  const int before = next_of_thread();
  pthread_create(&thread, NULL, look, &inner);
  pthread_join(thread, NULL);
  printf("threads: %d, %d, %d\n", before, inner, next_of_thread());
}

int main(int argc, char** argv) {
  (void)argc;
  char path[4096], later[4096];
  snprintf(path, sizeof path, "%s/library.so", argv[1]);
  snprintf(later, sizeof later, "%s/later.so", argv[1]);

  printf("not open: %d\n", dlopen(path, RTLD_NOW | RTLD_NOLOAD) == NULL);
  dlerror();
  void* const nothing = dlopen("/nowhere/nothing.so", RTLD_NOW);
  printf("nothing: %d, %s\n", nothing != NULL, text_of(dlerror()));
  void* const too_early = dlopen(later, RTLD_NOW);
  printf("too early: %d, %s\n", too_early != NULL, strstr(dlerror(), "undefined symbol"));

  void* const library = dlopen(path, RTLD_NOW);
  if (library == NULL) return printf("%s\n", dlerror()), 1;
  int (*call)(int) = (int (*)(int))dlsym(library, "call");
  printf("called: %d", call(1));
  printf(" %d, and %d\n", call(2), in_program);
  show_symbols(library);
  show_threads(library);
  printf("again: %d\n", dlopen(path, RTLD_LAZY | RTLD_GLOBAL) == library);
  void* const second = dlopen(later, RTLD_NOW);
  printf("later: %d\n", ((int (*)(void))dlsym(second, "call_later"))());
  printf("closed: %d %d %d\n", dlclose(second), dlclose(library), *(int*)dlsym(library, "variable"));
  puts("the program ends");
  return 0;
}
