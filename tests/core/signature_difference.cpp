// Where data of two datatypes begin to consist of different numbers.
#include "mpi_impl/core/datatypes/signature_difference.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <vector>

#include "mpi_impl/core/datatypes/datatype.hpp"

namespace hindcast::mpi {
namespace {

constexpr std::size_t no_difference = ~std::size_t{0};

SignaturePointer of(MPI_Datatype type) { return map_of(*predefined_datatype(type))->signature(); }
SignaturePointer of(const std::vector<SignaturePointer>& parts) { return in_order(parts); }

std::size_t place(const SignaturePointer& first, const SignaturePointer& second, std::size_t bytes) {
  const auto found = difference(*first, *second, bytes);
  EXPECT_EQ(found.has_value(), difference(*second, *first, bytes).has_value());
  return found ? found->at : no_difference;
}

TEST(SignatureDifference, NumbersAlikeDoNotDiffer) {
  EXPECT_EQ(place(of(MPI_INT), of(MPI_INT), 400), no_difference);
  EXPECT_EQ(place(of(MPI_INT), of(MPI_UNSIGNED), 400), no_difference);
  EXPECT_EQ(place(of(MPI_C_FLOAT_COMPLEX), of(MPI_FLOAT), 400), no_difference);
  EXPECT_EQ(place(of(MPI_INT), repeated(7, of(MPI_INT)), 400), no_difference);
}

TEST(SignatureDifference, LengthsAndSortsDiffer) {
  EXPECT_EQ(place(of(MPI_INT), of(MPI_FLOAT), 4), 0);
  EXPECT_EQ(place(of(MPI_INT), of(MPI_LONG), 8), 0);
  EXPECT_EQ(place(of(MPI_DOUBLE), of(MPI_FLOAT), 8), 0);
  EXPECT_EQ(place(of(MPI_INT), of(MPI_FLOAT), 0), no_difference);
}

TEST(SignatureDifference, FloatingPointNumbersOfOneLengthAreToldApart) {
  const auto found = difference(*of(MPI_LONG_DOUBLE), *of(MPI_REAL16), 16);
  ASSERT_TRUE(found);
  EXPECT_EQ(describe(found->first), "a floating-point number of 80 bits");
  EXPECT_EQ(describe(found->second), "a floating-point number of 16 bytes");
}

TEST(SignatureDifference, PartsAreGoneThroughAgainAndAgain) {
  const SignaturePointer pair = of({of(MPI_INT), of(MPI_DOUBLE)});
  EXPECT_EQ(place(pair, of(MPI_INT), 36), 4);
  EXPECT_EQ(place(pair, repeated(5, pair), 120), no_difference);
  const SignaturePointer nested = of({repeated(2, pair), of(MPI_INT), of(MPI_FLOAT), of(MPI_FLOAT)});
  EXPECT_EQ(place(pair, nested, 28), no_difference);
  EXPECT_EQ(place(pair, nested, 36), 28);
  EXPECT_EQ(place(repeated(3, pair), of({pair, repeated(2, pair)}), 360), no_difference);
}

// One by one they would take years.
TEST(SignatureDifference, OfMoreElementsThanCanBeGoneThroughNoneDiffers) {
  constexpr std::size_t many = std::size_t{1} << 50;
  const SignaturePointer pair = of({of(MPI_INT), of(MPI_DOUBLE)});
  EXPECT_EQ(place(of(MPI_DOUBLE), of(MPI_DOUBLE), 8 * many), no_difference);
  EXPECT_EQ(place(of(MPI_DOUBLE), repeated(many, of(MPI_DOUBLE)), 8 * many), no_difference);
  EXPECT_EQ(place(pair, of({pair, repeated(2, pair)}), 36 * many), no_difference);
  EXPECT_EQ(place(pair, of(MPI_BYTE), 12 * many), no_difference);
}

TEST(SignatureDifference, SingleBytesMayBeAnything) {
  const SignaturePointer pair = of({of(MPI_INT), of(MPI_DOUBLE)});
  EXPECT_EQ(place(pair, of(MPI_BYTE), 36), no_difference);
  EXPECT_EQ(place(pair, of(MPI_PACKED), 36), no_difference);
  EXPECT_EQ(place(pair, of({of(MPI_INT), repeated(8, of(MPI_BYTE))}), 36), no_difference);
  EXPECT_EQ(place(pair, of({repeated(4, of(MPI_BYTE)), of(MPI_INT), of(MPI_INT)}), 36), 4);
}

TEST(SignatureDifference, WithoutElementsNothingDiffers) {
  EXPECT_EQ(place(repeated(0, of(MPI_INT)), of(MPI_FLOAT), 8), no_difference);
}

}  // namespace
}  // namespace hindcast::mpi
