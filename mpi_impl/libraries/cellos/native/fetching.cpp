// A message's way leads from its sender's memory to who receives it. What the message looks at there is fetched before
// it comes (simulator/engine/fetching.hpp).
#include "mpi_impl/libraries/cellos/native/cell.hpp"

namespace hindcast::cellos {

// Of the message itself lookahead.hpp has fetched the first two lines.
void System::fetch(const Event& start, FetchLevel level) const {
  const auto& message = *reinterpret_cast<const Message*>(start.data);
  if (level == 0) {
    fetch_lines(message.room, 0, 2);
    if (!host_ || !host_->takes_part_in(message)) network_.fetch(message, 0);
  }
  message.sender->fetch_for_start(level);
}

void System::fetch(const Transfer& transfer, FetchLevel level) const {
  const auto& message = static_cast<const Message&>(transfer);
  if (level == 0) fetch_lines(&message, 2, 3);
  message.receiver->fetch_for_arrival(message, level);
}

void Cell::fetch_for_start(FetchLevel level) const {
  if (level == 0) return fetch_lines(this, 0, 1);
  node_.fetch_for_start(level - 1);
}

// From the cell to who takes the message, and to the thread that works on it.
void Cell::fetch_for_arrival(const Message& message, FetchLevel level) const {
  if (level == 0) return fetch_lines(this, 0, 2);
  if (level > 3 || has_gone_) return;
  const Mailbox& mailbox = mailboxes_[static_cast<int>(message.space)];
  if (level == 1) {
    fetch_lines(&rank_, 0, 1);
    fetch_lines(&node_, 0, 1);
    fetch_lines(library_, 0, 3);
    return fetch_lines(&mailbox, 0, 4);
  }
  if (const Thread* const thread = rank_.only_thread) {
    if (level == 2) fetch_lines(thread, 0, 2);
    thread->fetch_for_arrival(level - 2);
  }
  if (const Expected* const expected = mailbox.first_that_expects(message.key))
    level == 2 ? fetch_lines(expected, -1, 2) : expected->taker->fetch(*expected);
}

void Node::fetch_for_start(FetchLevel level) const {
  if (level == 0) {
    fetch_lines(this, 0, 1);
    return fetch_lines(&send_buffer, 0, 1);
  }
  cache_.fetch();
  send_buffer.fetch();
}

}  // namespace hindcast::cellos
