// A method by which requests go from one context to another, such as a message-passing library or a protocol of
// networks. A context has one object of each method that it opens; each method is one file with its row.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mpi_impl/libraries/nexus/native/message.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/engine/rows.hpp"

namespace hindcast::nexus {

// In the order of their ranks: what a method needs to know in order to be opened by a context.
struct MethodStart {
  Context& context;
  Rank& rank;
  int node;           // of the machine
  std::string place;  // of that node, by name
  int every;          // it is polled in each pass, in every second, and so on
};

class Method {
 public:
  Method(const MethodStart& start, std::string name)
      : every(start.every), context_(start.context), name_(std::move(name)), place_(start.place) {}
  virtual ~Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;

  const std::string& name() const { return name_; }
  // What others need to know in order to reach its context by it.
  virtual std::string descriptor() const { return place_; }
  // Whether it leads to this context, which may be its own.
  virtual bool reaches(const Context& other) const = 0;

  // --- on the rank's threads ---

  // Returns when the message, whose data is its own, is the method's affair.
  virtual void send(Message& message, const Wait& why) = 0;
  // What a poll takes. It finds what has come by its end.
  virtual const FixedStep& look() const = 0;
  // Before polls: there is somewhere for what comes.
  virtual void prepare() {}
  // Since when something is there to be taken; Time::never() if nothing is.
  virtual Time waits_since() const = 0;
  // What a poll has found. Null: it was not yet a whole message.
  virtual Message* take(const Wait& why) = 0;
  // Whether a context that has no other method may wait in a call instead of polling: that call. It returns null when
  // the thread has been woken for something else.
  virtual bool can_block() const { return false; }
  virtual Message* receive(const Wait& why) = 0;

  // How much a connection may have under way, where that is the method's to say.
  virtual void set_buffer(Bytes) {}

  int every;
  int passes = 0;  // since it was polled last

 protected:
  Context& context_;

 private:
  const std::string name_;
  const std::string place_;
};

// Of a run: what the contexts' methods of one kind share. It is made if the machine's file names the method.
class MethodKind {
 public:
  virtual ~MethodKind() = default;
  MethodKind() = default;
  MethodKind(const MethodKind&) = delete;
  MethodKind& operator=(const MethodKind&) = delete;

  // Null: contexts on this node do not have it.
  virtual std::unique_ptr<Method> open(const MethodStart& start) = 0;
};

}  // namespace hindcast::nexus
