// The little that the engine needs of SimGrid, so that no other file has to see its headers.
#pragma once

#include <functional>
#include <string>

namespace hindcast::driver {

// A simgrid::s4u::Actor, kept alive until it is released.
void* start_actor(const std::string& node_name, std::function<void()> body);
void release_actor(void* actor);
// The one that runs.
void* current_actor();
// Where SimGrid keeps what it looks at when it switches to the actor, or away.
const void* memory_of(void* actor);

// By the actor, which runs: until it is resumed. `then` is done outside all actors, as soon as that may happen.
void suspend(void* actor, const std::function<void()>& then);
// Outside all actors: an actor that is suspended goes on.
void resume(void* actor);

}  // namespace hindcast::driver
