// Order among puts, and waiting for what others put here.
#include <fmt/format.h>

#include "mpi_impl/libraries/cray/shmem/bodies.hpp"

namespace hindcast::shmem::bodies {

namespace {

bool compares(std::int64_t number, int condition, std::int64_t value) {
  switch (condition) {
    case _SHMEM_CMP_EQ:
      return number == value;
    case _SHMEM_CMP_NE:
      return number != value;
    case _SHMEM_CMP_GT:
      return number > value;
    case _SHMEM_CMP_LE:
      return number <= value;
    case _SHMEM_CMP_LT:
      return number < value;
    default:
      return number >= value;
  }
}

constexpr const char* names[] = {"equal to", "different from", "more than", "at most", "less than", "at least"};

class NumberWait final : public Condition {
 public:
  NumberWait(const Call& call, const volatile void* variable, ReadNumber read, int condition, std::int64_t value)
      : call_(call), variable_(variable), read_(read), condition_(condition), value_(value) {}
  bool holds() const override { return compares(read_(variable_), condition_, value_); }
  BlockedOn describe() const override {
    return {call_.function(),
            fmt::format("for a variable to be {} {}; it is {}", names[condition_], value_, read_(variable_)),
            {}};
  }

 private:
  const Call& call_;
  const volatile void* variable_;
  ReadNumber read_;
  int condition_;
  std::int64_t value_;
};

}  // namespace

void fence(const Call& call) { call.self().fence(call.function()); }
void quiet(const Call& call) { call.self().quiet(call.function()); }

void wait_until(const Call& call, const volatile void* variable, ReadNumber read, Bytes bytes, int condition,
                std::int64_t value) {
  call.check_symmetric(variable, bytes, {1, "variable"});
  if (condition < _SHMEM_CMP_EQ || condition > _SHMEM_CMP_GE)
    call.refuse({2, "condition"}, fmt::format("is {}; it must be one of _SHMEM_CMP_EQ to _SHMEM_CMP_GE", condition));
  call.self().wait_for(NumberWait(call, variable, read, condition, value));
}

}  // namespace hindcast::shmem::bodies
