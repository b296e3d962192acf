#include "mpi_impl/libraries/nx/native/node.hpp"

#include "mpi_impl/libraries/common/waiting.hpp"

namespace hindcast::nx {

namespace {

class GsyncWait final : public Wait {
 public:
  explicit GsyncWait(int from) : from_(from) {}
  BlockedOn describe() const override { return {"gsync", "until all nodes have called it", {from_}}; }

 private:
  int from_;
};

}  // namespace

// In each round a node hears of twice as many others as in the one before.
void Node::gsync() {
  const int nodes = system().ranks();
  int round = 0;
  for (int distance = 1; distance < nodes; distance *= 2, ++round) {
    const int to = (number() + distance) % nodes, from = (number() - distance + nodes) % nodes;
    send({to, {context_of_gsync_, number(), round}});
    layer::BufferReceive receive(nullptr, Bytes());
    post(receive, {context_of_gsync_, from, round});
    wait_for(receive.over, GsyncWait(from));
  }
}

}  // namespace hindcast::nx
