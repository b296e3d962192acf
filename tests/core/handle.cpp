// Handles: what a table gives out is found; what is freed, foreign or null is not.
#include "mpi_impl/core/handle.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <set>

namespace hindcast::mpi {
namespace {

struct Thing : Handled {
  int value = 0;
};
using Things = Table<Thing, HandleKind::request, 4>;

TEST(Handle, HoldsKindGenerationAndPlace) {
  const int handle = make_handle(HandleKind::keyval, 100, 70000);
  EXPECT_GT(handle, 0);
  EXPECT_EQ(kind_of(handle), HandleKind::keyval);
  EXPECT_EQ(generation_of(handle), 100);
  EXPECT_EQ(place_of(handle), 70000);
  EXPECT_FALSE(is_predefined(HandleKind::keyval, handle));
}

TEST(Handle, ConstantsAreOfTheirKinds) {
  EXPECT_TRUE(is_predefined(HandleKind::comm, MPI_COMM_WORLD));
  EXPECT_TRUE(is_predefined(HandleKind::datatype, MPI_INT));
  EXPECT_FALSE(is_predefined(HandleKind::datatype, MPI_COMM_WORLD));
  EXPECT_EQ(place_of(MPI_REQUEST_NULL), 0);
  EXPECT_EQ(kind_of(MPI_REQUEST_NULL), HandleKind::request);
}

TEST(Table, FindsWhatIsInUseOnly) {
  Things things;
  EXPECT_EQ(things.find(MPI_REQUEST_NULL), nullptr);
  EXPECT_EQ(things.find(make_handle(HandleKind::request, 1, 1)), nullptr);
  Thing& thing = things.create();
  const int handle = thing.handle;
  EXPECT_EQ(things.find(handle), &thing);
  EXPECT_EQ(things.find(MPI_REQUEST_NULL), nullptr);
  EXPECT_EQ(things.find(make_handle(HandleKind::comm, generation_of(handle), place_of(handle))), nullptr);
  things.destroy(thing);
  EXPECT_EQ(things.find(handle), nullptr);
  EXPECT_EQ(things.find(0), nullptr);
  EXPECT_EQ(things.find(Handled::none), nullptr);
}

TEST(Table, AFreedHandleStaysBadWhenItsPlaceIsUsedAgain) {
  Things things;
  Thing& first = things.create();
  const int stale = first.handle;
  things.destroy(first);
  for (int use = 0; use < handle_generation_max - 1; ++use) {
    Thing& again = things.create();
    ASSERT_EQ(&again, &first);
    EXPECT_EQ(things.find(stale), nullptr);
    EXPECT_NE(generation_of(again.handle), 0);
    things.destroy(again);
  }
}

TEST(Table, KeepsAddressesAndGivesDistinctHandles) {
  Things things;
  std::set<int> handles;
  std::vector<Thing*> made;
  for (int i = 0; i < 1000; ++i) {
    Thing& thing = things.create();
    thing.value = i;
    made.push_back(&thing);
    handles.insert(thing.handle);
  }
  EXPECT_EQ(handles.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(things.find(made[static_cast<std::size_t>(i)]->handle)->value, i);
}

TEST(Table, AHiddenObjectIsNotFoundByItsOldHandle) {
  Things things;
  Thing& thing = things.create();
  const int handle = thing.handle;
  things.hide(thing);
  EXPECT_EQ(things.find(handle), nullptr);
  EXPECT_NE(&things.create(), &thing);
}

TEST(Table, PredefinedObjectsHaveTheConstantsHandles) {
  Table<Thing, HandleKind::comm, 4> things;
  EXPECT_EQ(things.create_predefined().handle, MPI_COMM_WORLD);
  EXPECT_EQ(things.create_predefined().handle, MPI_COMM_SELF);
  EXPECT_FALSE(is_predefined(HandleKind::comm, things.create().handle));
}

}  // namespace
}  // namespace hindcast::mpi
