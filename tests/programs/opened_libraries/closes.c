/* Opens a library, closes it, and opens it anew. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  (void)argc;
  char path[4096];
  snprintf(path, sizeof path, "%s/closed.so", argv[1]);
  for (int i = 0; i < 3; ++i) {
    void* const library = dlopen(path, RTLD_NOW);
    if (library == NULL) return printf("%s\n", dlerror()), 1;
    int (*count)(void) = (int (*)(void))dlsym(library, "count");
    count();
    printf("counted: %d\n", count());
    if (i == 1) dlopen(path, RTLD_NOW);
    printf("closed: %d\n", dlclose(library));
  }
  puts("the program ends");
  return 0;
}
