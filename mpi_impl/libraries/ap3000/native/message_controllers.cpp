#include "mpi_impl/libraries/ap3000/native/message_controllers.hpp"

namespace hindcast::ap3000 {

SystemBuffer& MessageControllers::buffer_at(int number) {
  const auto index = static_cast<std::size_t>(number);
  if (places_.size() <= index) places_.resize(index + 1);
  std::unique_ptr<Place>& place = places_[index];
  if (place == nullptr) {
    place = std::make_unique<Place>(engine_, sbus_, system_buffer_);
    network_.add(number, place->bus);
  }
  return place->buffer;
}

}  // namespace hindcast::ap3000
