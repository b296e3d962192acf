// The little that the engine needs of SimGrid, so that no other file has to see its headers.
#pragma once

#include <functional>
#include <string>

#include "simulator/engine/memory/given_stack.hpp"

namespace hindcast::driver {

// A simgrid::s4u::Actor, kept alive until it is released. It runs on this stack if it has any bytes.
void* start_actor(const std::string& node_name, std::function<void()> body, const StackMemory& stack);
void release_actor(void* actor);
// The one that runs.
void* current_actor();
// Where SimGrid keeps what it looks at when it switches to the actor, or away.
const void* memory_of(void* actor);

// By the actor, which runs: until it is resumed.
void give_way(void* actor);
// An actor that has given way goes on when those that can run now have given way.
void resume(void* actor);
// By the actor: something that only SimGrid can do, when those that can run now have given way. Others may run before
// it goes on.
void do_outside(void* actor, const std::function<void()>& what);
// By an actor that ends next, which is SimGrid's affair.
void leave_our_rounds(void* actor);

}  // namespace hindcast::driver
