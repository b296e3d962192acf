// Transfers that wait in their sender, in the order of their submission.
#pragma once

#include <cassert>

#include "simulator/hardware/network/network.hpp"

namespace hindcast {

class TransferQueue {
 public:
  bool empty() const { return first_ == nullptr; }
  Transfer& front() { return *first_; }

  void push(Transfer& transfer) {
    assert(first_ == nullptr || last_ != &transfer);  // one is submitted again only when it has arrived
    transfer.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &transfer;
    last_ = &transfer;
  }
  Transfer& pop() {
    Transfer& transfer = *first_;
    first_ = transfer.next;
    return transfer;
  }

 private:
  Transfer* first_ = nullptr;
  Transfer* last_ = nullptr;
};

}  // namespace hindcast
