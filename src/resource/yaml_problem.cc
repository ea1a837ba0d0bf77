#include "resource/yaml_problem.h"

#include <array>

#include "base/utf8.h"
#include "resource/source_text.h"

namespace goondan::yaml {
namespace {

// The first row whose parts occur in the context and the problem decides.
struct Row {
  std::string_view context;
  std::string_view problem;
  std::string_view message;
  std::string_view suggestion;
  bool at_context = false;
};

constexpr std::string_view kIndentation =
    "Keys of one mapping begin in the same column, and so do the items of one list.";

constexpr std::array kRows{
    Row{"flow sequence", "", "this list `[` is not closed where it should be",
        "Separate the items with `,` and end the list with `]`.", true},
    Row{"flow mapping", "", "this mapping `{` is not closed where it should be",
        "Separate the pairs with `,` and end the mapping with `}`.", true},
    Row{"quoted scalar", "unexpected end of stream", "this quoted text is never closed",
        "Add the closing quote.", true},
    Row{"quoted scalar", "document indicator", "this quoted text is never closed",
        "Add the closing quote.", true},
    Row{"quoted scalar", "escape", "this escape is not known between double quotes",
        "Write `\\\\` for a backslash, or use single quotes."},
    Row{"quoted scalar", "hexdecimal", "this escape needs hexadecimal digits",
        "Write `\\\\` for a backslash, or use single quotes."},
    Row{"simple key", "':'", "this line is neither `key: value` nor part of the text before it",
        "Add the missing `:`, or indent the line if it continues the one above.", true},
    Row{"", "mapping values are not allowed", "a second `key: value` cannot stand here",
        "Check the indentation; text that holds `: ` needs quotes."},
    Row{"", "mapping keys are not allowed", "a key cannot stand here", kIndentation},
    Row{"", "block sequence entries", "a list item `- ` cannot stand here",
        "Begin the list on a line of its own, or write `[a, b]`."},
    Row{"block mapping", "expected key", "this line does not fit the mapping it stands in",
        kIndentation},
    Row{"block collection", "'-' indicator", "this line does not fit the list it stands in",
        kIndentation},
    Row{"block scalar", "tab character", "tabs cannot indent a line in YAML",
        "Indent with spaces."},
    Row{"plain scalar", "tab character", "tabs cannot indent a line in YAML",
        "Indent with spaces."},
    Row{"block scalar", "", "what follows `|` or `>` must be a new line",
        "Put the text on the next line, indented."},
    Row{"", "alphabetic or numeric", "`&` and `*` begin an anchor or alias and need a name",
        "Put text that begins with one of them between quotes."},
    Row{"node", "undefined tag handle", "this tag is not supported", "Remove the tag."},
    Row{"tag", "", "this tag cannot be read", "Put text that begins with `!` between quotes."},
    Row{"", "incompatible YAML", "this version of YAML is not supported",
        "Remove the `%YAML` line."},
    Row{"directive", "", "this directive cannot be read",
        "Put text that begins with `%` between quotes."},
    Row{"", "%YAML", "a document can have one `%YAML` line only", "Remove one of them."},
    Row{"", "document start", "a document must begin here with `---`", "Add a line `---`."},
    Row{"", "node content", "a value is missing here", "Write a value, or remove what follows."},
};

Explanation explain_character(std::string_view line_rest) {
  if (line_rest.starts_with('\t')) {
    return {.message = "tabs cannot indent a line in YAML", .suggestion = "Indent with spaces."};
  }
  return {.message = "a value cannot begin with " + in_backticks(utf8::prefix(line_rest, 1)),
          .suggestion = "Put the text between quotes."};
}

}  // namespace

Explanation explain(const LibraryProblem& problem) {
  if (problem.problem.find("cannot start any token") != std::string_view::npos) {
    return explain_character(problem.line_rest);
  }
  for (const Row& row : kRows) {
    if (problem.context.find(row.context) == std::string_view::npos) continue;
    if (problem.problem.find(row.problem) == std::string_view::npos) continue;
    return {.message = std::string(row.message),
            .suggestion = std::string(row.suggestion),
            .at_context = row.at_context};
  }
  return {.message = "this is not YAML", .suggestion = "Check the quotes and the indentation."};
}

}  // namespace goondan::yaml
