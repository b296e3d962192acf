#include "traces/message_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "simulator/programs/process/call_marks.hpp"

namespace hindcast::traces {

namespace {

bool is_one_of(const RecordedStep& event, const MessageMarks& marks) {
  return event.kind == &marks.sent || event.kind == &marks.received;
}

bool is_mark(const RecordedStep& event) { return event.begin == event.end; }

const char* name_of_call(const RecordedStep& event) {
  return is_mark(event) ? programs::name_of_call(*event.kind) : nullptr;
}

// The calls that each thread is in, innermost last.
class OpenCalls {
 public:
  // Of a call that its error handler has left, by longjmp, no return is marked: it ends with the one around it.
  void add(const RecordedStep& mark, const char* call) {
    std::vector<const char*>& open = calls_[mark.place];
    const bool begins = mark.amount == 0;
    if (begins) return open.push_back(call);
    const auto found =
        std::find_if(open.rbegin(), open.rend(), [call](const char* one) { return std::string_view(one) == call; });
    if (found != open.rend()) open.erase(std::prev(found.base()), open.end());
  }
  // Null: the program's thread is in none.
  const char* at(const Place& place) const {
    const auto found = calls_.find(place);
    return found == calls_.end() || found->second.empty() ? nullptr : found->second.back();
  }

 private:
  std::map<Place, std::vector<const char*>> calls_;
};

class Walk {
 public:
  Walk(const MessageTrip& trip, const std::vector<RecordedStep>& events, const std::vector<int>& nodes)
      : trip_(trip), events_(events), nodes_(nodes) {
    for (const RecordedStep& event : events)
      if (event.message == trip.id && event.end > event.begin) own_.push_back(&event);
  }

  MessagePath back_from_the_end() {
    MessagePath path;
    Time at = *trip_.received;
    const RecordedStep* next = nullptr;
    while (at > trip_.sent) {
      const RecordedStep* step = last_until(at);
      const Time end = step != nullptr ? step->end : trip_.sent;
      if (end < at) path.steps.push_back(gap(step, next, end, at));
      if (step == nullptr) break;
      path.steps.push_back({step, "", "", step->place, step->begin, step->end});
      at = step->begin;
      next = step;
    }
    std::reverse(path.steps.begin(), path.steps.end());
    for (const RecordedStep* event : own_)
      if (!is_on(path, *event)) path.beside.push_back(event);
    return path;
  }

 private:
  // The step of the message that ends last, but not after `at`.
  const RecordedStep* last_until(Time at) const {
    const RecordedStep* last = nullptr;
    for (const RecordedStep* event : own_) {
      if (is_wait(*event->kind) || event->end > at || event->begin < trip_.sent) continue;
      if (last == nullptr || event->end >= last->end) last = event;
    }
    return last;
  }

  static bool is_on(const MessagePath& path, const RecordedStep& event) {
    return std::any_of(path.steps.begin(), path.steps.end(),
                       [&](const PathStep& step) { return step.event == &event; });
  }

  // The rank that has to do something before the message gets on.
  int awaited(const RecordedStep* before, const RecordedStep* next) const {
    if (next == nullptr) return trip_.receiver;
    if (next->place.kind == Place::Kind::thread) return next->place.number;
    if (before == nullptr) return trip_.sender;
    if (before->place.kind == Place::Kind::thread) return before->place.number;
    return nodes_[static_cast<std::size_t>(trip_.receiver)] == next->place.number ? trip_.receiver : trip_.sender;
  }

  PathStep gap(const RecordedStep* before, const RecordedStep* next, Time begin, Time end) const {
    const int rank = awaited(before, next);
    const bool waits = wait_over(rank, begin, end) != nullptr;
    return {nullptr,
            name_of_gap(rank, next, begin, end),
            waits ? "" : meanwhile(rank, begin, end),
            {Place::Kind::thread, rank, 0},
            begin,
            end};
  }

  std::string name_of_gap(int rank, const RecordedStep* next, Time begin, Time end) const {
    const std::string who = rank == trip_.receiver ? "receiver" : "sender";
    if (next != nullptr && next->continues) return interrupted_by(next->place.number, begin, end);
    if (waits_for_room(rank, begin, end)) return fmt::format("the {} waits for room", who);
    if (const RecordedStep* wait = wait_over(rank, begin, end)) {
      if (next != nullptr && next->is_service) return fmt::format("waits for the {}'s next poll", who);
      if (wait->message == trip_.id) return fmt::format("the waiting {} goes on", who);
      return fmt::format("the {} waits for something else", who);
    }
    return rank == trip_.receiver ? "waits for the receiver's call" : "sender busy elsewhere";
  }

  // The work on arrivals that a step of the rank's was cut for.
  std::string interrupted_by(int rank, Time begin, Time end) const {
    std::set<MessageId> messages;
    for (const RecordedStep& event : events_)
      if (is_on_thread_of(event, rank) && event.is_service && event.end > begin && event.begin < end)
        messages.insert(event.message);
    if (messages.size() != 1) return fmt::format("interrupted by work on {} arrivals", messages.size());
    return fmt::format("interrupted by work on message {}", name_of(*messages.begin()));
  }

  // A wait of the rank that lasts for all of an interval, and no longer.
  const RecordedStep* wait_over(int rank, Time begin, Time end) const {
    for (const RecordedStep& event : events_)
      if (is_wait(*event.kind) && is_on_thread_of(event, rank) && event.begin <= begin && event.end == end)
        return &event;
    return nullptr;
  }

  // What the rank spends the interval on, the longest first.
  std::vector<std::pair<std::string, Time>> times_in(int rank, Time begin, Time end) const {
    std::map<std::string, Time> times;
    for (const RecordedStep& event : events_) {
      if (!is_on_thread_of(event, rank) || event.end <= begin || event.begin >= end) continue;
      if (name_of_call(event) != nullptr) continue;
      times[event.kind->name] += std::min(event.end, end) - later_of(event.begin, begin);
    }
    std::vector<std::pair<std::string, Time>> sorted(times.begin(), times.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
  }

  // For most of the interval. It works on arrivals meanwhile, or looks whether there is room.
  bool waits_for_room(int rank, Time begin, Time end) const {
    const auto times = times_in(rank, begin, end);
    return !times.empty() && times[0].first == step_wait_for_room.name;
  }

  std::string meanwhile(int rank, Time begin, Time end) const {
    constexpr std::size_t named_max = 3;
    const auto sorted = times_in(rank, begin, end);
    std::string text;
    for (std::size_t i = 0; i < std::min(sorted.size(), named_max); ++i)
      text += fmt::format("{}{} {:.6f} us", i > 0 ? ", " : "", sorted[i].first, sorted[i].second.in_us());
    return text.empty() ? text : fmt::format("meanwhile rank {}: {}", rank, text);
  }

  static bool is_on_thread_of(const RecordedStep& event, int rank) {
    return event.place.kind == Place::Kind::thread && event.place.number == rank;
  }

  const MessageTrip& trip_;
  const std::vector<RecordedStep>& events_;
  const std::vector<int>& nodes_;
  std::vector<const RecordedStep*> own_;
};

}  // namespace

std::string name_of(MessageId message) {
  const std::uint64_t count = count_of(message);
  return count < answers_from ? fmt::format("{}:{}", sender_of(message), count)
                              : fmt::format("{}:answer {}", sender_of(message), count - answers_from);
}

std::vector<MessageTrip> messages_in(const std::vector<RecordedStep>& events) {
  std::vector<MessageTrip> trips;
  std::map<MessageId, std::size_t> places;
  OpenCalls open;
  for (const RecordedStep& event : events) {
    if (const char* call = name_of_call(event)) open.add(event, call);
    const bool is_of_library = is_one_of(event, marks_of_library_messages);
    const bool is_end_of_put = event.kind == &mark_of_put_data;
    if (!is_of_library && !is_end_of_put && !is_one_of(event, marks_of_messages)) continue;
    const char* const call = event.label != nullptr ? event.label->call : open.at(event.place);
    if (event.kind == &marks_of_messages.sent || event.kind == &marks_of_library_messages.sent) {
      places[event.message] = trips.size();
      trips.push_back({event.message, event.place.number, event.peer, event.amount, is_of_library, event.end,
                       std::nullopt, event.label, call});
    } else if (const auto found = places.find(event.message); found != places.end()) {
      trips[found->second].received = event.end;
      trips[found->second].received_by = call;
      trips[found->second].ends_in_hardware = event.place.kind == Place::Kind::node;
    }
  }
  return trips;
}

MessagePath path_of(const MessageTrip& trip, const std::vector<RecordedStep>& events, const std::vector<int>& nodes) {
  return Walk(trip, events, nodes).back_from_the_end();
}

}  // namespace hindcast::traces
