// Every rank's program is a copy of the file, loaded by the system's loader: a debugger then sees each as it sees any
// library. It takes more memory, and more time the more ranks there are.

#include "simulator/programs/load/loader.hpp"

namespace hindcast::programs {

namespace {

class CopyLoader final : public Loader {
 public:
  CopyLoader(ProgramFiles files, std::size_t ranks, std::size_t stack_bytes)
      : Loader(std::move(files)), loaded_(ranks) {
    arena_ = std::make_unique<Arena>(ranks, 0, stack_bytes, GuardKind::best_available, files_.stack_kind());
  }

  void load(std::size_t slot) override {
    loaded_[slot] = load_files();
    take_over_thread_variables(slot);
    arena_->install_guard(slot);
  }

  std::byte* base(std::size_t slot, std::size_t image) const override { return loaded_[slot].images[image].base; }
  const LoadedFiles& loaded_files(std::size_t slot) const override { return loaded_[slot]; }

 private:
  std::vector<LoadedFiles> loaded_;
};

}  // namespace

std::unique_ptr<Loader> make_copy_loader(ProgramFiles files, std::size_t ranks, std::size_t stack_bytes) {
  return std::make_unique<CopyLoader>(std::move(files), ranks, stack_bytes);
}

}  // namespace hindcast::programs
