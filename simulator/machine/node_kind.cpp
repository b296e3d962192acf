#include "simulator/machine/node_kind.hpp"

namespace hindcast {

namespace {

constexpr int processors_max = 1 << 16;

NodeKind read_named_kind(const MachineFile& file, const NamedTable& table) {
  const std::string prefix = table.prefix();
  NodeKind kind{table.name, prefix};
  const std::int64_t processors = file.count(prefix + ".processors", 1);
  if (processors > processors_max) file.refuse(prefix + ".processors", "more than 65536 processors in a node");
  kind.processors = static_cast<int>(processors);
  kind.processor = read_processor(KeysOfChoice(file, true), prefix);
  const KeysOfChoice of_several(file, processors > 1);
  kind.memory_port_bandwidth = of_several.bandwidth(prefix + ".memory_port_bandwidth");
  kind.memory_sharing = of_several.choice(prefix + ".memory_sharing", {"turns", "fair"}) == "fair"
                            ? MemoryPort::Sharing::fair
                            : MemoryPort::Sharing::in_turn;
  if (file.has(prefix + ".memory_waits_from")) kind.memory_waits_from = of_several.bytes(prefix + ".memory_waits_from");
  kind.takes_turns = file.has(prefix + ".time_slice");
  const KeysOfChoice of_turns(file, kind.takes_turns);
  kind.time_slice = of_turns.time_above_zero(prefix + ".time_slice");
  kind.task_switch = of_turns.time(prefix + ".task_switch");
  return kind;
}

}  // namespace

Processor read_processor(const KeysOfChoice& keys, const std::string& table) {
  const auto key = [&](const char* name) { return table + "." + name; };
  Processor processor;
  processor.flop_rate = keys.flop_rate(key("flop_rate"));
  processor.memory_bandwidth = keys.bandwidth(key("memory_bandwidth"));
  processor.copy_bandwidth = keys.bandwidth(key("copy_bandwidth"));
  processor.combine_rate = keys.operation_rate(key("combine_rate"));
  if (const std::string integers = key("integer_combine_rate"); keys.file().has(integers))
    processor.integer_combine_rate = keys.operation_rate(integers);
  processor.clock_read = keys.time_above_zero(key("clock_read"));
  processor.poll = keys.time_above_zero(key("poll"));
  return processor;
}

std::vector<NodeKind> read_node_kinds(const MachineFile& file) {
  std::vector<NodeKind> kinds;
  for (const NamedTable& table : file.tables("node")) kinds.push_back(read_named_kind(file, table));
  if (!kinds.empty()) return kinds;
  NodeKind only{file.name(), "processor"};
  only.processor = read_processor(KeysOfChoice(file, true), only.prefix);
  return {only};
}

}  // namespace hindcast
