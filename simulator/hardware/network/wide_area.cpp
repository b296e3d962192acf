#include "simulator/hardware/network/wide_area.hpp"

#include <cassert>

namespace hindcast {

namespace {

std::uint64_t pair_of(int from, int to) {
  return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
}

}  // namespace

Rate WideWay::quickest() const {
  if (latency == Time() || window == Bytes()) return Rate();
  const double round_trip = 2 * latency.in_seconds();
  return Rate::per_second(static_cast<double>(window.count()) / round_trip);
}

struct WideArea::KnownWay {
  explicit KnownWay(const WideWay& way)
      : latency(way.latency),
        quickest(way.quickest()),
        steps{{"wait for the message before", ""},
              {"bytes in a flow",
               slower_of(way.bandwidth, quickest) == way.bandwidth ? way.bandwidth_key : way.window_key},
              {"latency of the path", way.latency_key}} {}

  const Time latency;
  const Rate quickest;
  const Steps steps;
};

WideArea::WideArea(Engine& engine, Flows& flows, NameOfNode name_of_node, SiteOfNode site_of_node, WayOfSites way,
                   JoinedNodes nodes)
    : FlowNetwork(engine, flows, std::move(name_of_node), nodes),
      site_of_node_(std::move(site_of_node)),
      way_of_sites_(std::move(way)) {}

WideArea::~WideArea() = default;

WideArea::KnownWay& WideArea::way_between(int from, int to) {
  const int from_site = site_of_node_(from);
  const int to_site = site_of_node_(to);
  assert(from_site != to_site);
  std::unique_ptr<KnownWay>& way = ways_[pair_of(from_site, to_site)];
  if (way == nullptr) way = std::make_unique<KnownWay>(way_of_sites_(from_site, to_site));
  return *way;
}

Time WideArea::latency(int from, int to) { return way_between(from, to).latency; }
Rate WideArea::quickest(const Transfer& transfer) { return way_between(transfer.from, transfer.to).quickest; }
FlowNetwork::Line& WideArea::line_of(const Transfer& transfer) { return lines_[pair_of(transfer.from, transfer.to)]; }
const FlowNetwork::Steps& WideArea::steps_of(const Transfer& transfer) {
  return way_between(transfer.from, transfer.to).steps;
}

}  // namespace hindcast
