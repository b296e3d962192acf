// Lets exceptions and backtraces pass through cloned programs, of which the system's loader knows nothing: the unwinder
// asks _dl_find_object, which libhindcast.so defines.
#pragma once

#include <cstddef>
#include <optional>

namespace hindcast::programs {

struct UnwindTable {
  std::byte* begin;  // of the code
  std::byte* end;
  std::byte* table;  // the image's .eh_frame_hdr
};

class UnwindTables {
 public:
  virtual std::optional<UnwindTable> table_for(const void* code) const = 0;

 protected:
  ~UnwindTables() = default;
};

void add_unwind_tables(const UnwindTables& tables);
void remove_unwind_tables(const UnwindTables& tables);

}  // namespace hindcast::programs
