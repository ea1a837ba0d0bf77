#include "schema/equal.h"

#include "schema/number.h"

namespace goondan::schema {
namespace {

using boost::json::kind;

constexpr std::size_t kBytesPerUnit = 64;

class Comparison {
 public:
  explicit Comparison(Budget& budget) : budget_(budget) {}

  bool equal(const Json& a, const Json& b) {
    if (!budget_.charge(1)) return false;
    if (a.is_number() && b.is_number()) return compare(number_of(a), number_of(b)) == 0;
    if (a.kind() != b.kind()) return false;
    if (a.is_string()) return equal_text(a.get_string(), b.get_string());
    if (a.is_bool()) return a.get_bool() == b.get_bool();
    if (a.is_null()) return true;
    return equal_containers(a, b);
  }

 private:
  bool equal_text(std::string_view a, std::string_view b) {
    return a.size() == b.size() && budget_.charge(a.size() / kBytesPerUnit) && a == b;
  }

  bool equal_containers(const Json& a, const Json& b) {
    if (depth_ >= kMaxComparedDepth) {
      budget_.exhaust();
      return false;
    }
    ++depth_;
    const bool same = a.is_array() ? equal_arrays(a.get_array(), b.get_array())
                                   : equal_objects(a.get_object(), b.get_object());
    --depth_;
    return same;
  }

  bool equal_arrays(const JsonArray& a, const JsonArray& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!equal(a[i], b[i])) return false;
    }
    return true;
  }

  bool equal_objects(const JsonObject& a, const JsonObject& b) {
    if (a.size() != b.size()) return false;
    for (const auto& member : a) {
      const Json* other = b.if_contains(member.key());
      if (other == nullptr || !equal(member.value(), *other)) return false;
    }
    return true;
  }

  Budget& budget_;
  std::size_t depth_ = 0;
};

}  // namespace

bool equal(const Json& a, const Json& b, Budget& budget) {
  return Comparison(budget).equal(a, b);
}

}  // namespace goondan::schema
