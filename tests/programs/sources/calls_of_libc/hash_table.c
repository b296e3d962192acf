// hsearch's table is each rank's own.
#include <search.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  const int is_created = hcreate(10);
  usleep(1);
  ENTRY entry = {"key", (void*)5};
  const int is_entered = hsearch(entry, ENTER) != NULL;
  usleep(1);
  hdestroy();
  puts(is_created && is_entered ? "right" : "wrong");
}
