// Random programs with MPI on CellOS in its modes, with broadcasts and barriers among their messages.

#include <deque>
#include <optional>

#include "mpi_impl/libraries/cellos/mpi/endpoint_of_parts.hpp"
#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"

namespace hindcast::mpi {
namespace {

using namespace random_programs;

struct CellosMode {
  bool line_sending = false;
  std::uint64_t ring_buffer = 1 << 20;
  std::uint64_t send_buffer = 1 << 20;
  cellos::BusIsHeld bus_is_held = cellos::BusIsHeld::until_taken;
  cellos::Interrupts interrupts = cellos::Interrupts::at_end;
  ContextIn context_in = ContextIn::header;
  bool with_host = false;
  bool nonblocking_by_striding = false;
  bool synchronous_by_put = false;
  Longer longer = Longer::is_refused;
};

class CellosTestLibrary final : public TestLibrary {
 public:
  CellosTestLibrary(Engine& engine, Network& network, const CellosMode& mode, int ranks)
      : bus_(engine, Channel{Time(), Time::ns(20), Bandwidth::per_second(2e9)}, "bus"),
        tree_(engine, Channel{Time(), Time::ns(10), Bandwidth()}, ranks, 2),
        line_(engine, bus_, Channel{Time(), Time::ns(40), Bandwidth::per_second(5e8)}, "host"),
        system_(engine, {network, bus_, mode.bus_is_held, tree_, tree_, host(mode)}, costs(mode),
                [](int, const std::string&) { std::abort(); }),
        mode_(mode) {}
  Endpoint& add(Rank& rank, int node) override {
    rank.set_progress(Progress::polling, system_.costs().probe.cost);
    rank.set_may_be_interrupted();
    CellosEndpoint::Settings& settings = settings_.emplace_back();
    settings.local = {{{"copy", ""}, Rate::per_second(1e9)}, {}, {{"clock", ""}, Time::ns(10)}};
    settings.context_in = mode_.context_in;
    settings.type_numbers = &type_numbers_;
    settings.nonblocking_by_striding = mode_.nonblocking_by_striding;
    settings.synchronous_by_put = mode_.synchronous_by_put;
    settings.longer = mode_.longer;
    cellos::Cell& cell = cells_.emplace_back(system_, rank, node);
    if (mode_.longer == Longer::goes_in_parts)
      return *endpoints_.emplace_back(std::make_unique<CellosEndpointOfParts>(cell, settings));
    return *endpoints_.emplace_back(std::make_unique<CellosEndpoint>(cell, settings));
  }
  void begin(Rank& rank, Endpoint& endpoint, int ranks) override {
    for (const std::uint32_t domain : {0U, 1U, communicator, communicator + 1})
      cellos::Cell::of(rank)->register_domain(domain, cellos::Space::library);
    meet(rank, endpoint, ranks);
  }
  // What comes in parts has them in the second context of its communicator, which wildcards are not for.
  std::uint32_t wild_context() const override { return mode_.longer == Longer::goes_in_parts ? communicator : 1; }
  // Where parts of a message may be left to send, as MPI's barrier does: they go meanwhile.
  void meet(Rank& rank, Endpoint& endpoint, int ranks) override {
    if (mode_.longer == Longer::goes_in_parts) return meet_in_turns(endpoint, ranks);
    cellos::Cell& cell = *cellos::Cell::of(rank);
    if (cell.system().numbers().has_host())
      cell.sync_with_host("hsync");
    else
      cell.sync("sync");
  }

 private:
  static void meet_in_turns(Endpoint& endpoint, int ranks) {
    Members all;
    all.size = ranks;
    all.last_in_run = ranks - 1;
    Thread& thread = *Thread::current();
    Operation over;
    endpoint.group_operations()->meet(all, over, nullptr);
    Gate gate(thread);
    gate.add(over);
    endpoint.wait(gate, test::NoWait());
    endpoint.wait_until(over.at(), test::NoWait());
  }
  static cellos::Costs costs(const CellosMode& mode) {
    cellos::Costs costs;
    costs.send = {{"send overhead", ""}, Time::ns(300)};
    costs.domain = {{"domain", ""}, Time::ns(70)};
    costs.receive = {{"receive overhead", ""}, Time::ns(400)};
    costs.probe = {{"probe", ""}, Time::ns(150)};
    costs.broadcast = {{"broadcast", ""}, Time::ns(500)};
    costs.broadcast_taken = costs.broadcast_discarded = {{"interruption", ""}, Time::ns(90)};
    costs.interrupts = mode.interrupts;
    costs.remote_service = {{"put or get from another cell", ""}, Time::ns(130)};
    costs.sync = costs.host_sync = {{"sync", ""}, Time::ns(250)};
    costs.domains_max = 4;
    costs.copy_in = {{"copy in", ""}, Rate::per_second(2e9)};
    costs.copy_out = {{"copy out", ""}, Rate::per_second(2e9)};
    costs.clock_read = Time::ns(10);
    costs.cache = costs.cache_line = Bytes(64);
    costs.header = Bytes(32);
    costs.line_sending = mode.line_sending;
    costs.ring_buffer = Bytes(mode.ring_buffer);
    costs.send_buffer = Bytes(mode.send_buffer);
    return costs;
  }
  // On node 0.
  std::optional<cellos::HostParts> host(const CellosMode& mode) {
    if (!mode.with_host) return std::nullopt;
    cellos::Costs slower = costs(mode);
    slower.receive.cost = Time::ns(700);
    return cellos::HostParts{0, line_, tree_, tree_, tree_, slower};
  }
  static constexpr std::uint32_t communicator = 8;
  BroadcastBus bus_;
  BarrierTree tree_;
  FrontEndLine line_;
  cellos::System system_;
  const CellosMode mode_;
  CellosTypeNumbers type_numbers_{1};
  std::deque<cellos::Cell> cells_;
  std::deque<CellosEndpoint::Settings> settings_;
  std::deque<std::unique_ptr<CellosEndpoint>> endpoints_;
};

// How many programs of 12 end at least, and why not all do.
std::pair<std::uint32_t, std::string> ended_of_12(const CellosMode& mode) {
  if (mode.synchronous_by_put) return {4, "who is in a barrier neither answers nor puts"};
  return {9, "who is in a barrier acknowledges nothing"};
}

Case case_of(const std::string& name, const CellosMode& mode, NetworkKind network) {
  const auto [ended, why] = ended_of_12(mode);
  return {.name = network == NetworkKind::fluid ? name + "_fluid" : name,
          .network = network,
          .make_library = [=](Engine& engine, Network& network,
                              int ranks) { return std::make_unique<CellosTestLibrary>(engine, network, mode, ranks); },
          .together = mode.longer == Longer::is_refused ? Together::broadcasts_and_barriers : Together::barriers,
          .ended_of_12 = ended,
          .why_not_all = why,
          .why_nothing_is_cancelled = "messages that lie in CellOS's queue for long are not held to this yet"};
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, const CellosMode& mode) {
    for (const auto network : {NetworkKind::test, NetworkKind::fluid}) all.push_back(case_of(name, mode, network));
  };
  add("published", CellosMode{});
  add("line_sending", CellosMode{.line_sending = true});
  add("bus_for_wire_time", CellosMode{.bus_is_held = cellos::BusIsHeld::for_wire_time});
  add("interrupted_at_start", CellosMode{.interrupts = cellos::Interrupts::at_start});
  add("never_interrupted", CellosMode{.interrupts = cellos::Interrupts::never});
  add("context_in_type", CellosMode{.context_in = ContextIn::type});
  add("context_packed", CellosMode{.context_in = ContextIn::packed});
  add("extra_message", CellosMode{.context_in = ContextIn::extra_message});
  add("with_host", CellosMode{.with_host = true});
  add("with_host_line_sending", CellosMode{.line_sending = true, .with_host = true});
  add("tight_send_buffer", CellosMode{.send_buffer = 6000});
  add("tight_ring_buffer", CellosMode{.ring_buffer = 12000});
  add("striding", CellosMode{.nonblocking_by_striding = true});
  add("put", CellosMode{.synchronous_by_put = true});
  add("striding_put", CellosMode{.nonblocking_by_striding = true, .synchronous_by_put = true});
  add("put_context_packed", CellosMode{.context_in = ContextIn::packed, .synchronous_by_put = true});
  add("striding_tight_ring_buffer", CellosMode{.ring_buffer = 12000, .nonblocking_by_striding = true});
  const auto in_parts = [](std::uint64_t buffers) {
    return CellosMode{.ring_buffer = buffers, .send_buffer = 1500, .longer = Longer::goes_in_parts};
  };
  add("parts", in_parts(1 << 20));
  add("parts_tight_ring_buffer", in_parts(6000));
  CellosMode mode = in_parts(1 << 20);
  mode.nonblocking_by_striding = true;
  add("striding_parts", mode);
  mode = in_parts(1 << 20);
  mode.context_in = ContextIn::packed;
  add("parts_context_packed", mode);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Endpoints, RandomPrograms, testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace hindcast::mpi
