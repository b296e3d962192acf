#include "simulator/programs/places/program_place.hpp"

#include <unwind.h>

#include <filesystem>

#include "simulator/programs/places/backtrace.hpp"
#include "simulator/programs/process/fortran_library.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace hindcast::programs {

namespace {

struct CallerSearch {
  const RunningProgram& program;
  ProgramPlace found;
};

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* data) {
  CallerSearch& search = *static_cast<CallerSearch*>(data);
  const void* frame = reinterpret_cast<const void*>(_Unwind_GetIP(context));
  search.found = place_of_frame(search.program.loader(), search.program.slot(), frame);
  return search.found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

const std::string& ProgramPlace::text() const {
  static const std::string nothing;
  if (known_ == nullptr) return nothing;
  auto& [place, text] = *known_;
  if (!text) text = describe_code(place);
  return *text;
}

// Many ranks wait at the same place: addr2line is asked once.
ProgramPlace place_of_frame(const Loader& loader, std::size_t slot, const void* frame) {
  static ProgramPlace::Texts known;
  const auto place = code_place(loader, slot, static_cast<const std::byte*>(frame) - 1);
  if (!place) return {};
  const auto found = known.find(*place);
  if (found != known.end()) return ProgramPlace(*found);
  if (is_fortran_library(std::filesystem::path(place->first).filename().string())) return {};
  return ProgramPlace(*known.emplace(*place, std::nullopt).first);
}

// Every send of a run with --check asks, so the stack is unwound no further than to that frame.
ProgramPlace place_of_caller() {
  const RunningProgram* program = RunningProgram::current();
  if (program == nullptr) return {};
  CallerSearch search{*program, {}};
  _Unwind_Backtrace(look_at_frame, &search);
  return search.found;
}

}  // namespace hindcast::programs
