// The files of a rank, and the representations that its program has registered.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mpi_impl/core/files/file.hpp"

namespace hindcast::mpi {

class Files {
 public:
  File* find(MPI_File handle) const { return table_.find(handle); }
  File& create() {
    File& file = table_.create();
    static_cast<FileParts&>(file) = FileParts();
    return file;
  }
  void destroy(File& file) {
    static_cast<FileParts&>(file) = FileParts();
    table_.destroy(file);
  }

  // Null if there is none of this name.
  const Representation* find_representation(const std::string& name) const {
    if (const Representation* standard = standard_representation(name)) return standard;
    const auto found = registered_.find(name);
    return found != registered_.end() ? &*found->second : nullptr;
  }
  void add_representation(const std::string& name, const Conversions& conversions) {
    const auto place = registered_.try_emplace(name).first;
    place->second.emplace(place->first, conversions);
  }
  // What a registered one refers to.
  void keep(std::shared_ptr<void> state) { kept_.push_back(std::move(state)); }

 private:
  Table<File, HandleKind::file, 4> table_;
  std::map<std::string, std::optional<Representation>> registered_;
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace hindcast::mpi
