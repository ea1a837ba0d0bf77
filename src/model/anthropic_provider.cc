#include "model/anthropic_provider.h"

#include "model/anthropic_request.h"
#include "model/anthropic_stream.h"

namespace goondan {
namespace {

class AnthropicProvider : public Provider {
 public:
  explicit AnthropicProvider(AnthropicSettings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] std::string name() const override { return std::string(kAnthropicProvider); }

  [[nodiscard]] std::vector<net::Header> headers(const std::string& key) const override {
    std::vector<net::Header> headers{
        {.name = "anthropic-version", .value = std::string(kAnthropicVersion)}};
    if (!key.empty()) headers.push_back({.name = "x-api-key", .value = key});
    return headers;
  }

  [[nodiscard]] Result<std::string> body(const ModelRequest& request,
                                         const WireNames& names) const override {
    return anthropic_body(settings_, request, names);
  }

  [[nodiscard]] std::unique_ptr<ReplyReader> reader(const WireNames& names) const override {
    return std::make_unique<AnthropicReader>(names);
  }

 private:
  AnthropicSettings settings_;
};

}  // namespace

std::unique_ptr<Provider> make_anthropic_provider(const std::string& model,
                                                  const ModelOptions& options) {
  return std::make_unique<AnthropicProvider>(
      AnthropicSettings{.model = model, .fields = options.request});
}

}  // namespace goondan
