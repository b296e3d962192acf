// MPI's puts and gets are CellOS's, but for those of the host, which has no such memory.
#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"
#include "mpi_impl/libraries/cellos/native/system.hpp"

namespace hindcast::mpi {

namespace {

// Goes when it has been told.
class AccessToWindow final : public DoneSink {
 public:
  AccessToWindow(Engine& engine, Completion& over) : engine_(engine), over_(over) {}

 private:
  void done() override {
    const std::unique_ptr<AccessToWindow> self(this);
    over_.complete(engine_.now());
  }

  Engine& engine_;
  Completion& over_;
};

}  // namespace

bool CellosEndpoint::reaches(int rank) const {
  return !cell_.is_host() && !cell_.system().cell_of_rank(rank).is_host();
}

void CellosEndpoint::put(int to, void* there, const void* here, Bytes bytes, Completion& over) {
  cellos::System& system = cell_.system();
  auto sink = std::make_unique<AccessToWindow>(system.engine(), over);
  system.put_and_get().put(cell_, system.cell_of_rank(to), in_one_piece(here, bytes), in_one_piece(there, bytes),
                           *sink.release());
}

void CellosEndpoint::get(int from, void* here, const void* there, Bytes bytes, Completion& over) {
  cellos::System& system = cell_.system();
  auto sink = std::make_unique<AccessToWindow>(system.engine(), over);
  system.put_and_get().get(cell_, system.cell_of_rank(from), in_one_piece(here, bytes), in_one_piece(there, bytes),
                           *sink.release());
}

}  // namespace hindcast::mpi
