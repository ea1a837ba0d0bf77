#include "host/mcp/pins.h"

#include <algorithm>

#include "base/ids.h"

namespace goondan {
namespace {

using Trust = McpServerResource::Trust;
using Verdict = McpJudgement::Verdict;

McpPin::Version version_of(const McpDefinition& tool) {
  return {.hash = tool.hash, .definition = tool.kept, .time = iso_now()};
}

bool has(const std::optional<McpPin::Version>& version, const std::string& hash) {
  return version && version->hash == hash;
}

// The name is the server's: one that a shell might take for more than a name is not repeated in
// what a person may type.
std::string how_to_approve(const McpPinScope& scope, const McpDefinition& tool) {
  constexpr std::string_view kHarmless =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
  const std::string command = "; `gdn mcp approve " + scope.server;
  const bool harmless =
      tool.tool.find_first_not_of(kHarmless) == std::string::npos && !tool.tool.starts_with('-');
  return harmless ? command + " " + tool.tool + "` accepts it" : command + "` shows it";
}

// Judges against, and changes, one set of pins.
class Judge {
 public:
  Judge(const McpPinScope& scope, McpPins& pins) : scope_(scope), pins_(pins) {
    for (const auto& [key, pin] : pins) {
      if (key.bundle != scope.bundle || key.extension != scope.extension ||
          key.server != scope.server) {
        continue;
      }
      ++count_;
      for (const auto* version : {&pin.accepted, &pin.offered})
        if (*version) bytes_ += size_of((*version)->definition);
    }
  }

  McpJudgement judge(const McpDefinition& tool) {
    const McpPinKey key{scope_.bundle, scope_.extension, scope_.server, tool.tool};
    const auto at = pins_.find(key);
    const bool is_new = at == pins_.end();
    if (!is_new && (has(at->second.accepted, tool.hash) || has(at->second.offered, tool.hash))) {
      return judge_pin(tool, at->second);
    }
    const std::size_t bytes = bytes_ + size_of(tool.kept);
    if ((is_new && count_ >= kMaxPinsOfServer) || bytes > kMaxPinBytesOfServer) {
      return {Verdict::TooMany, "the server has announced too many different tools"};
    }
    bytes_ = bytes;
    count_ += is_new ? 1 : 0;
    return judge_pin(tool, pins_[key]);
  }

  [[nodiscard]] bool changed() const { return changed_; }

 private:
  static std::size_t size_of(const JsonObject& definition) { return to_text(definition).size(); }

  McpJudgement judge_pin(const McpDefinition& tool, McpPin& pin) {
    return pin.accepted ? judge_known(tool, pin) : judge_new(tool, pin);
  }

  McpJudgement judge_known(const McpDefinition& tool, McpPin& pin) {
    if (has(pin.accepted, tool.hash)) {
      changed_ = changed_ || pin.offered.has_value();
      pin.offered.reset();
      return {};
    }
    std::string reason = "its definition (" + changed_fields(pin.accepted->definition, tool.kept) +
                         ") has changed since it was accepted" + how_to_approve(scope_, tool);
    offer(tool, pin);
    return {Verdict::Changed, std::move(reason)};
  }

  McpJudgement judge_new(const McpDefinition& tool, McpPin& pin) {
    if (scope_.trust == Trust::Approved) {
      offer(tool, pin);
      return {Verdict::NotApproved, "it was never approved" + how_to_approve(scope_, tool)};
    }
    pin = {.accepted = version_of(tool)};
    changed_ = true;
    return {};
  }

  void offer(const McpDefinition& tool, McpPin& pin) {
    if (has(pin.offered, tool.hash)) return;
    pin.offered = version_of(tool);
    changed_ = true;
  }

  const McpPinScope& scope_;
  McpPins& pins_;
  std::size_t count_ = 0;  // of the server's pins, and how large they are
  std::size_t bytes_ = 0;
  bool changed_ = false;
};

bool fits(const McpPinFilter& filter, const McpPinKey& key, const McpPin& pin) {
  const auto same = [](const std::string& wanted, const std::string& is) {
    return wanted.empty() || wanted == is;
  };
  return same(filter.bundle, key.bundle) && same(filter.extension, key.extension) &&
         same(filter.server, key.server) && same(filter.tool, key.tool) &&
         (filter.offered.empty() || (pin.offered && filter.offered.contains(pin.offered->hash)));
}

McpPins matching(const McpPins& pins, const McpPinFilter& filter) {
  McpPins found;
  for (const auto& [key, pin] : pins)
    if (fits(filter, key, pin)) found.emplace(key, pin);
  return found;
}

}  // namespace

std::string mcp_pin_bundle(const std::filesystem::path& root) {
  std::error_code failed;
  const std::filesystem::path found = std::filesystem::weakly_canonical(root, failed);
  std::string name = (failed ? root.lexically_normal() : found).string();
  while (name.size() > 1 && name.ends_with('/'))
    name.pop_back();
  return name;
}

Result<std::vector<McpJudgement>> judge_mcp_tools(const std::filesystem::path& file,
                                                  const McpPinScope& scope,
                                                  std::span<const McpDefinition> tools) {
  std::vector<McpJudgement> judgements;
  const auto judge_all = [&](McpPins& pins) {
    judgements.clear();
    Judge judge(scope, pins);
    for (const McpDefinition& tool : tools)
      judgements.push_back(judge.judge(tool));
    return judge.changed();
  };
  McpPins seen = GDN_TRY(read_mcp_pins(file));  // mostly there is nothing to write
  if (judge_all(seen)) GDN_TRY(change_mcp_pins(file, judge_all));
  return judgements;
}

Result<McpPins> list_mcp_pins(const std::filesystem::path& file, const McpPinFilter& filter) {
  const McpPins pins = GDN_TRY(read_mcp_pins(file));
  return matching(pins, filter);
}

Result<McpPins> approve_mcp_tools(const std::filesystem::path& file, const McpPinFilter& filter) {
  McpPins approved;
  GDN_TRY(change_mcp_pins(file, [&](McpPins& pins) {
    approved = matching(pins, filter);
    std::erase_if(approved, [](const auto& entry) { return !entry.second.offered; });
    for (const auto& [key, before] : approved)
      pins[key] = {.accepted = McpPin::Version{.hash = before.offered->hash,
                                               .definition = before.offered->definition,
                                               .time = iso_now()}};
    return !approved.empty();
  }));
  if (approved.empty()) {
    return Error{.code = ErrorCode::NotFound,
                 .message = "no tool that fits waits for approval",
                 .suggestion = "`gdn mcp approve SERVER` shows what waits."};
  }
  return approved;
}

}  // namespace goondan
