#include "mpi_impl/libraries/common/tests/random_programs/site.hpp"

#include "tests/support/ranks.hpp"
#include "tests/support/test_network.hpp"

namespace hindcast::mpi::random_programs {

Site::Site(Engine& engine, NetworkKind kind, int nodes) {
  if (kind == NetworkKind::test) {
    test::make_nodes(nodes);
    own_ = std::make_unique<test::TestNetwork>(engine, nodes);
    network_ = own_.get();
  } else {
    file_.set("network=fluid");
    machine_ = Machine::build(engine, file_, nodes);
    network_ = &machine_->network();
  }
}

std::string Site::node_name(int node) const {
  return machine_ ? machine_->node_name(node) : "h" + std::to_string(node);
}

}  // namespace hindcast::mpi::random_programs
