// Predefined datatypes, packing of elements with gaps, and counts of elements.
#include "mpi_impl/core/datatypes/datatype.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace hindcast::mpi {
namespace {

TEST(Datatype, EveryConstantFindsItsOwnRow) {
  for (std::size_t row = 0; row < predefined_datatype_count; ++row) {
    const Datatype& type = predefined_datatypes[row];
    EXPECT_EQ(predefined_datatype(type.handle), &type);
    if (type.handle != MPI_LB && type.handle != MPI_UB) {
      EXPECT_GT(type.size, 0U) << type.name;
    }
    EXPECT_GE(type.extent, static_cast<std::ptrdiff_t>(type.size)) << type.name;
  }
  EXPECT_STREQ(predefined_datatype(MPI_DOUBLE)->name, "MPI_DOUBLE");
  EXPECT_EQ(predefined_datatype(MPI_DATATYPE_NULL), nullptr);
  EXPECT_EQ(predefined_datatype(MPI_COMM_WORLD), nullptr);
  EXPECT_EQ(predefined_datatype(MPI_UB + 1), nullptr);
}

TEST(Datatype, PacksWithoutGapsAndLeavesThemAloneWhenUnpacking) {
  struct Element {
    short value;
    int index;
  };
  const Datatype& type = *predefined_datatype(MPI_SHORT_INT);
  ASSERT_EQ(type.size, 6U);
  ASSERT_FALSE(type.is_contiguous);
  std::vector<Element> out(5);
  std::memset(static_cast<void*>(out.data()), 0xaa, sizeof(Element) * out.size());
  for (int i = 0; i < 5; ++i) out[static_cast<std::size_t>(i)] = {static_cast<short>(i + 1), 100 * i};
  std::vector<unsigned char> packed(30);
  pack(type, out.data(), 5, packed.data());
  int third = 0;
  std::memcpy(&third, packed.data() + 3 * 6 + 2, sizeof third);
  EXPECT_EQ(third, 300);

  std::vector<unsigned char> in(sizeof(Element) * 5, 0x55);
  unpack(type, packed.data(), 26, in.data());  // four and a third of the fifth
  for (int i = 0; i < 5; ++i) {
    Element element;
    std::memcpy(&element, in.data() + sizeof(Element) * static_cast<std::size_t>(i), sizeof element);
    EXPECT_EQ(element.value, i + 1);
    if (i < 4) {
      EXPECT_EQ(element.index, 100 * i);
    }
    EXPECT_EQ(in[sizeof(Element) * static_cast<std::size_t>(i) + 2], 0x55);
  }
  EXPECT_EQ(in[4 * sizeof(Element) + 4 + 2], 0x55);
}

TEST(Datatype, CountsElements) {
  const Datatype& pair = *predefined_datatype(MPI_DOUBLE_INT);
  EXPECT_EQ(count_of(pair, 36), 3);
  EXPECT_EQ(count_of(pair, 32), MPI_UNDEFINED);
  EXPECT_EQ(basic_elements_of(pair, 32), 5);  // two, and one more value
  EXPECT_EQ(basic_elements_of(pair, 30), MPI_UNDEFINED);
  for (std::size_t elements = 0; elements < 9; ++elements)
    EXPECT_EQ(basic_elements_of(pair, bytes_of_basic_elements(pair, elements)), static_cast<MPI_Count>(elements));
}

}  // namespace
}  // namespace hindcast::mpi
