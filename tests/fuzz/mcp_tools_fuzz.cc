// What a hostile MCP server can make of a result, a description or a name, and what a damaged disk
// can make of the file of pins.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "host/mcp/clean_text.h"
#include "host/mcp/pins_json.h"
#include "host/mcp/results.h"
#include "host/mcp/tool_names.h"

namespace {

using namespace goondan;  // NOLINT(google-build-using-namespace): one small program

void check(bool condition) {
  if (!condition) std::abort();
}

void clean(std::string_view bytes) {
  const CleanText once = clean_text(bytes);
  check(utf8::valid(once.text));
  check(clean_text(once.text).text == once.text);
  check(utf8::valid(cut_text(once.text, 100)));
  check(one_line(bytes, 100).size() <= 100);
}

void name(const std::string& bytes) {
  const std::vector<std::string> tools{bytes, bytes + ".", "." + bytes};
  const McpToolNames names("server", tools);
  for (const std::string& tool : tools) {
    const std::string visible = names.visible(tool);
    check(visible.size() <= kMaxMcpToolName && visible.starts_with("server__"));
    check(names.original(visible) == tool);
  }
}

void read_result(const Json& value) {
  McpResultFiles files({});
  Result<McpOutput> output = mcp_output(value, files);
  if (output.ok()) check(clean_json(output->value) == 0);
}

void read_pins(std::string_view bytes) {
  const Result<McpPins> pins = parse_mcp_pins(bytes, "pins");
  if (!pins.ok()) return;
  const std::string text = mcp_pins_text(*pins);
  check(mcp_pins_text(*parse_mcp_pins(text, "pins")) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  clean(bytes);
  name(bytes);
  read_pins(bytes);
  const Result<Json> value = parse_json(bytes);
  if (value.ok()) read_result(*value);
  return 0;
}
