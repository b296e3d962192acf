#include "simulator/programs/load/unwind.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <vector>

namespace hindcast::programs {

namespace {

std::vector<const UnwindTables*>& all_tables() {
  static std::vector<const UnwindTables*> tables;
  return tables;
}

using FindObject = int (*)(void*, dl_find_object*);

}  // namespace

void add_unwind_tables(const UnwindTables& tables) { all_tables().push_back(&tables); }
void remove_unwind_tables(const UnwindTables& tables) { std::erase(all_tables(), &tables); }

}  // namespace hindcast::programs

extern "C" __attribute__((visibility("default"))) int _dl_find_object(void* code, dl_find_object* result) {
  using namespace hindcast::programs;
  for (const UnwindTables* tables : all_tables()) {
    if (const std::optional<UnwindTable> found = tables->table_for(code)) {
      *result = {};
      result->dlfo_map_start = found->begin;
      result->dlfo_map_end = found->end;
      result->dlfo_eh_frame = found->table;
      return 0;
    }
  }
  // By its name: there is none after us if we have been preloaded, with a library that needs us.
  static void* const libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  static const auto systems = reinterpret_cast<FindObject>(dlsym(libc, "_dl_find_object"));
  return systems(code, result);
}
