// Error classes, and codes that a program adds.
#include "mpi_impl/core/error.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace hindcast::mpi {
namespace {

TEST(ErrorClasses, HaveDistinctNamesAndTexts) {
  std::set<std::string> names, texts;
  for (int error_class = MPI_SUCCESS; error_class <= MPI_ERR_LASTCODE; ++error_class) {
    names.insert(name_of_class(error_class));
    texts.insert(text_of_class(error_class));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(MPI_ERR_LASTCODE) + 1);
  EXPECT_EQ(texts.size(), static_cast<std::size_t>(MPI_ERR_LASTCODE) + 1);
  EXPECT_STREQ(name_of_class(MPI_ERR_TRUNCATE), "MPI_ERR_TRUNCATE");
}

TEST(AddedErrors, BelongToTheirClasses) {
  AddedErrors errors;
  EXPECT_FALSE(errors.is_known(MPI_ERR_LASTCODE + 1));
  const int own_class = errors.add_class();
  const int code = errors.add_code(own_class);
  const int other = errors.add_code(MPI_ERR_IO);
  EXPECT_EQ(own_class, MPI_ERR_LASTCODE + 1);
  EXPECT_EQ(errors.class_of(own_class), own_class);
  EXPECT_EQ(errors.class_of(code), own_class);
  EXPECT_EQ(errors.class_of(other), MPI_ERR_IO);
  EXPECT_EQ(errors.class_of(MPI_ERR_RANK), MPI_ERR_RANK);
  errors.set_text(code, "no wind");
  EXPECT_EQ(errors.text_of(code), "no wind");
  EXPECT_EQ(errors.text_of(other), "");
  EXPECT_EQ(errors.text_of(MPI_ERR_RANK), "MPI_ERR_RANK: invalid rank");
  EXPECT_FALSE(errors.is_known(other + 1));
  EXPECT_FALSE(errors.is_known(-1));
}

}  // namespace
}  // namespace hindcast::mpi
