// APlib, beside MPI/AP on the message layer of the AP3000.
#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/aplib/native/cell.hpp"
#include "mpi_impl/libraries/common/rank_parts.hpp"

namespace hindcast {

namespace {

class ApLibrary final : public RunningLibrary {
 public:
  explicit ApLibrary(const LibraryStart& start)
      : settings_{.crashes_from = start.machine.parameters().bytes("aplib.crashes_from"),
                  .combine = {{"combine", "processor.combine_rate"}, start.machine.processor().combine_rate}} {}

  void add_rank(Rank& rank, int, int) override {
    ap3000::Node& node = *ap3000::Node::of(rank);
    if (cells_.living() == 0 && settings_.of_programs == 0) {
      settings_.of_programs = node.system().new_context();
      settings_.of_library = node.system().new_context();
    }
    cells_.add(rank.id, node, settings_);
  }
  bool forget_rank(const Rank& rank) override {
    if (aplib::Cell::of(rank) != nullptr) cells_.remove(rank.id);
    return true;
  }

 private:
  aplib::Settings settings_;
  RankParts<aplib::Cell> cells_;
};

std::unique_ptr<RunningLibrary> start(const LibraryStart& start) { return std::make_unique<ApLibrary>(start); }
mpi::CostModel no_costs(const MachineFile&, int) { return {}; }

const Row<Library> aplib_row{
    {.name = "aplib", .stands_on = {"ap3000"}, .runs_beside = "ap3000", .start = start, .costs = no_costs}};

}  // namespace

}  // namespace hindcast
