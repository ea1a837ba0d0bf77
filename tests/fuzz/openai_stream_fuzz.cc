#include "model/openai_stream.h"
#include "model_stream.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace goondan;
  const ToolCatalog catalog =
      ToolCatalog().with({.name = "fs__read"}).value().with({.name = "slack.post"}).value();
  const WireNames names(catalog, {});
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  fuzz::check_stream(input, "openai", [&names] {
    return std::make_unique<OpenAiReader>(names, ModelOptions::Reasoning::SendBack);
  });
  return 0;
}
