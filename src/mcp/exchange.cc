#include "mcp/exchange.h"

#include <algorithm>

#include "base/json_fields.h"

namespace goondan::mcp {
namespace {

constexpr std::string_view kMetaVersion = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kMetaClient = "io.modelcontextprotocol/clientInfo";

double number_field(const JsonObject& object, std::string_view key) {
  const Json* found = object.if_contains(key);
  return found != nullptr && found->is_number() ? found->to_number<double>() : 0;
}

std::string suggestion_for(const RpcError& error) {
  if (error.code == kMethodNotFound) return "The server does not offer this.";
  if (error.code == kInvalidParams) return "Correct what is asked for as the message says.";
  return "";
}

}  // namespace

Deadline bounded(Deadline deadline) {
  return deadline == Deadline::max() ? Clock::now() + kDefaultRequestTime : deadline;
}

JsonObject client_info() {
  return {{"name", "goondan"}, {"version", GDN_VERSION}};
}

// Progress of one request goes to its caller as long as this lives.
class Exchange::Listening {
 public:
  Listening(Exchange& exchange, std::int64_t id, const RequestOptions& options)
      : exchange_(exchange), id_(id) {
    if (!options.on_progress) return;
    listener_ = std::make_shared<Listener>();
    listener_->call = &options.on_progress;
    const std::lock_guard lock(exchange_.listeners_mutex_);
    exchange_.listeners_.emplace(id_, listener_);
  }
  ~Listening() {
    if (!listener_) return;
    {
      const std::lock_guard lock(exchange_.listeners_mutex_);
      exchange_.listeners_.erase(id_);
    }
    const std::lock_guard lock(listener_->mutex);
    listener_->call = nullptr;
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  Exchange& exchange_;
  std::int64_t id_;
  std::shared_ptr<Listener> listener_;
};

void Exchange::set_era(Era era, std::string version, JsonObject capabilities) {
  era_ = era;
  version_ = std::move(version);
  capabilities_ = std::move(capabilities);
  transport_.set_era(era, version_);
}

JsonObject Exchange::with_meta(JsonObject params, std::int64_t id,
                               const RequestOptions& options) const {
  JsonObject meta;
  if (const JsonObject* given = object_field(params, "_meta")) meta = *given;
  if (options.on_progress) meta["progressToken"] = id;
  if (era_ == Era::Modern) {
    meta[kMetaVersion] = version_;
    meta[kMetaCapabilities] = capabilities_;
    meta[kMetaClient] = client_info();
  }
  if (!meta.empty()) params["_meta"] = std::move(meta);
  return params;
}

Result<Reply> Exchange::ask(std::string_view method, JsonObject params,
                            const RequestOptions& options, Headers headers) {
  const std::int64_t id = next_id_++;
  const Listening listening(*this, id, options);
  Json answer = GDN_TRY(transport_.request(
      {.message = make_request(id, method, with_meta(std::move(params), id, options)),
       .deadline = bounded(options.deadline),
       .stop = options.stop,
       .headers = std::move(headers)}));
  if (JsonObject* object = answer.if_object()) {
    if (object_field(*object, "error") != nullptr) return Reply(read_error(*object));
    Json* result = object->if_contains("result");
    if (result != nullptr && result->is_object()) return Reply(std::move(result->get_object()));
  }
  return Error{.code = ErrorCode::Mcp,
               .message = "'" + server_ + "' answered '" + std::string(method) +
                          "' with a result that is no object"};
}

Result<Exchange::Answer> Exchange::request(std::string_view method, JsonObject params,
                                           const RequestOptions& options, Headers headers) {
  Reply reply = GDN_TRY(ask(method, params, options, headers));
  if (const RpcError* error = std::get_if<RpcError>(&reply)) {
    if (!wants_same_again(*error)) return to_error(method, *error);
    reply = GDN_TRY(ask(method, std::move(params), options, std::move(headers)));
  }
  if (const RpcError* error = std::get_if<RpcError>(&reply)) return to_error(method, *error);
  return checked(method, std::get<JsonObject>(std::move(reply)));
}

// Whether a server refuses a version and then names it as supported.
bool Exchange::wants_same_again(const RpcError& error) const {
  if (era_ != Era::Modern || error.code != kUnsupportedVersion) return false;
  const JsonArray* supported = array_field(object_or_empty(error.data), "supported");
  return supported != nullptr && std::ranges::any_of(*supported, [this](const Json& one) {
           return one.is_string() && one.get_string() == version_;
         });
}

Result<Exchange::Answer> Exchange::checked(std::string_view method, JsonObject result) const {
  if (era_ != Era::Modern) return Answer{.result = std::move(result)};
  const std::string type = text_field(result, "resultType");
  // Every result has to say its type; one that says nothing is to be taken for complete.
  if (type == "complete" || !result.contains("resultType"))
    return Answer{.result = std::move(result)};
  if (type == "input_required") {
    return Answer{.type = Answer::Type::InputRequired, .result = std::move(result)};
  }
  return Error{.code = ErrorCode::Mcp,
               .message = "'" + server_ + "' answered '" + std::string(method) +
                          "' with a result of the unknown type '" + clean_text(type, 50) + "'",
               .suggestion = "Report this to the authors of the server."};
}

void Exchange::take_progress(const JsonObject& params) {
  const std::optional<std::int64_t> token = integer_field(params, "progressToken");
  if (!token) return;
  std::shared_ptr<Listener> listener;
  {
    const std::lock_guard lock(listeners_mutex_);
    const auto found = listeners_.find(*token);
    if (found == listeners_.end()) return;
    listener = found->second;
  }
  const std::lock_guard lock(listener->mutex);
  if (listener->call == nullptr) return;
  (*listener->call)(Progress{.done = number_field(params, "progress"),
                             .total = number_field(params, "total"),
                             .text = clean_text(text_field(params, "message"))});
}

Error Exchange::to_error(std::string_view method, const RpcError& error) const {
  return {.code = ErrorCode::Mcp,
          .message = "'" + server_ + "' refuses '" + std::string(method) +
                     "': " + (error.message.empty() ? "no reason given" : error.message) +
                     " (error " + std::to_string(error.code) + ")",
          .suggestion = suggestion_for(error)};
}

}  // namespace goondan::mcp
