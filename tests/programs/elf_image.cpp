#include "simulator/programs/load/elf_image.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "simulator/programs/load/patched_copy.hpp"
#include "simulator/programs/load/program_error.hpp"

namespace hindcast::programs {
namespace {

constexpr const char* library = "/lib/x86_64-linux-gnu/libm.so.6";

TEST(ElfImage, ReadsALibrary) {
  const ElfImage image(library);
  EXPECT_FALSE(image.is_pie());
  EXPECT_NE(std::find(image.needed().begin(), image.needed().end(), "libc.so.6"), image.needed().end());
  EXPECT_LT(image.text_begin(), image.data_begin());
  EXPECT_LT(image.data_begin(), image.span());
  EXPECT_EQ(image.span() % 4096, 0u);
  EXPECT_LT(image.data_begin(), image.zeros_begin());
  EXPECT_LE(image.zeros_begin(), image.span());
  EXPECT_EQ(image.zeros_begin() % 4096, 0u);
  EXPECT_GT(image.symbol_count(), 100u);
  int relocations = 0;
  image.for_each_relocation([&](const ElfImage::Relocation& relocation) {
    ++relocations;
    EXPECT_LT(relocation.offset, image.span());
  });
  EXPECT_GT(relocations, 0);
}

TEST(ElfImage, TellsAProgramFromALibrary) { EXPECT_TRUE(ElfImage("/proc/self/exe").is_pie()); }

TEST(ElfImage, RefusesWhatIsNone) {
  EXPECT_THROW(ElfImage("/no/such/file"), ProgramError);
  EXPECT_THROW(ElfImage("/etc/passwd"), ProgramError);
  EXPECT_THROW(ElfImage("/"), ProgramError);
}

// Every prefix of a file is either refused or read without going beyond its end, which the sanitizers watch.
TEST(ElfImage, RefusesEveryFileThatEndsTooEarly) {
  const std::string whole = ElfImage(library).bytes();
  const auto path = std::filesystem::temp_directory_path() / ("hindcast-elf-image-" + std::to_string(getpid()));
  for (std::size_t length = 1; length < whole.size(); length = length * 3 / 2 + 1) {
    std::ofstream(path, std::ios::binary).write(whole.data(), static_cast<std::streamsize>(length));
    try {
      ElfImage image(path);
    } catch (const ProgramError& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    }
  }
  std::filesystem::remove(path);
}

TEST(PatchedCopy, ChangesNamesAndTakesOutConstructorsInPlace) {
  const ElfImage image(library);
  const std::string copy = patched_copy(image, {{"libc.so.6", "0000/so.6"}});
  ASSERT_EQ(copy.size(), image.bytes().size());
  const auto path = std::filesystem::temp_directory_path() / ("hindcast-patched-" + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary).write(copy.data(), static_cast<std::streamsize>(copy.size()));
  const ElfImage patched(path);
  std::filesystem::remove(path);
  EXPECT_NE(std::find(patched.needed().begin(), patched.needed().end(), "0000/so.6"), patched.needed().end());
  EXPECT_NE(image.initialisers().single + image.initialisers().array_count, 0u);
  EXPECT_EQ(patched.initialisers().single, 0u);
  EXPECT_EQ(patched.initialisers().array_count, 0u);
  EXPECT_EQ(patched.finalisers().array_count, 0u);
}

}  // namespace
}  // namespace hindcast::programs
