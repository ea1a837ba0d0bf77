#include "host/mcp/mcp_listing.h"

#include <algorithm>
#include <set>
#include <sys/stat.h>

#include "host/mcp/clean_text.h"
#include "host/mcp/tool_names.h"

namespace goondan {
namespace {

constexpr std::size_t kMaxShownName = 100;
constexpr std::size_t kMaxDropped = 100;  // of what is unusable, only so many are listed
constexpr std::size_t kMaxLines = 50;     // noted about one list

using Trust = McpServerResource::Trust;

class ListingMaker {
 public:
  ListingMaker(const McpListingRules& rules, McpLog& log) : rules_(rules), log_(log) {}

  std::shared_ptr<const McpListing> make(mcp::ToolList list) {
    for (const std::string& why : list.dropped)
      drop("a tool", why);
    choose(std::move(list.tools));
    name();
    describe();
    judge();
    auto listing = std::make_shared<McpListing>(std::move(listing_));
    for (McpOfferedTool& tool : tools_)
      listing->tools.push_back(std::make_shared<const McpOfferedTool>(std::move(tool)));
    return listing;
  }

 private:
  void drop(std::string_view tool, std::string_view why) {
    const std::string shown = one_line(tool, kMaxShownName);
    const std::string reason = one_line(why, kMaxMcpDescription);
    log(LogLevel::Warn, "'" + shown + "' is left out: " + reason);
    if (listing_.dropped.size() < kMaxDropped) listing_.dropped.emplace_back(shown, reason);
  }

  void log(LogLevel level, std::string_view text) {
    if (++lines_ <= kMaxLines) log_.write(level, rules_.scope.server, text);
  }

  // Sorted by name, one of each, those that are wanted.
  void choose(std::vector<mcp::ToolInfo> all) {
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    for (auto at = all.begin(); at != all.end();) {
      const auto next =
          std::find_if(at, all.end(), [&](const auto& t) { return t.name != at->name; });
      const bool several = next - at > 1;
      if (several)
        drop(at->name, "the server announces it " + std::to_string(next - at) + " times");
      if (!several && wanted(at->name)) take(std::move(*at));
      at = next;
    }
    for (const std::string& name : rules_.only_tools.value_or(std::vector<std::string>{}))
      if (!seen_.contains(name)) drop(name, "the bundle asks for it, but the server has none");
  }

  [[nodiscard]] bool wanted(const std::string& name) {
    if (!rules_.only_tools) return true;
    seen_.insert(name);
    return std::find(rules_.only_tools->begin(), rules_.only_tools->end(), name) !=
           rules_.only_tools->end();
  }

  void take(mcp::ToolInfo info) {
    if (to_text(info.input_schema).size() > kMaxMcpSchemaBytes) {
      return drop(info.name,
                  "its schema is larger than " + std::to_string(kMaxMcpSchemaBytes >> 10) + " KiB");
    }
    Json schema = info.input_schema;
    removed_ += clean_schema_texts(schema);
    Json rest = schema;
    if (clean_json(rest) > 0) {  // in a name or a value, which cannot be other than it is
      return drop(info.name, "its schema holds hidden characters");
    }
    tools_.push_back({.info = std::move(info), .schema = std::move(schema)});
  }

  void name() {
    std::vector<std::string> originals;
    for (const McpOfferedTool& tool : tools_)
      originals.push_back(tool.info.name);
    const McpToolNames names(rules_.scope.server, originals);
    for (McpOfferedTool& tool : tools_) {
      tool.visible = names.visible(tool.info.name);
      if (names.original(tool.visible) != tool.info.name) {
        tool.disabled = "another tool of the server has the name '" + tool.visible + "'";
      }
    }
  }

  void describe() {
    for (McpOfferedTool& tool : tools_) {
      const mcp::ToolInfo& info = tool.info;
      CleanText clean = clean_text(info.description.empty() ? info.title : info.description);
      removed_ += clean.removed;
      tool.description = cut_text(std::move(clean.text), kMaxMcpDescription);
    }
    if (removed_ > 0) {
      log(LogLevel::Warn, std::to_string(removed_) +
                              " hidden characters were removed from the descriptions of its tools");
    }
  }

  void judge() {
    std::vector<McpDefinition> definitions;
    for (McpOfferedTool& tool : tools_) {
      definitions.push_back(define_mcp_tool(tool.info));
      tool.hash = definitions.back().hash;
    }
    if (rules_.pins.empty() || rules_.scope.trust == Trust::Always) return;
    listing_.stamp = McpPinsStamp::of(rules_.pins);
    auto judgements = judge_mcp_tools(rules_.pins, rules_.scope, definitions);
    if (!judgements.ok()) return refuse_all(std::move(judgements).error());
    for (std::size_t i = 0; i < tools_.size(); ++i) {
      McpJudgement& judgement = (*judgements)[i];
      if (judgement.verdict == McpJudgement::Verdict::Fine) continue;
      listing_.waiting = McpListing::Waiting::ForApproval;
      log(LogLevel::Warn, "tool '" + one_line(tools_[i].info.name, kMaxShownName) +
                              "' is disabled: " + judgement.reason);
      tools_[i].disabled = std::move(judgement.reason);
    }
  }

  void refuse_all(Error error) {
    log(LogLevel::Error, "all its tools are disabled: " + error.message);
    for (McpOfferedTool& tool : tools_)
      tool.disabled = error.message;
    listing_.waiting = McpListing::Waiting::ForApproval;
    listing_.pins_problem = std::move(error);
  }

  const McpListingRules& rules_;
  McpLog& log_;
  McpListing listing_;
  std::vector<McpOfferedTool> tools_;
  std::set<std::string> seen_;
  std::size_t lines_ = 0;
  std::size_t removed_ = 0;  // hidden characters
};

}  // namespace

McpPinsStamp McpPinsStamp::of(const std::filesystem::path& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return {};
  return {.file = facts.st_ino,
          .time = facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec};
}

const McpOfferedTool* McpListing::find(std::string_view tool) const {
  const auto at = std::lower_bound(
      tools.begin(), tools.end(), tool,
      [](const auto& offered, std::string_view name) { return offered->info.name < name; });
  return at != tools.end() && (*at)->info.name == tool ? at->get() : nullptr;
}

std::shared_ptr<const McpListing> make_mcp_listing(mcp::ToolList list, const McpListingRules& rules,
                                                   McpLog& log) {
  return ListingMaker(rules, log).make(std::move(list));
}

}  // namespace goondan
