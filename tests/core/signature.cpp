// The external32 form of basic elements, number by number.
#include "mpi_impl/core/datatypes/signature.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "mpi_impl/core/datatypes/datatype.hpp"

namespace hindcast::mpi {
namespace {

template <typename T>
std::string external(MPI_Datatype type, const T& value) {
  const Signature& signature = *map_of(*predefined_datatype(type))->signature();
  std::array<std::byte, 64> bytes{};
  to_external(signature, 1, reinterpret_cast<const std::byte*>(&value), bytes.data());
  std::string text;
  for (std::size_t i = 0; i < signature.external_bytes; ++i) {
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(bytes[i]));
    text += hex;
  }
  return text;
}

template <typename T>
T there_and_back(MPI_Datatype type, const T& value) {
  const Signature& signature = *map_of(*predefined_datatype(type))->signature();
  std::array<std::byte, 64> bytes{};
  to_external(signature, 1, reinterpret_cast<const std::byte*>(&value), bytes.data());
  T back{};
  from_external(signature, 1, bytes.data(), reinterpret_cast<std::byte*>(&back));
  return back;
}

TEST(External32, IntegersAreBigEndian) {
  EXPECT_EQ(external(MPI_INT, 0x01020304), "01020304");
  EXPECT_EQ(external(MPI_SHORT, short{-2}), "fffe");
  EXPECT_EQ(external(MPI_LONG_LONG, -3LL), "fffffffffffffffd");
  EXPECT_EQ(external(MPI_AINT, MPI_Aint{0x1122334455667788}), "1122334455667788");
  EXPECT_EQ(external(MPI_CHAR, 'a'), "61");
}

TEST(External32, LongsHaveFourBytesThere) {
  EXPECT_EQ(external(MPI_LONG, 0x01020304L), "01020304");
  EXPECT_EQ(external(MPI_LONG, -2L), "fffffffe");
  EXPECT_EQ(external(MPI_UNSIGNED_LONG, 0xfffffffeUL), "fffffffe");
  EXPECT_EQ(external(MPI_WCHAR, wchar_t{0x263a}), "263a");
  for (const long value : {0L, 1L, -1L, 2147483647L, -2147483648L}) EXPECT_EQ(there_and_back(MPI_LONG, value), value);
  EXPECT_EQ(there_and_back(MPI_UNSIGNED_LONG, 4294967295UL), 4294967295UL);
  // What does not fit keeps its sign and its least significant bytes.
  EXPECT_EQ(external(MPI_LONG, 0x1289abcdefL), "09abcdef");
  EXPECT_EQ(there_and_back(MPI_LONG, -0x1200000001L), -1L);
}

TEST(External32, FloatingNumbersAreIeeeOnes) {
  EXPECT_EQ(external(MPI_FLOAT, 1.0F), "3f800000");
  EXPECT_EQ(external(MPI_DOUBLE, -2.0), "c000000000000000");
  EXPECT_EQ(external(MPI_LONG_DOUBLE, 1.0L), "3fff0000000000000000000000000000");
  EXPECT_EQ(external(MPI_LONG_DOUBLE, -1.5L), "bfff8000000000000000000000000000");
  for (const long double value : {0.1L, -3.25L, 1e4000L, 5e-4940L, std::numeric_limits<long double>::infinity()})
    EXPECT_EQ(there_and_back(MPI_LONG_DOUBLE, value), value);
  EXPECT_TRUE(std::isnan(there_and_back(MPI_LONG_DOUBLE, std::numeric_limits<long double>::quiet_NaN())));
}

TEST(External32, ComplexNumbersAreTwo) {
  const float both[2] = {1.0F, -2.0F};
  EXPECT_EQ(external(MPI_C_COMPLEX, both), "3f800000c0000000");
  const long double wide[2] = {1.0L, -1.0L};
  EXPECT_EQ(external(MPI_C_LONG_DOUBLE_COMPLEX, wide),
            "3fff0000000000000000000000000000bfff0000000000000000000000000000");
}

TEST(External32, PairsLieSideBySide) {
  const struct {
    long value;
    int index;
  } __attribute__((packed)) pair{-1, 7};
  EXPECT_EQ(external(MPI_LONG_INT, pair), "ffffffff00000007");
}

// MPI-3.1, table 13.2.
TEST(External32, WholeElementsInSoManyBytes) {
  const TypeMapPointer one_long = map_of(*predefined_datatype(MPI_LONG)),
                       one_char = map_of(*predefined_datatype(MPI_CHAR));
  const std::array<int, 2> lengths{2, 1};
  const std::array<MPI_Aint, 2> places{0, 16};
  const TypeMapPointer both = struct_type(lengths, places, {one_long, one_char});  // nine bytes there
  const std::array<std::size_t, 12> expected{0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 3, 3};
  for (std::size_t bytes = 0; bytes < expected.size(); ++bytes)
    EXPECT_EQ(elements_in_external(*both->signature(), bytes), expected[bytes]) << bytes;
  EXPECT_EQ(elements_in_external(*both->signature(), 9 * 1000 + 5), 3001U);
}

TEST(External32, SizesAreTheTables) {
  const struct {
    MPI_Datatype type;
    std::size_t bytes;
  } table[] = {{MPI_PACKED, 1},
               {MPI_BYTE, 1},
               {MPI_CHAR, 1},
               {MPI_UNSIGNED_CHAR, 1},
               {MPI_SIGNED_CHAR, 1},
               {MPI_WCHAR, 2},
               {MPI_SHORT, 2},
               {MPI_UNSIGNED_SHORT, 2},
               {MPI_INT, 4},
               {MPI_UNSIGNED, 4},
               {MPI_LONG, 4},
               {MPI_UNSIGNED_LONG, 4},
               {MPI_LONG_LONG, 8},
               {MPI_UNSIGNED_LONG_LONG, 8},
               {MPI_FLOAT, 4},
               {MPI_DOUBLE, 8},
               {MPI_LONG_DOUBLE, 16},
               {MPI_C_BOOL, 1},
               {MPI_INT8_T, 1},
               {MPI_INT16_T, 2},
               {MPI_INT32_T, 4},
               {MPI_INT64_T, 8},
               {MPI_UINT8_T, 1},
               {MPI_UINT16_T, 2},
               {MPI_UINT32_T, 4},
               {MPI_UINT64_T, 8},
               {MPI_AINT, 8},
               {MPI_COUNT, 8},
               {MPI_OFFSET, 8},
               {MPI_C_COMPLEX, 8},
               {MPI_C_DOUBLE_COMPLEX, 16},
               {MPI_C_LONG_DOUBLE_COMPLEX, 32},
               {MPI_CHARACTER, 1},
               {MPI_LOGICAL, 4},
               {MPI_INTEGER, 4},
               {MPI_REAL, 4},
               {MPI_DOUBLE_PRECISION, 8},
               {MPI_COMPLEX, 8},
               {MPI_DOUBLE_COMPLEX, 16},
               {MPI_CXX_BOOL, 1},
               {MPI_CXX_FLOAT_COMPLEX, 8},
               {MPI_CXX_DOUBLE_COMPLEX, 16},
               {MPI_CXX_LONG_DOUBLE_COMPLEX, 32},
               {MPI_INTEGER1, 1},
               {MPI_INTEGER2, 2},
               {MPI_INTEGER4, 4},
               {MPI_INTEGER8, 8},
               {MPI_INTEGER16, 16},
               {MPI_REAL4, 4},
               {MPI_REAL8, 8},
               {MPI_REAL16, 16},
               {MPI_COMPLEX8, 8},
               {MPI_COMPLEX16, 16},
               {MPI_COMPLEX32, 32}};  // clang-format keeps this a table
  for (const auto& row : table)
    EXPECT_EQ(map_of(*predefined_datatype(row.type))->signature()->external_bytes, row.bytes)
        << predefined_datatype(row.type)->name;
}

}  // namespace
}  // namespace hindcast::mpi
