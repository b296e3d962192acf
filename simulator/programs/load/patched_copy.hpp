// A copy of an ELF file that can be loaded beside others of itself, and whose constructors are left to us.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/programs/load/elf_image.hpp"

namespace hindcast::programs {

// A name that an image needs, and what it needs instead: of the same length.
using Renaming = std::pair<std::string, std::string>;

// - Constructors and destructors are taken out of its dynamic section: they run later, on the rank's stack.
// - Nothing becomes read-only after relocation.
// - Symbols of which the whole process would have one (STB_GNU_UNIQUE) become ordinary ones.
// - Symbols that it asks for and that are to be bound later may be missing.
// Throws ProgramError if it needs a name for which another length would be needed instead.
std::string patched_copy(const ElfImage& image, const std::vector<Renaming>& renamings,
                         const std::function<bool(std::uint32_t)>& is_bound_later = {});

}  // namespace hindcast::programs
