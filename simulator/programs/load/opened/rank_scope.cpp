#include "simulator/programs/load/opened/rank_scope.hpp"

#include "simulator/programs/load/loader.hpp"
#include "simulator/programs/load/opened/opened_library.hpp"

namespace hindcast::programs {

namespace {

bool is_thread_variable(const Elf64_Sym& symbol) { return ELF64_ST_TYPE(symbol.st_info) == STT_TLS; }

std::byte* address_in(const LoadedImage& loaded, const std::string& name) {
  const Elf64_Sym* const symbol = loaded.image->exported(name);
  return symbol == nullptr || is_thread_variable(*symbol) ? nullptr : loaded.address_of(*symbol);
}

}  // namespace

std::vector<Renaming> RankScope::renamings() const {
  std::vector<Renaming> renamings = loader_.loaded_files(slot_).renamings;
  for (const auto& library : opened_) renamings.push_back(library->renaming());
  return renamings;
}

std::byte* RankScope::address_of(const std::string& name) const {
  const LoadedImage program = loader_.image(slot_, loader_.files().images.size() - 1);
  if (std::byte* const found = address_in(program, name)) return found;
  if (std::byte* const found = address_in(program, name_offered(name))) return found;
  for (const auto& library : opened_)
    if (std::byte* const found = library->is_global ? address_in(library->loaded(), name) : nullptr) return found;
  return nullptr;
}

std::byte* RankScope::in_rank(std::byte* address) const { return loader_.in_slot(address, slot_); }

std::optional<RankScope::ThreadVariable> RankScope::thread_variable(const std::string& name) const {
  for (std::size_t i = loader_.files().images.size(); i-- > 0;) {
    const Elf64_Sym* const symbol = loader_.files().images[i].exported(name);
    if (symbol != nullptr && is_thread_variable(*symbol))
      return ThreadVariable{&loader_.thread_variables(slot_, i), symbol->st_value};
  }
  return std::nullopt;
}

ThreadVariables* RankScope::thread_variables_of(std::size_t module) const {
  if (module == 0) return nullptr;
  const std::vector<void*>& handles = loader_.loaded_files(slot_).handles;
  for (std::size_t i = 0; i < handles.size(); ++i)
    if (module_of(handles[i]) == module) return &loader_.thread_variables(slot_, i);
  for (const auto& library : opened_)
    if (module_of(library->handle()) == module) return library->thread_variables();
  return nullptr;
}

}  // namespace hindcast::programs
