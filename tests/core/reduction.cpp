// The predefined reductions: what they give, and which types they take (MPI-3.1, 5.9.2).
#include "mpi_impl/core/reduction.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <complex>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "mpi_impl/core/datatypes/datatype.hpp"

namespace hindcast::mpi {
namespace {

template <typename T>
T reduce(MPI_Op op, MPI_Datatype type, T in, T inout) {
  predefined_op(op)->apply(&in, &inout, 1, *predefined_datatype(type));
  return inout;
}

TEST(Reduction, OfIntegers) {
  EXPECT_EQ(reduce(MPI_MAX, MPI_INT, -3, 2), 2);
  EXPECT_EQ(reduce(MPI_MIN, MPI_INT, -3, 2), -3);
  EXPECT_EQ(reduce(MPI_SUM, MPI_INT, -3, 2), -1);
  EXPECT_EQ(reduce(MPI_PROD, MPI_INT, -3, 2), -6);
  EXPECT_EQ(reduce(MPI_LAND, MPI_INT, 4, 2), 1);
  EXPECT_EQ(reduce(MPI_LAND, MPI_INT, 4, 0), 0);
  EXPECT_EQ(reduce(MPI_LOR, MPI_INT, 0, 8), 1);
  EXPECT_EQ(reduce(MPI_LXOR, MPI_INT, 4, 2), 0);
  EXPECT_EQ(reduce(MPI_LXOR, MPI_INT, 4, 0), 1);
  EXPECT_EQ(reduce(MPI_BAND, MPI_INT, 6, 3), 2);
  EXPECT_EQ(reduce(MPI_BOR, MPI_INT, 6, 3), 7);
  EXPECT_EQ(reduce(MPI_BXOR, MPI_INT, 6, 3), 5);
  EXPECT_EQ(reduce<unsigned char>(MPI_SUM, MPI_UNSIGNED_CHAR, 200, 100), 44);
  EXPECT_EQ(reduce<char>(MPI_SUM, MPI_CHAR, 'a', 2), 'c');
  EXPECT_EQ(reduce<char>(MPI_LAND, MPI_CHAR, 'a', 2), 1);
  EXPECT_EQ(reduce<MPI_Aint>(MPI_LXOR, MPI_AINT, 4, 0), 1);
  EXPECT_EQ(reduce(MPI_MAX, MPI_UNSIGNED, 0x80000000U, 1U), 0x80000000U);
}

// Also where the result is to be in place of either operand.
TEST(Reduction, KeepsTheOrderOfOperandsWhereverTheResultIs) {
  const double zeros[] = {0.0, -0.0};
  for (const int places : {1, 2, 7, 64, 1001}) {
    const auto size = static_cast<std::size_t>(places);
    std::vector<double> first(size), second(size), expected(size);
    for (std::size_t i = 0; i < size; ++i) {
      first[i] = i % 3 == 0 ? zeros[0] : static_cast<double>(i % 10);
      second[i] = i % 3 == 0 ? zeros[1] : static_cast<double>(i % 7);
      expected[i] = first[i] > second[i] ? first[i] : second[i];  // of the two zeros the second
    }
    const auto combine = [&](const std::vector<double>& a, const std::vector<double>& b, std::vector<double>& out) {
      predefined_op(MPI_MAX)->combine(a.data(), b.data(), out.data(), size, *predefined_datatype(MPI_DOUBLE));
      EXPECT_EQ(std::memcmp(out.data(), expected.data(), size * sizeof(double)), 0);
    };
    std::vector<double> elsewhere(size), a = first, b = second;
    combine(first, second, elsewhere);
    combine(a, second, a);
    combine(first, b, b);
  }
}

TEST(Reduction, OfIntegersWrapsAround) {
  EXPECT_EQ(reduce(MPI_SUM, MPI_INT, INT_MAX, 1), INT_MIN);
  EXPECT_EQ(reduce(MPI_PROD, MPI_LONG, LONG_MAX, 2L), -2L);
  EXPECT_EQ(reduce<unsigned short>(MPI_PROD, MPI_UNSIGNED_SHORT, 65535, 65535), 1);
}

TEST(Reduction, OfOtherTypes) {
  EXPECT_EQ(reduce(MPI_SUM, MPI_DOUBLE, 0.25, 0.5), 0.75);
  EXPECT_EQ(reduce(MPI_MAX, MPI_LONG_DOUBLE, 2.0L, 1.0L), 2.0L);
  using Complex = std::complex<double>;
  EXPECT_EQ(reduce(MPI_PROD, MPI_C_DOUBLE_COMPLEX, Complex(0, 1), Complex(0, 1)), Complex(-1, 0));
  EXPECT_EQ(reduce(MPI_LXOR, MPI_C_BOOL, true, true), false);
  EXPECT_EQ(reduce<std::uint8_t>(MPI_BXOR, MPI_BYTE, 0xf0, 0xff), 0x0f);
  EXPECT_EQ(static_cast<double>(reduce<__float128>(MPI_SUM, MPI_REAL16, 1, 2)), 3);
}

TEST(Reduction, OfPairsTakesTheLowerIndexInATie) {
  using P = Pair<double, int>;
  EXPECT_EQ(reduce(MPI_MAXLOC, MPI_DOUBLE_INT, P{3, 7}, P{3, 4}).index, 4);
  EXPECT_EQ(reduce(MPI_MAXLOC, MPI_DOUBLE_INT, P{3, 4}, P{3, 7}).index, 4);
  EXPECT_EQ(reduce(MPI_MAXLOC, MPI_DOUBLE_INT, P{1, 4}, P{3, 7}).index, 7);
  EXPECT_EQ(reduce(MPI_MINLOC, MPI_DOUBLE_INT, P{1, 4}, P{3, 7}).index, 4);
  EXPECT_EQ(reduce(MPI_MINLOC, MPI_DOUBLE_INT, P{3, 9}, P{3, 7}).index, 7);
}

TEST(Reduction, IsDefinedForTheTypesOfTheStandardAndForWhatEveryMpiTakes) {
  const std::map<MPI_Datatype, std::string> takes = {
      {MPI_INT, "MPI_MAX MPI_MIN MPI_SUM MPI_PROD MPI_LAND MPI_BAND MPI_LOR MPI_BOR MPI_LXOR MPI_BXOR "},
      {MPI_INTEGER, "MPI_MAX MPI_MIN MPI_SUM MPI_PROD MPI_BAND MPI_BOR MPI_BXOR "},
      {MPI_AINT, "MPI_MAX MPI_MIN MPI_SUM MPI_PROD MPI_LAND MPI_BAND MPI_LOR MPI_BOR MPI_LXOR MPI_BXOR "},
      {MPI_COUNT, "MPI_MAX MPI_MIN MPI_SUM MPI_PROD MPI_LAND MPI_BAND MPI_LOR MPI_BOR MPI_LXOR MPI_BXOR "},
      {MPI_FLOAT, "MPI_MAX MPI_MIN MPI_SUM MPI_PROD "},
      {MPI_DOUBLE_COMPLEX, "MPI_SUM MPI_PROD "},
      {MPI_LOGICAL, "MPI_LAND MPI_LOR MPI_LXOR "},
      {MPI_CXX_BOOL, "MPI_LAND MPI_LOR MPI_LXOR "},
      {MPI_BYTE, "MPI_BAND MPI_BOR MPI_BXOR "},
      {MPI_2INT, "MPI_MAXLOC MPI_MINLOC "},
      {MPI_CHAR, "MPI_MAX MPI_MIN MPI_SUM MPI_PROD MPI_LAND MPI_BAND MPI_LOR MPI_BOR MPI_LXOR MPI_BXOR "},
      {MPI_CHARACTER, ""},
      {MPI_PACKED, ""},
  };
  for (const auto& [type, expected] : takes) {
    std::string found;
    for (int op = MPI_MAX; op <= MPI_MINLOC; ++op)
      if (predefined_op(op)->takes(*predefined_datatype(type))) found += predefined_op(op)->name + std::string(" ");
    EXPECT_EQ(found, expected) << predefined_datatype(type)->name;
  }
}

}  // namespace
}  // namespace hindcast::mpi
