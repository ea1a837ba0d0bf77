// Lets each of some tools be called only so often in the life of an instance:
//
//   config: { limits: { bash__exec: 2 } }
//
// A call beyond that is answered in the tool's place; a tool that is used up is not offered any
// more; and `budget__left` tells the model what it may still do. The counts survive restarts.
#include <algorithm>
#include <mutex>
#include <optional>

#include <goondan/extension.h>

namespace {

using goondan::Json;
using goondan::JsonArray;
using goondan::JsonObject;
using goondan::Result;

class Budget {
 public:
  explicit Budget(goondan::ExtensionApi& api, JsonObject limits)
      : api_(api), limits_(std::move(limits)) {}

  // How many calls are left; nothing if the tool has no limit.
  std::optional<std::int64_t> left(std::string_view tool) const {
    const Json* const limit = limits_.if_contains(tool);
    if (limit == nullptr) return {};
    const Json state = api_.state();
    const Json* const used = state.is_object() ? state.get_object().if_contains(tool) : nullptr;
    return limit->as_int64() - (used == nullptr ? 0 : used->as_int64());
  }

  // Takes one call off the budget; whether there was one left. Calls of one step run at the same
  // time, so this must not be interrupted by itself.
  Result<bool> take(const std::string& tool) {
    const std::scoped_lock one(mutex_);
    const std::optional<std::int64_t> rest = left(tool);
    if (!rest) return true;
    if (*rest <= 0) return false;
    Json state = api_.state();
    JsonObject counts = state.is_object() ? state.get_object() : JsonObject();
    counts[tool] = limits_.at(tool).as_int64() - *rest + 1;
    GDN_TRY(api_.set_state(std::move(counts)));  // on disk before the tool acts
    if (*rest == 1) api_.emit("budget.exhausted", JsonObject{{"tool", tool}});
    return true;
  }

  JsonObject all() const {
    JsonObject answer;
    for (const auto& limit : limits_)
      answer[limit.key()] = left(limit.key()).value_or(0);
    return answer;
  }

 private:
  goondan::ExtensionApi& api_;
  const JsonObject limits_;
  std::mutex mutex_;
};

// What the model gets in place of the tool's result.
Json refusal(const goondan::ToolCallLayer& call) {
  return JsonObject{{"toolCallId", call.tool_call_id()},
                    {"toolName", call.tool_name()},
                    {"status", "error"},
                    {"error", JsonObject{{"code", "E_BUDGET"},
                                         {"name", "BudgetError"},
                                         {"message", call.tool_name() + " is used up"},
                                         {"suggestion", "Do without it; see budget__left."}}}};
}

void hide_used_up(const Budget& budget, JsonArray& catalog) {
  const auto used_up = [&budget](const Json& item) {
    return budget.left(item.at("name").as_string()).value_or(1) <= 0;
  };
  catalog.erase(std::remove_if(catalog.begin(), catalog.end(), used_up), catalog.end());
}

Result<void> setup(goondan::ExtensionApi& api, const JsonObject& config) {
  const Json* const limits = config.if_contains("limits");
  if (limits == nullptr || !limits->is_object()) {
    return goondan::tool_error("config.limits is missing",
                               "Write `config: { limits: { bash__exec: 10 } }`.");
  }
  const auto budget = std::make_shared<Budget>(api, limits->get_object());

  api.on_step([budget](goondan::StepLayer& step) {
    hide_used_up(*budget, step.tool_catalog());
    return step.next();
  });
  api.on_tool_call([budget, &api](goondan::ToolCallLayer& call) -> Result<Json> {
    const bool may = GDN_TRY(budget->take(call.tool_name()));
    if (may) return call.next();
    api.log(goondan::LogLevel::Warn, call.tool_name() + " was refused");
    return refusal(call);
  });
  return api.register_tool(
      JsonObject{{"name", "budget__left"},
                 {"description", "How often each tool may still be called."}},
      [budget](goondan::ToolContext&, const JsonObject&) -> Result<Json> { return budget->all(); });
}

}  // namespace

GDN_EXTENSION(setup)
