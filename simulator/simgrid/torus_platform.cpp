#include "simulator/simgrid/torus_platform.hpp"

#include <fmt/format.h>

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <unordered_map>

namespace hindcast {

namespace sg = simgrid::s4u;
namespace routing = simgrid::kernel::routing;

namespace {

Channel channel_of(const sg::Link& link) {
  return Channel{Time(), Time::from_seconds(link.get_latency()), Bandwidth::per_second(link.get_bandwidth())};
}

sg::Link* create_in(routing::NetZoneImpl& zone, const std::string& name, Time latency, Bandwidth bandwidth) {
  return zone.create_link(name, {bandwidth.in_units_per_second()})->set_latency(latency.in_seconds())->seal();
}

int node_of(const routing::NetPoint& point) { return static_cast<int>(point.id()); }

}  // namespace

// A zone without a parent: SimGrid closes the zones of its tree when a run starts, and this one stays open for the
// links that routes come to need. They belong to the network of the tree all the same.
class TorusPlatform::Links final : public routing::NetZoneImpl {
 public:
  Links(const TorusSpec& spec, const NetZoneImpl& root) : NetZoneImpl(spec.name + "_links"), spec_(spec) {
    set_network_model(root.get_network_model());
  }

  const TorusSpec& spec() const { return spec_; }

  sg::Link& link(int index) {
    return at(index, [&] {
      const TorusRoutes::Link link = spec_.routes.link(index);
      return create(fmt::format("{}_link_from_{}_to_{}_{}", spec_.name, link.owner,
                                spec_.routes.upper_neighbour(link.owner, link.dimension), link.down ? "DOWN" : "UP"),
                    spec_.hop_latency, spec_.link_bandwidth);
    });
  }
  sg::Link& injection(int node) {
    return at(spec_.routes.link_count() + 2 * node, [&] {
      return create(fmt::format("{}_port_{}_UP", spec_.name, node), spec_.injection_latency, spec_.injection_bandwidth);
    });
  }
  sg::Link& ejection(int node) {
    return at(spec_.routes.link_count() + 2 * node + 1, [&] {
      return create(fmt::format("{}_port_{}_DOWN", spec_.name, node), Time(), spec_.injection_bandwidth);
    });
  }

  void use_front_end(const routing::NetPoint& front_end, const sg::Link& bus, const sg::Link& line) {
    front_end_ = &front_end;
    way_to_front_end_ = {&bus, &line};
  }

  void get_local_route(const routing::NetPoint* from, const routing::NetPoint* to, routing::Route* route,
                       double* latency) override {
    const auto add = [&](const sg::Link& link) {
      route->link_list_.push_back(link.get_impl());
      if (latency != nullptr) *latency += link.get_latency();
    };
    if (from == front_end_ || to == front_end_) {
      for (const sg::Link* link : way_to_front_end_) add(*link);
      return;
    }
    add(injection(node_of(*from)));
    TorusRoutes::for_each_link(spec_.routes.route(node_of(*from), node_of(*to)), [&](int index) { add(link(index)); });
    add(ejection(node_of(*to)));
  }

 private:
  template <class Create>
  sg::Link& at(int key, Create create) {
    sg::Link*& link = links_[key];
    if (link == nullptr) link = create();
    return *link;
  }
  sg::Link* create(const std::string& name, Time latency, Bandwidth bandwidth) {
    return create_in(*this, name, latency, bandwidth);
  }

  const TorusSpec spec_;
  const routing::NetPoint* front_end_ = nullptr;
  std::vector<const sg::Link*> way_to_front_end_;
  std::unordered_map<int, sg::Link*> links_;  // by TorusRoutes' index; behind those, the ports
};

// The zone of the hosts, which SimGrid asks for routes.
class TorusPlatform::Zone final : public routing::NetZoneImpl {
 public:
  explicit Zone(const TorusSpec& spec) : NetZoneImpl(spec.name) {}
  void use(Links& links) { links_ = &links; }

  void get_local_route(const routing::NetPoint* from, const routing::NetPoint* to, routing::Route* route,
                       double* latency) override {
    links_->get_local_route(from, to, route, latency);
  }

 private:
  Links* links_ = nullptr;
};

TorusPlatform::TorusPlatform(const TorusSpec& spec, int nodes_used) {
  auto* zone = new Zone(spec);  // SimGrid's root zone, and its to delete
  links_ = std::make_unique<Links>(spec, *zone);
  zone->use(*links_);
  for (int node = 0; node < nodes_used; ++node)
    zone->create_host(hindcast::host_name(spec.name, node), {spec.flop_rate.in_units_per_second()});
  for (const SpecialLink& link : spec.special_links)
    create_in(*zone, spec.name + "_" + link.name, link.latency, link.bandwidth);
  if (spec.front_end) {
    const FrontEndSpec& front_end = *spec.front_end;
    const sg::Link* line =
        create_in(*zone, spec.name + "_" + front_end.line.name, front_end.line.latency, front_end.line.bandwidth);
    const sg::Host* host = zone->create_host(front_end.host_name, {front_end.flop_rate.in_units_per_second()});
    links_->use_front_end(*host->get_netpoint(), *sg::Link::by_name(spec.name + "_" + front_end.bus), *line);
  }
  zone->seal();
}

TorusPlatform::~TorusPlatform() = default;

Channel TorusPlatform::link(int index) { return channel_of(links_->link(index)); }
Channel TorusPlatform::injection(int node) { return channel_of(links_->injection(node)); }
Channel TorusPlatform::ejection(int node) { return channel_of(links_->ejection(node)); }

Channel TorusPlatform::special_link(const std::string& name) const {
  return channel_of(*sg::Link::by_name(links_->spec().name + "_" + name));
}

std::string TorusPlatform::host_name(int node) const { return hindcast::host_name(links_->spec().name, node); }

Time TorusPlatform::latency(int from, int to) {
  Time sum = injection(from).latency + ejection(to).latency;
  TorusRoutes::for_each_link(links_->spec().routes.route(from, to), [&](int index) { sum += link(index).latency; });
  return sum;
}

std::string host_name(const std::string& machine, int node) { return fmt::format("{}-{}", machine, node); }

}  // namespace hindcast
