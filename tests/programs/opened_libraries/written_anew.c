/* Opens a library, and once more when another file has taken its place. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  (void)argc;
  char path[4096], next[4096];
  snprintf(path, sizeof path, "%s/now.so", argv[1]);
  snprintf(next, sizeof next, "%s/next.so", argv[1]);
  for (int i = 0; i < 2; ++i) {
    void* const library = dlopen(path, RTLD_NOW);
    if (library == NULL) return printf("%s\n", dlerror()), 1;
    printf("%d\n", ((int (*)(void))dlsym(library, "number"))());
    dlclose(library);
    if (i == 0) rename(next, path);
  }
  return 0;
}
