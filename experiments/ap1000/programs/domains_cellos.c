// Registers so many domains, if it can.   domains_cellos DOMAINS
// Prints how many the cell receives in, and how many registrations were errors; of communicators there are none.
#include <cellos.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const int domains = argc > 1 ? atoi(argv[1]) : 0;
  int registered = 0, errors = 0;
  for (int i = 0; i < domains; ++i) register_domain(i) == 0 ? ++registered : ++errors;
  if (l_cellid() == 0)
    printf("domains,communicators,registered,errors,again\n%d,0,%d,%d,0\n", domains, registered, errors);
  return 0;
}
