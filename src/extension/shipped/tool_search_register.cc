#include "base/json_fields.h"
#include "extension/shipped/extension_config.h"
#include "extension/shipped/shipped.h"
#include "extension/shipped/tool_search.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kDefaultMaxFound = 30;

Json parameters() {
  return {{"type", "object"},
          {"properties",
           {{"query",
             {{"type", "string"},
              {"minLength", 1},
              {"description",
               "What the tool should do, in a few words of English or Korean, such as 'send mail' "
               "or '일정 추가'; or the name of a tool."}}},
            {"limit",
             {{"type", "integer"},
              {"minimum", 1},
              {"maximum", kMaxHits},
              {"description", "The largest number of tools to return; 10 by default."}}}}},
          {"required", {"query"}},
          {"additionalProperties", false}};
}

Result<void> add_search_tool(ExtensionSite& site, const std::shared_ptr<ToolSearch>& search) {
  CatalogItem item{
      .name = std::string(kSearchTool),
      .description =
          "Finds tools. Most tools are not shown until they are searched for: when none of the "
          "tools you see can do what is needed, describe it here. Tools that are found can be "
          "called from your next step on.",
      .parameters = parameters(),
      .source = site.source(),
      .idempotent = true};
  const auto handler = [search](ToolContext&, const JsonObject& input) -> Result<Json> {
    const auto limit = integer_field(input, "limit").value_or(kDefaultHits);
    return search->search(text_field(input, "query"), static_cast<std::size_t>(limit));
  };
  return site.registry.add_or_replace(
      {.item = std::move(item), .handler = handler, .thread = HandlerThread::Caller});
}

}  // namespace

Result<void> register_tool_search(ExtensionSite& site, const JsonObject& config) {
  ExtensionConfig reader(site.name, config);
  ToolSearch::Parts parts{.registry = site.registry,
                          .state = site.state,
                          .always = NamePatterns(reader.texts("alwaysInclude")),
                          .max_found = reader.size("maxFound", kDefaultMaxFound, {1, 1000}),
                          .min_tools = reader.size("minTools", 0, {0, 1 << 20})};
  GDN_TRY(reader.finish());
  const auto search = std::make_shared<ToolSearch>(std::move(parts));
  GDN_TRY(add_search_tool(site, search));
  const auto log = site.log;
  site.layers.step.add(site.name, [search, log](StepContext& context, StepPipeline::Next& next) {
    context.catalog = search->narrow(context.catalog);
    StepResult result = next();
    const Result<void> learned = search->learn(result);
    if (!learned.ok())
      log(LogLevel::Warn, "what was found is not kept: " + learned.error().message);
    return result;
  });
  return {};
}

}  // namespace goondan::shipped
