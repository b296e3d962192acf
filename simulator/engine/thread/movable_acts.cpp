#include "simulator/engine/thread/movable_acts.hpp"

#include <iterator>

#include "simulator/engine/thread.hpp"

namespace hindcast {

// Nearly always the last.
void MovableActs::put(const Event& event) {
  Event act = event;
  act.at = event.at - delay_;
  auto place = acts_.end();
  while (place != acts_.begin() && act < *std::prev(place)) --place;
  const bool is_first = place == acts_.begin();
  if (place == acts_.end())
    acts_.push_back(act);
  else
    acts_.insert(place, act);
  if (is_first && event.at <= none_before_) schedule_first();
}

std::optional<Event> MovableActs::take_due(const Event& event) {
  const bool overtaken = event.order != scheduled_ || event.at != scheduled_at_;
  if (overtaken) return std::nullopt;
  const Event act = first();
  if (act.at > event.at) {
    schedule_first();
    return std::nullopt;
  }
  acts_.pop_front();
  scheduled_at_ = Time::never();
  if (!acts_.empty() && first().at == event.at) schedule_first();
  none_before_ = event.at;
  return act;
}

void MovableActs::schedule_next() {
  none_before_ = Time::never();
  if (!acts_.empty() && (first().order != scheduled_ || first().at != scheduled_at_)) schedule_first();
}

// The engine's event of the first one stays where it is: when it fires, it is put off too. There may be many, of which
// all but the first few are put off: so it is those that stay that are moved, the other way.
void MovableActs::put_off(const Postponement& postponement) {
  if (acts_.empty()) return;
  Event* act = acts_.begin();
  for (; act != acts_.end() && act->at + delay_ <= postponement.puts_off_all_after(); ++act)
    act->at = act->at + postponement.delay_of(act->at + delay_, act->order) - postponement.cost();
  acts_.put_in_order_before(act);
  delay_ += postponement.cost();
  if (first().order != scheduled_ && first().at <= none_before_) schedule_first();
}

void MovableActs::schedule_first() {
  const Event act = first();
  scheduled_ = act.order;
  scheduled_at_ = act.at;
  thread_.engine().at(Event{act.at, act.order, &thread_, act.data});  // the data is only to be fetched early
}

}  // namespace hindcast
