// The one interface to language models.
//
// A model is asked for one answer at a time, on the caller's thread; it may be asked by several
// threads at once. It keeps the deadline and the stop token, retries what is worth retrying, and
// never runs a tool.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/catalog.h>
#include <goondan/resources.h>
#include <goondan/tool.h>

#include "model/message.h"

namespace goondan {

namespace net {
class HttpClient;
}
class Redactor;

// Tokens. `input` includes what was read from or written to a cache.
struct Usage {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cache_read = 0;
  std::int64_t cache_write = 0;
  std::int64_t reasoning = 0;

  Usage& operator+=(const Usage& other);
  [[nodiscard]] Json to_json()
      const;  // {inputTokens, outputTokens, ...}; zeros left out but these two
  friend bool operator==(const Usage&, const Usage&) = default;
};

struct ModelRequest {
  std::string_view system = {};  // empty: none
  std::span<const Message> messages;
  const ToolCatalog& tools;
  const JsonObject& params;  // of the agent: temperature, maxTokens, topP ...
  Deadline deadline;
  std::stop_token stop = {};
};

enum class FinishReason { Stop, ToolCalls, Length, Refusal, Other };

struct ModelReply {
  std::string text = {};
  std::vector<ToolCall> calls =
      {};  // names as the catalog spells them; ids as they came, may repeat
  // What the provider wants back unchanged, as `{block, textBefore, callsBefore}`: it came after so
  // many bytes of `text` and so many calls (0 where they are missing).
  JsonArray opaque = {};
  FinishReason finish = FinishReason::Stop;
  Usage usage = {};
  std::string model = {};  // the id that the provider reports

  // The assistant's message: its parts in the order they came, a new id, and `source {type:
  // assistant, stepId}`. An empty reply is a message without parts.
  [[nodiscard]] Message to_message(std::string_view provider, std::string_view step_id) const;
};

// Hears what happens while a model answers; on the thread that asks.
class ModelObserver {
 public:
  virtual ~ModelObserver() = default;
  virtual void on_text(std::string_view) {}  // pieces of the text as they come, valid UTF-8
  // What has come so far is void: the answer begins anew.
  virtual void on_retry(int /*attempt*/, std::chrono::milliseconds /*wait*/, const Error&) {}
};

// Fails with `E_MODEL_*`, `E_NETWORK*`, `E_TLS`, `E_SCRIPT`, `E_TOOL_CANCELLED` (stopped).
class Model {
 public:
  virtual ~Model() = default;
  virtual Result<ModelReply> reply(const ModelRequest& request, ModelObserver& observer) = 0;
  [[nodiscard]] virtual std::string provider() const = 0;  // "openai", "anthropic", "scripted"
  [[nodiscard]] virtual std::string id() const = 0;        // the model's
};

struct ModelServices {
  std::filesystem::path bundle_root = {};
  ValueSource::Environment environment = {};
  std::shared_ptr<net::HttpClient> http = {};
  std::shared_ptr<Redactor> redactor = {};  // learns the key; may be null
};

// Providers: `openai` (any server that speaks chat completions; `spec.endpoint`), `anthropic`,
// `scripted` (`spec.model` is the path of the script in the bundle). Fails with `E_MODEL_CONFIG`
// (unknown provider: names the known ones), `E_CONFIG_VALUE_MISSING` (key), `E_SCRIPT`.
Result<std::shared_ptr<Model>> make_model(const ModelResource& resource,
                                          const ModelServices& services);

}  // namespace goondan
