// A task's offers: it answers roots in the calls in which it looks at what has come.
#include "mpi_impl/libraries/pvm/native/offers.hpp"

#include "mpi_impl/libraries/pvm/native/task.hpp"

namespace hindcast::pvm {

void Task::offer(const char* call, const char* group, int tag, const std::byte* data, Bytes bytes) {
  auto contents = std::make_shared<std::vector<std::byte>>(data, data + bytes.count());
  const bool is_wanted = inbox.find(Inbox::any, tag, context) != nullptr;
  offers_.add({call, group, tag, context, std::move(contents)});
  if (machine_.waits_elsewhere(rank_)) return wait_for_roots(call);
  if (!is_wanted) Thread::current()->spend(costs().pack, bytes.count());
  answer_roots();
}

void Task::answer_roots() {
  while (auto wanted = offers_.take_wanted(inbox)) {
    copy_out(wanted->question);
    Task* root = machine_.find(wanted->question.envelope.source);
    if (root == nullptr) continue;
    Message answer;
    answer.envelope = {tid_, root->tid(), wanted->offer.tag, wanted->offer.context};
    answer.encoding = PvmDataRaw;
    answer.contents = std::move(wanted->offer.contents);
    send(wanted->offer.call, costs().packed_send, *root, std::move(answer));
  }
}

void Task::wait_for_roots(const char* call, const char* group) {
  for (;;) {
    act_on_signals();
    call_handlers();
    if (group != nullptr ? !offers_.has_any_for(group) : offers_.is_empty()) return;
    wait(CallWait(call, "for the root of a group to ask for the task's data"));
  }
}

}  // namespace hindcast::pvm
