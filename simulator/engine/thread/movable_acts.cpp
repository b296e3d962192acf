#include "simulator/engine/thread/movable_acts.hpp"

#include <iterator>

#include "simulator/engine/thread.hpp"

namespace hindcast {

// Nearly always the last.
void MovableActs::put(const Event& act) {
  auto place = acts_.end();
  while (place != acts_.begin() && act < *std::prev(place)) --place;
  const bool is_first = place == acts_.begin();
  if (place == acts_.end())
    acts_.push_back(act);
  else
    acts_.insert(place, act);
  if (is_first && act.at <= none_before_) schedule_first();
}

std::optional<Event> MovableActs::take_due(const Event& event) {
  const bool overtaken = event.order != scheduled_ || event.at != scheduled_at_;
  if (overtaken) return std::nullopt;
  const Event first = acts_.front();
  if (first.at > event.at) {
    schedule_first();
    return std::nullopt;
  }
  acts_.pop_front();
  scheduled_at_ = Time::never();
  if (!acts_.empty() && acts_.front().at == event.at) schedule_first();
  none_before_ = event.at;
  return first;
}

void MovableActs::schedule_next() {
  none_before_ = Time::never();
  if (!acts_.empty() && (acts_.front().order != scheduled_ || acts_.front().at != scheduled_at_)) schedule_first();
}

// The engine's event of the first one stays where it is: when it fires, it is put off too.
void MovableActs::put_off(const Postponement& postponement) {
  if (acts_.empty()) return;
  for (Event& act : acts_) act.at += postponement.delay_of(act.at, act.order);
  acts_.put_in_order();
  if (acts_.front().order != scheduled_ && acts_.front().at <= none_before_) schedule_first();
}

void MovableActs::schedule_first() {
  const Event& first = acts_.front();
  scheduled_ = first.order;
  scheduled_at_ = first.at;
  thread_.engine().at(Event{first.at, first.order, &thread_, first.data});  // the data is only to be fetched early
}

}  // namespace hindcast
