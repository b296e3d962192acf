// The windows of a rank.
#pragma once

#include <memory>

#include "mpi_impl/core/windows/packets/carrier.hpp"
#include "mpi_impl/core/windows/window.hpp"

namespace hindcast::mpi {

class Windows {
 public:
  explicit Windows(Process& process) : process_(process) {}

  Window* find(MPI_Win handle) const { return table_.find(handle); }
  Window& create() {
    if (carrier_ == nullptr) carrier_ = make_packet_carrier(process_);
    ++count_;
    Window& window = table_.create();
    static_cast<WindowParts&>(window) = WindowParts();
    return window;
  }
  // Of one that nobody reaches any more.
  void destroy(Window& window) {
    static_cast<WindowParts&>(window) = WindowParts();
    table_.destroy(window);
    if (--count_ > 0) return;
    carrier_->stop();
    carrier_.reset();
  }
  PacketCarrier& carrier() { return *carrier_; }

 private:
  Process& process_;
  Table<Window, HandleKind::win, 4> table_;
  std::unique_ptr<PacketCarrier> carrier_;  // while there are windows
  int count_ = 0;
};

}  // namespace hindcast::mpi
