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

std::string how_to_approve(const McpPinScope& scope, const McpDefinition& tool) {
  return "; `gdn mcp approve " + scope.server + " " + tool.tool + "` accepts it";
}

// Judges against, and changes, one set of pins.
class Judge {
 public:
  Judge(const McpPinScope& scope, McpPins& pins) : scope_(scope), pins_(pins) {
    count_ =
        static_cast<std::size_t>(std::count_if(pins.begin(), pins.end(), [&](const auto& entry) {
          const McpPinKey& key = entry.first;
          return key.bundle == scope.bundle && key.extension == scope.extension &&
                 key.server == scope.server;
        }));
  }

  McpJudgement judge(const McpDefinition& tool) {
    const McpPinKey key{scope_.bundle, scope_.extension, scope_.server, tool.tool};
    auto at = pins_.find(key);
    if (at == pins_.end()) {
      if (count_ >= kMaxPinsOfServer) {
        return {Verdict::TooMany, "the server has announced too many different tools"};
      }
      ++count_;
      at = pins_.emplace(key, McpPin{}).first;
    }
    return at->second.accepted ? judge_known(tool, at->second) : judge_new(tool, at->second);
  }

  [[nodiscard]] bool changed() const { return changed_; }

 private:
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
  std::size_t count_ = 0;
  bool changed_ = false;
};

bool fits(const McpPinFilter& filter, const McpPinKey& key, const McpPin& pin) {
  const auto same = [](const std::string& wanted, const std::string& is) {
    return wanted.empty() || wanted == is;
  };
  return same(filter.bundle, key.bundle) && same(filter.extension, key.extension) &&
         same(filter.server, key.server) && same(filter.tool, key.tool) &&
         (filter.hash.empty() || (pin.offered && pin.offered->hash.starts_with(filter.hash)));
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

Result<McpPins> forget_mcp_tools(const std::filesystem::path& file, const McpPinFilter& filter) {
  McpPins forgotten;
  GDN_TRY(change_mcp_pins(file, [&](McpPins& pins) {
    forgotten = matching(pins, filter);
    for (const auto& [key, pin] : forgotten)
      pins.erase(key);
    return !forgotten.empty();
  }));
  if (forgotten.empty()) {
    return Error{.code = ErrorCode::NotFound,
                 .message = "no pinned tool fits",
                 .suggestion = "`gdn mcp approve SERVER` shows what waits."};
  }
  return forgotten;
}

}  // namespace goondan
