// Puts and gets of windows in global memory: between nodes by the units, inside a node by the calling processor, which
// copies. Neither takes anything of the target's processor.
#pragma once

#include "mpi_impl/libraries/earth_simulator/native/rcu_client.hpp"
#include "mpi_impl/transport/local_costs.hpp"
#include "mpi_impl/transport/remote_access.hpp"

namespace hindcast::mpi {

class EsRemoteAccess final : public RemoteAccess {
 public:
  // All outlive it. `call` is what MPI takes for an operation.
  EsRemoteAccess(earth_simulator::RcuClient& self, const FixedStep& call, const LocalCosts& local, bool combines)
      : self_(self), call_(call), local_(local), combines_(combines) {}

  bool reaches(int rank) const override;
  bool moves(const void* here, const void* there, Bytes bytes) const override;
  void put(int to, void* there, const void* here, Bytes bytes, Completion& over) override;
  void get(int from, void* here, const void* there, Bytes bytes, Completion& over) override;
  bool combines_from_afar() const override { return combines_; }
  void finish_puts() override {}  // they are over when they are written

 private:
  earth_simulator::RcuClient& client_of(int rank) const {
    return *self_.units().clients[static_cast<std::size_t>(rank)];
  }
  void copy(void* to, const void* from, Bytes bytes, Completion& over);

  earth_simulator::RcuClient& self_;
  const FixedStep& call_;
  const LocalCosts& local_;
  const bool combines_;
};

}  // namespace hindcast::mpi
