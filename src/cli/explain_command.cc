#include <goondan/json.h>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/explanations.h"
#include "cli/terminal.h"

namespace goondan::cli {
namespace {

Json explanation_json(const Explanation& explanation) {
  return {{"code", wire_code(explanation.code)},
          {"name", wire_name(explanation.code)},
          {"meaning", explanation.meaning},
          {"remedy", explanation.remedy}};
}

ExitCode list_all(ExplainFormat format) {
  JsonArray all;
  for (const Explanation& explanation : all_explanations()) {
    if (format == ExplainFormat::Json) {
      all.push_back(explanation_json(explanation));
      continue;
    }
    print_line(styled(wire_code(explanation.code), Style::Bold, Stream::Out));
    if (format == ExplainFormat::Text) print_line("    " + std::string(explanation.meaning));
  }
  if (format == ExplainFormat::Json) print_line(to_text(all));
  return ExitCode::Ok;
}

ExitCode unknown_code(const std::string& code) {
  std::vector<std::string_view> codes;
  for (const Explanation& explanation : all_explanations()) {
    codes.push_back(wire_code(explanation.code));
  }
  std::string_view near = nearest(code, codes);
  if (near.empty()) near = nearest("E_" + code, codes);
  print_error({.code = ErrorCode::Usage,
               .message = "there is no error code '" + code + "'",
               .suggestion = near.empty() ? "`gdn explain` lists all codes."
                                          : "Did you mean " + std::string(near) + "?"});
  return ExitCode::Usage;
}

}  // namespace

ExitCode run_explain(const ExplainRequest& request) {
  if (!request.code) return list_all(request.format);
  const Explanation* found = find_explanation(*request.code);
  if (found == nullptr) return unknown_code(*request.code);
  if (request.format == ExplainFormat::Json) {
    print_line(to_text(explanation_json(*found)));
    return ExitCode::Ok;
  }
  print_line(styled(wire_code(found->code), Style::Bold, Stream::Out) + "  (" +
             std::string(wire_name(found->code)) + ")");
  print_line("");
  print_line(found->meaning);
  print_line("");
  print_line("What to do: " + std::string(found->remedy));
  return ExitCode::Ok;
}

}  // namespace goondan::cli
