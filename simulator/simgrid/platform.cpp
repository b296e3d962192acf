#include "simulator/simgrid/platform.hpp"

#include <algorithm>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <unordered_map>

namespace hindcast {

namespace sg = simgrid::s4u;
namespace routing = simgrid::kernel::routing;

// A zone without a parent: SimGrid closes the zones of its tree when a run starts, and this one stays open for the
// links that routes come to need. They belong to the network of the tree all the same. What is needed before is the
// tree's.
class Platform::Links final : public routing::NetZoneImpl {
 public:
  Links(const std::string& name, NetZoneImpl& root) : NetZoneImpl(name + "_links"), open_zone_(&root) {
    set_network_model(root.get_network_model());
  }

  LinkNumber add(std::int64_t count, Describe describe) {
    const LinkNumber first = end_;
    ranges_.push_back({first, std::move(describe)});
    end_ += count;
    return first;
  }

  void root_is_sealed(Routes routes) {
    routes_ = std::move(routes);
    open_zone_ = this;
  }

  sg::Link& link(LinkNumber number) {
    sg::Link*& link = links_[number];
    if (link == nullptr) link = create(number);
    return *link;
  }

  bool has_made_one(LinkNumber first, std::int64_t count) const {
    return std::any_of(links_.begin(), links_.end(),
                       [&](const auto& made) { return first <= made.first && made.first < first + count; });
  }

  void visit_route(int from, int to, const Visit& visit) const { routes_(from, to, visit); }

  void get_local_route(const routing::NetPoint* from, const routing::NetPoint* to, routing::Route* route,
                       double* latency) override {
    visit_route(static_cast<int>(from->id()), static_cast<int>(to->id()), [&](LinkNumber number) {
      const sg::Link& on_way = link(number);
      route->link_list_.push_back(on_way.get_impl());
      if (latency != nullptr) *latency += on_way.get_latency();
    });
  }

 private:
  struct Range {
    LinkNumber first;
    Describe describe;
  };

  sg::Link* create(LinkNumber number) {
    const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), number,
                                         [](LinkNumber at, const Range& range) { return at < range.first; });
    const Range& range = *std::prev(behind);
    const PlatformLink described = range.describe(number - range.first);
    return open_zone_->create_link(described.name, {described.bandwidth.in_units_per_second()})
        ->set_latency(described.latency.in_seconds())
        ->seal();
  }

  NetZoneImpl* open_zone_;
  std::vector<Range> ranges_;
  LinkNumber end_ = 0;
  std::unordered_map<LinkNumber, sg::Link*> links_;
  Routes routes_;
};

// The zone of the hosts, which SimGrid asks for routes.
class Platform::Zone final : public routing::NetZoneImpl {
 public:
  explicit Zone(const std::string& name) : NetZoneImpl(name) {}
  void use(Links& links) { links_ = &links; }

  void get_local_route(const routing::NetPoint* from, const routing::NetPoint* to, routing::Route* route,
                       double* latency) override {
    links_->get_local_route(from, to, route, latency);
  }

 private:
  Links* links_ = nullptr;
};

Platform::Platform(const std::string& name) : zone_(new Zone(name)), links_(std::make_unique<Links>(name, *zone_)) {
  zone_->use(*links_);
}

Platform::~Platform() = default;

int Platform::add_host(const std::string& name, FlopRate flop_rate) {
  zone_->create_host(name, {flop_rate.in_units_per_second()});
  return hosts_++;
}

Platform::LinkNumber Platform::add_links(std::int64_t count, Describe describe) {
  return links_->add(count, std::move(describe));
}

void Platform::seal(Routes routes) {
  zone_->seal();
  links_->root_is_sealed(std::move(routes));
}

Channel Platform::link(LinkNumber number) {
  const sg::Link& link = links_->link(number);
  return Channel{Time(), Time::from_seconds(link.get_latency()), Bandwidth::per_second(link.get_bandwidth())};
}

bool Platform::has_made_a_link(LinkNumber first, std::int64_t count) const {
  return links_->has_made_one(first, count);
}

Time Platform::latency(int from_host, int to_host) {
  Time sum;
  links_->visit_route(from_host, to_host, [&](LinkNumber number) { sum += link(number).latency; });
  return sum;
}

}  // namespace hindcast
