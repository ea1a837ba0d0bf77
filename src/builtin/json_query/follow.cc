#include "builtin/json_query/follow.h"

#include <optional>
#include <string_view>

#include "builtin/json_query/path.h"
#include "builtin/json_query/string_text.h"

namespace goondan::builtin::json_query {
namespace {

class Follower {
 public:
  Follower(Scanner& scanner, const std::function<bool()>& at_target)
      : scanner_(scanner), at_target_(at_target) {}

  [[nodiscard]] bool found() const { return found_; }

  // Passes the next value, with `path` leading on from it. The scanner refuses documents that
  // would make this recurse too deeply.
  bool pass_value(std::span<const std::string> path) {
    if (path.empty()) {
      found_ = true;
      return at_target_();
    }
    const std::optional<Kind> kind = scanner_.next_kind();
    if (!kind) return false;
    if (*kind == Kind::Object) return pass_object(path);
    return *kind == Kind::Array ? pass_array(path) : scanner_.skip_value();
  }

 private:
  bool pass_object(std::span<const std::string> path) {
    return scanner_.read_object([this, path](std::string_view key) {
      if (!means(key, path.front())) return scanner_.skip_value();
      found_ = false;
      return pass_value(path.subspan(1));
    });
  }

  bool pass_array(std::span<const std::string> path) {
    const std::optional<std::size_t> position = array_position(path.front());
    return scanner_.read_array([this, path, position, at = std::size_t{0}]() mutable {
      return at++ == position ? pass_value(path.subspan(1)) : scanner_.skip_value();
    });
  }

  Scanner& scanner_;
  const std::function<bool()>& at_target_;
  bool found_ = false;
};

}  // namespace

Result<bool> follow(Scanner& scanner, std::span<const std::string> path,
                    const std::function<bool()>& at_target) {
  Follower follower(scanner, at_target);
  if (!follower.pass_value(path) || !scanner.read_end()) return scanner.error();
  return follower.found();
}

}  // namespace goondan::builtin::json_query
