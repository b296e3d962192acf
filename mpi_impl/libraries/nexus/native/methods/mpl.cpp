// Requests by MPL, inside a partition of an SP: one of MPL's messages each, taken by a receive that is posted whenever
// the context polls or waits. The poll is mpc_status.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "mpi_impl/libraries/mpl/native/node.hpp"
#include "mpi_impl/libraries/nexus/native/context.hpp"
#include "mpi_impl/libraries/nexus/native/method_kinds.hpp"

namespace hindcast::nexus {

namespace {

class MplMethod final : public Method {
 public:
  MplMethod(const MethodStart& start, mpl::Node& node, std::uint32_t of_contexts)
      : Method(start, "mpl"), node_(node), of_contexts_(of_contexts), posted_(start.context) {}

  std::string descriptor() const override { return fmt::format("{} task {}", Method::descriptor(), node_.task()); }
  bool reaches(const Context& other) const override {
    const mpl::Node* node = mpl::Node::of(other.rank());
    return node != nullptr && &const_cast<mpl::Node*>(node)->system() == &node_.system();
  }

  void send(Message& message, const Wait& why) override {
    const int task = mpl::Node::of(message.to->rank())->task();
    mpl::Outgoing outgoing{task, {of_contexts_, node_.task(), 0}, message.data.data(), Bytes(message.data.size())};
    outgoing.message = message.number;
    outgoing.prefix.set(&message, Bytes(message.on_wire.count() - message.data.size()));
    node_.send_and_wait(outgoing, why);
  }

  const FixedStep& look() const override { return node_.costs().status; }

  void prepare() override {
    if (posted_.is_posted) return;
    posted_.is_posted = true;
    node_.post(posted_, {of_contexts_, matching::Key::any, matching::Key::any});
  }
  Time waits_since() const override { return posted_.message != nullptr ? posted_.at : Time::never(); }

  Message* take(const Wait&) override {
    // Other threads of the rank find nothing taken here while this one ends the receive.
    mpl::Message& carried = *std::exchange(posted_.message, nullptr);
    posted_.is_posted = false;
    node_.end_receive(posted_.left_to_copy, carried.message);
    Message* const message = carried.prefix.get<Message*>();
    node_.system().free_message(carried);
    return message;
  }

  bool can_block() const override { return true; }
  Message* receive(const Wait& why) override {
    Thread& thread = *Thread::current();
    prepare();
    if (posted_.message == nullptr) thread.settle(&why);
    if (posted_.message == nullptr) context_.wait_idle(why);
    if (posted_.message == nullptr) return nullptr;
    thread.idle_until(posted_.at, why);
    return posted_.message != nullptr ? take(why) : nullptr;  // another thread may have taken it meanwhile
  }

 private:
  class AnyReceive final : public mpl::Receive {
   public:
    explicit AnyReceive(Context& context) : context_(context) {}
    bool is_posted = false;
    mpl::Message* message = nullptr;
    Time at;
    Bytes left_to_copy;

   private:
    void take(mpl::Message& taken, const Match& match) override {
      message = &taken;
      at = match.at;
      left_to_copy = match.is_in_buffer ? taken.whole() : Bytes();
      context_.has_come();
    }
    Context& context_;
  };

  mpl::Node& node_;
  const std::uint32_t of_contexts_;
  AnyReceive posted_;
};

class MplKind final : public MethodKind {
 public:
  std::unique_ptr<Method> open(const MethodStart& start) override {
    mpl::Node* const node = mpl::Node::of(start.rank);
    if (node == nullptr) return nullptr;
    const auto [known, is_new] = contexts_.try_emplace(&node->system());
    if (is_new) known->second = node->system().new_context();
    return std::make_unique<MplMethod>(start, *node, known->second);
  }

 private:
  std::map<mpl::System*, std::uint32_t> contexts_;  // in each partition
};

std::unique_ptr<MethodKind> make_mpl(const KindStart&) { return std::make_unique<MplKind>(); }
const Row<MethodRow> methods_mpl_row{{.name = "mpl", .make = make_mpl}};

}  // namespace

}  // namespace hindcast::nexus
