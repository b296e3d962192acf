// Requests by ATM itself, without TCP and IP: packets of AAL5, between sites whose way is by ATM all along. No window
// limits what is under way, and nothing is repeated: what a link that has failed loses is lost, and nobody is told.
#include <algorithm>
#include <optional>
#include <set>

#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "mpi_impl/libraries/nexus/native/method_kinds.hpp"
#include "mpi_impl/libraries/nexus/native/methods/carried.hpp"
#include "simulator/machine/ways_between_sites.hpp"

namespace hindcast::nexus {

namespace {

struct Packets {
  std::uint64_t bytes;    // the most that one carries
  std::uint64_t trailer;  // and what it has besides

  std::uint64_t of(Bytes message) const { return std::max<std::uint64_t>(1, (message.count() + bytes - 1) / bytes); }
};

// From which sites to which others all links are ATM's.
class WaysByAtm {
 public:
  explicit WaysByAtm(const MachineFile& file) : sites_(read_sites(file)), ways_(file, sites_) {
    std::set<std::string> of_atm;
    for (const NamedTable& link : file.tables("link"))
      if (file.choice(link.prefix() + ".carrier", {"atm", "internet"}) == "atm") of_atm.insert(link.prefix());
    for (const SiteLink& link : ways_.links()) is_atm_.push_back(of_atm.contains(link.prefix));
  }

  bool lead(int from, int to) const {
    const auto& links = ways_.way(from, to);
    return from != to && std::all_of(links.begin(), links.end(),
                                     [&](const auto& link) { return is_atm_[static_cast<std::size_t>(link.link)]; });
  }

 private:
  const std::vector<Site> sites_;
  const WaysBetweenSites ways_;
  std::vector<bool> is_atm_;  // by link
};

class Aal5Method final : public CarriedMethod {
 public:
  Aal5Method(const MethodStart& start, const Costs& costs, const Packets& packets, const WaysByAtm& ways,
             Carrier& carrier, Machine& machine)
      : CarriedMethod(start, "aal5", costs, carrier, machine.wide_area()),
        packets_(packets),
        ways_(ways),
        site_(machine.site_of(start.node)) {}

  bool reaches(const Context& other) const override {
    return ways_.lead(site_, static_cast<const Aal5Method*>(other.method(name()))->site_);
  }

  void send(Message& message, const Wait&) override {
    const std::uint64_t packets = packets_.of(message.on_wire);
    for (std::uint64_t i = 0; i < packets; ++i) Thread::current()->spend(costs().send, message.number);
    hand_over(message, message.on_wire + Bytes(packets * packets_.trailer));
  }

 private:
  const Packets& packets_;
  const WaysByAtm& ways_;
  const int site_;
};

class Aal5Kind final : public MethodKind {
 public:
  explicit Aal5Kind(const KindStart& start)
      : machine_(start.machine),
        costs_{step_of(file(), "packet of AAL5 sent", "aal5.send_overhead"),
               step_of(file(), "request by AAL5 received", "aal5.receive_overhead"),
               step_above_zero_of(file(), "look at ATM's adapter", "aal5.poll")},
        packets_{file().bytes("aal5.packet_bytes").count(), file().bytes("aal5.trailer_bytes").count()},
        carrier_(start.engine, start.machine) {
    if (packets_.bytes == 0) file().refuse("aal5.packet_bytes", "must be more than 0");
    if (machine_.site_count() > 1) ways_.emplace(file());
  }

  std::unique_ptr<Method> open(const MethodStart& start) override {
    if (!ways_) return nullptr;
    return std::make_unique<Aal5Method>(start, costs_, packets_, *ways_, carrier_, machine_);
  }

 private:
  const MachineFile& file() const { return machine_.parameters(); }

  Machine& machine_;
  const QueueMethod::Costs costs_;
  const Packets packets_;
  std::optional<WaysByAtm> ways_;  // if there are several sites
  Carrier carrier_;
};

std::unique_ptr<MethodKind> make_aal5(const KindStart& start) { return std::make_unique<Aal5Kind>(start); }
const Row<MethodRow> methods_aal5_row{{.name = "aal5", .make = make_aal5, .key = "aal5.poll"}};

}  // namespace

}  // namespace hindcast::nexus
