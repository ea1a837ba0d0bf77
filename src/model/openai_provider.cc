#include "model/openai_provider.h"

#include "model/openai_request.h"
#include "model/openai_stream.h"

namespace goondan {
namespace {

class OpenAiProvider : public Provider {
 public:
  explicit OpenAiProvider(OpenAiSettings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] std::string name() const override { return std::string(kOpenAiProvider); }

  [[nodiscard]] std::vector<net::Header> headers(const std::string& key) const override {
    if (key.empty()) return {};
    return {{.name = "Authorization", .value = "Bearer " + key}};
  }

  [[nodiscard]] Result<std::string> body(const ModelRequest& request,
                                         const WireNames& names) const override {
    return openai_body(settings_, request, names);
  }

  [[nodiscard]] std::unique_ptr<ReplyReader> reader(const WireNames& names) const override {
    return std::make_unique<OpenAiReader>(names, settings_.reasoning);
  }

 private:
  OpenAiSettings settings_;
};

// OpenAI's newer models refuse the old name; other servers may not know the new one.
std::string max_tokens_field(const ModelOptions& options, Endpoint::Kind kind) {
  if (!options.max_tokens_field.empty()) return options.max_tokens_field;
  return kind == Endpoint::Kind::Default ? "max_completion_tokens" : "max_tokens";
}

}  // namespace

std::unique_ptr<Provider> make_openai_provider(const std::string& model,
                                               const ModelOptions& options, Endpoint::Kind kind) {
  return std::make_unique<OpenAiProvider>(
      OpenAiSettings{.model = model,
                     .max_tokens_field = max_tokens_field(options, kind),
                     .reasoning = options.reasoning,
                     .fields = options.request});
}

}  // namespace goondan
