// Requests by what a machine passes messages with itself, on its own network: one message each. The machines for which
// there is no method of their own have this one (`native.nodes`).
#include <algorithm>

#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "mpi_impl/libraries/nexus/native/method_kinds.hpp"
#include "mpi_impl/libraries/nexus/native/methods/carried.hpp"

namespace hindcast::nexus {

namespace {

class NativeMethod final : public CarriedMethod {
 public:
  NativeMethod(const MethodStart& start, const Costs& costs, Bytes header, Carrier& carrier, Network* network, int site)
      : CarriedMethod(start, "native", costs, carrier, network), header_(header), site_(site) {}

  bool reaches(const Context& other) const override {
    const auto* there = static_cast<const NativeMethod*>(other.method(name()));
    return there->site_ == site_ && there->node() != node();
  }

  void send(Message& message, const Wait&) override {
    Thread::current()->spend(costs().send, message.number);
    hand_over(message, message.on_wire + header_);
  }

 private:
  const Bytes header_;
  const int site_;
};

class NativeKind final : public MethodKind {
 public:
  explicit NativeKind(const KindStart& start)
      : machine_(start.machine),
        costs_{step_of(file(), "send by the machine's own message passing", "native.send_overhead"),
               step_of(file(), "receive by the machine's own message passing", "native.receive_overhead"),
               step_above_zero_of(file(), "probe of the machine's own message passing", "native.poll")},
        header_(file().bytes("native.header_bytes")),
        kinds_(file().texts("native.nodes")),
        carrier_(start.engine, start.machine) {}

  std::unique_ptr<Method> open(const MethodStart& start) override {
    const int site = machine_.site_of(start.node);
    Network* const network = machine_.network_of_site(site);
    const std::string& kind = machine_.kind_of(start.node).name;
    if (network == nullptr || std::find(kinds_.begin(), kinds_.end(), kind) == kinds_.end()) return nullptr;
    return std::make_unique<NativeMethod>(start, costs_, header_, carrier_, network, site);
  }

 private:
  const MachineFile& file() const { return machine_.parameters(); }

  Machine& machine_;
  const QueueMethod::Costs costs_;
  const Bytes header_;
  const std::vector<std::string> kinds_;
  Carrier carrier_;
};

std::unique_ptr<MethodKind> make_native(const KindStart& start) { return std::make_unique<NativeKind>(start); }
const Row<MethodRow> methods_native_row{{.name = "native", .make = make_native, .key = "native.poll"}};

}  // namespace

}  // namespace hindcast::nexus
