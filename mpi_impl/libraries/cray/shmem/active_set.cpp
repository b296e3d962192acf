#include "mpi_impl/libraries/cray/shmem/active_set.hpp"

#include <fmt/format.h>
#include <mpp/shmem.h>

namespace hindcast::shmem {

namespace {

constexpr std::int64_t unsent = _SHMEM_SYNC_VALUE;
constexpr int log_stride_max = 30;

// What is wrong with the arguments, and which it is, counted from 0.
struct Complaint {
  int argument;
  std::string what;
};

Complaint complaint_about(const ActiveSetArguments& set, int pes) {
  if (set.start < 0 || set.start >= pes)
    return {0, fmt::format("is {}, but there are PEs 0 to {}", set.start, pes - 1)};
  if (set.log_stride < 0 || set.log_stride > log_stride_max)
    return {1, fmt::format("is {}; it is the logarithm of a stride, 0 to {}", set.log_stride, log_stride_max)};
  if (set.size < 1) return {2, fmt::format("is {}; an active set has 1 PE or more", set.size)};
  const std::int64_t last = set.start + (static_cast<std::int64_t>(set.size - 1) << set.log_stride);
  if (last >= pes)
    return {2, fmt::format("is {}: from PE {} on with stride {} the last PE would be {}, but there are PEs 0 to {}",
                           set.size, set.start, 1 << set.log_stride, last, pes - 1)};
  return {};
}

// A word that another member will write.
class SyncWait final : public Condition {
 public:
  SyncWait(const Call& call, int pe, const long& word, int index) : call_(call), pe_(pe), word_(word), index_(index) {}
  bool holds() const override { return word_ != unsent; }
  BlockedOn describe() const override {
    return {call_.function(), fmt::format("for PE {} to write pSync[{}]", pe_, index_), {pe_}};
  }

 private:
  const Call& call_;
  int pe_;
  const long& word_;
  int index_;
};

}  // namespace

ActiveSet::ActiveSet(const Call& call, const ActiveSetArguments& arguments, int first_number)
    : start_(arguments.start), log_stride_(arguments.log_stride), size_(arguments.size) {
  constexpr const char* names[] = {"PE_start", "logPE_stride", "PE_size"};
  const Complaint complaint = complaint_about(arguments, call.pes());
  if (!complaint.what.empty())
    call.refuse({first_number + complaint.argument, names[complaint.argument]}, complaint.what);
  const int distance = call.me() - start_;
  const int stride = 1 << log_stride_;
  me_ = distance / stride;
  if (distance < 0 || distance % stride != 0 || me_ >= size_)
    call.refuse(fmt::format("PE {} has called it, but is not of the active set: {} PEs from PE {} on with stride {}",
                            call.me(), size_, start_, stride));
  is_everybody_ = size_ == call.pes();
}

SyncWords::SyncWords(const Call& call, const ActiveSet& set, long* words, int count, int number, int numbers)
    : call_(call), set_(set), words_(words), argument_{number, "pSync"} {
  call.check_symmetric(words, Bytes(sizeof(long) * static_cast<std::uint64_t>(count)), argument_);
  const auto may_be_sent = [&](int word) { return words[word] == 1 || (word < numbers && words[word] > 1); };
  for (int word = 0; word < count; ++word)
    if (words[word] != unsent && !may_be_sent(word))
      call.refuse(argument_, fmt::format("has the value {} in element {}; before a pSync array is used, all of its "
                                         "elements must be _SHMEM_SYNC_VALUE ({}) on all PEs",
                                         words[word], word, unsent));
}

void SyncWords::send(int member, int word, std::int64_t value) const {
  const int pe = set_.pe(member);
  call_.self().put(call_.function(), pe, call_.there(pe, words_ + word, Bytes(sizeof value), argument_), &value,
                   Bytes(sizeof value));
}

void SyncWords::send_after_data(int member, int word) const {
  call_.self().fence(call_.function());
  send(member, word);
}

std::int64_t SyncWords::await(int member, int word) const {
  long& mine = words_[word];
  call_.self().wait_for(SyncWait(call_, set_.pe(member), mine, word));
  const std::int64_t value = mine;
  mine = unsent;
  return value;
}

}  // namespace hindcast::shmem
