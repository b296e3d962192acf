// SimGrid allows one engine a process: a test that compares two runs makes each in a child, which sends its text back.
#pragma once

#include <functional>
#include <string>

namespace hindcast::test {

std::string text_from_child(const std::function<std::string()>& make_text);

}  // namespace hindcast::test
