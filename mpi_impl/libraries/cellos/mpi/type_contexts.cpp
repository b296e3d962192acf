#include "mpi_impl/libraries/cellos/mpi/type_contexts.hpp"

#include <fmt/format.h>

#include "mpi_impl/libraries/cellos/mpi/carrier.hpp"

namespace hindcast::mpi {

namespace {

constexpr std::uint32_t context_spacing = 4;  // of communicators, which have so many contexts

}  // namespace

// Which are left may change until the thread's time has come.
std::uint32_t CellosTypeNumbers::take() {
  Thread::current()->settle();
  if (left_ == 0) return 0;
  --left_;
  next_context_ += context_spacing;
  return next_context_ - context_spacing;
}

std::uint32_t CellosTypeContexts::take(int members) {
  if (members == 1) return CellosCarrier::first_own_context + context_spacing * ++own_contexts_;
  const std::uint32_t context = numbers_.take();
  if (context != 0) taken_.push_back(context);
  return context;
}

void CellosTypeContexts::leave(std::uint32_t context) {
  Thread& thread = *Thread::current();
  thread.act(*this, context);
  if (std::erase(taken_, context) > 0) thread.act(numbers_, 0);
}

void CellosTypeContexts::fire(const Event& event) {
  const auto context = static_cast<std::uint32_t>(event.data);
  for (const std::uint32_t each : {context, context + 1})
    cell_.discard_all(cellos::Space::library_without_domains, each);
}

std::string CellosTypeContexts::why_not(Obstacle) const {
  return fmt::format(
      "contexts have run out: with {} bit{} of the type for them (mpi.context_bits), there can be {} at a time beside "
      "MPI_COMM_WORLD and communicators of one process",
      numbers_.bits(), numbers_.bits() == 1 ? "" : "s",
      numbers_.for_communicators() == 1 ? "1 communicator"
                                        : fmt::format("{} communicators", numbers_.for_communicators()));
}

}  // namespace hindcast::mpi
