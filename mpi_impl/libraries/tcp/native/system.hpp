// What all hosts share: the networks between them, the numbers of the machine's file, the records of segments.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mpi_impl/libraries/common/message_records.hpp"
#include "mpi_impl/libraries/tcp/native/costs.hpp"
#include "simulator/engine/end_run.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/hardware/network/network.hpp"

namespace hindcast::tcp {

class Host;
struct Segment;

// What a segment is for: bytes of a stream, or a connection that is being made.
class SegmentSink {
 public:
  // At its receiver, whose system has worked on it.
  virtual void delivered(const Segment& segment) = 0;
  // Its way has failed.
  virtual void lost() = 0;

 protected:
  ~SegmentSink() = default;
};

struct Segment : Transfer {
  SegmentSink* stream = nullptr;
  Network* network = nullptr;
  Host* receiver = nullptr;
  std::size_t payload = 0;
  bool is_last = false;
};

class System final : public TransferSink, private EventSink {
 public:
  // The network that leads from a node of the machine to another; null if none does.
  using WayOfNodes = std::function<Network*(int from, int to)>;

  // Whether what comes from a node to another at this time is lost.
  using LossOfNodes = std::function<bool(int from, int to, Time at)>;

  System(Engine& engine, Costs costs, WayOfNodes way, LossOfNodes loss, EndRun end_run)
      : engine_(engine),
        costs_(std::move(costs)),
        way_(std::move(way)),
        loss_(std::move(loss)),
        end_run_(std::move(end_run)) {}

  Engine& engine() { return engine_; }
  const Costs& costs() const { return costs_; }
  [[noreturn]] void end_run(const std::string& line) const { end_run_(1, line); }

  // In the order of their ranks.
  void add(Host& host) { hosts_.push_back(&host); }
  Host& host(int number) { return *hosts_[static_cast<std::size_t>(number)]; }
  int hosts() const { return static_cast<int>(hosts_.size()); }
  Network* way(int from_node, int to_node) const { return way_(from_node, to_node); }
  bool loses(int from_node, int to_node, Time at) const { return loss_(from_node, to_node, at); }

  // When a host that hears nothing of the other from now on gives up. Ends the run if the machine's file does not say.
  Time end_of_patience() const;

  Segment& new_segment();
  void record(int node, const StepKind& kind, Time begin, Time end, const Segment& segment) const;

 private:
  void fire(const Event& event) override;
  void entered(Transfer&) override {}
  void arrived(Transfer& transfer) override;

  Engine& engine_;
  const Costs costs_;
  const WayOfNodes way_;
  const LossOfNodes loss_;
  const EndRun end_run_;
  std::vector<Host*> hosts_;
  Records<Segment> segments_;
};

}  // namespace hindcast::tcp
