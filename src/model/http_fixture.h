// For tests: a server on loopback that plays a provider, and models that ask it.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>
#include <zlib.h>

#include <gtest/gtest.h>

#include "model/body_reader.h"
#include "model/model.h"
#include "net/http_client.h"
#include "net/test_server.h"

namespace goondan {

// Hears what an answer tells on its way.
struct Heard : ModelObserver {
  std::string text = {};
  std::vector<std::string> pieces = {};
  std::vector<Error> retries = {};
  std::vector<std::chrono::milliseconds> waits = {};

  void on_text(std::string_view piece) override {
    text += piece;
    pieces.emplace_back(piece);
  }

  void on_retry(int attempt, std::chrono::milliseconds wait, const Error& error) override {
    retries.push_back(error);
    waits.push_back(wait);
    EXPECT_EQ(attempt, static_cast<int>(retries.size()));
    text.clear();
    pieces.clear();
  }
};

// `body` in chunks of `piece` bytes.
inline std::string chunked(std::string_view body, std::size_t piece) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  while (!body.empty()) {
    const std::string_view part = body.substr(0, piece);
    std::string size;
    for (std::size_t rest = part.size(); rest > 0; rest /= 16) {
      size.insert(size.begin(), kDigits[rest % 16]);
    }
    out += size + "\r\n" + std::string(part) + "\r\n";
    body.remove_prefix(part.size());
  }
  return out + "0\r\n\r\n";
}

inline std::string stream_answer(std::string_view body, std::size_t piece = 1000) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: "
         "chunked\r\n\r\n" +
         chunked(body, piece);
}

inline std::string error_answer(std::string_view status, std::string_view body,
                                std::string_view headers = {}) {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n" + std::string(headers) + "\r\n" + std::string(body);
}

// Answers its requests, in whatever connection they come, with the given texts one after the other,
// then with the last one again. A text with `cut` in front ends the connection after it.
class ModelServer {
 public:
  explicit ModelServer(std::vector<std::string> answers)
      : answers_(std::move(answers)),
        server_([this](net::TestConnection& connection) { serve(connection); }) {}

  [[nodiscard]] std::string endpoint() const { return server_.url("/v1").text(); }
  [[nodiscard]] int accepted() const { return server_.accepted(); }

  std::vector<std::string> requests() {
    const std::scoped_lock lock(mutex_);
    return requests_;
  }

  std::string body(std::size_t request) {
    const std::string text = requests().at(request);
    return text.substr(text.find("\r\n\r\n") + 4);
  }

  static constexpr std::string_view kCut = "cut:";

 private:
  void serve(net::TestConnection& connection) {
    while (true) {
      const std::string request = connection.read_request();
      if (request.empty()) return;
      std::string_view answer;
      {
        const std::scoped_lock lock(mutex_);
        answer = answers_[std::min(requests_.size(), answers_.size() - 1)];
        requests_.push_back(request);
      }
      if (answer.empty()) return connection.wait_for_end();
      const bool cut = answer.starts_with(kCut);
      if (!connection.send(cut ? answer.substr(kCut.size()) : answer) || cut) return;
    }
  }

  std::vector<std::string> answers_;
  std::mutex mutex_;
  std::vector<std::string> requests_;
  net::TestServer server_;
};

inline std::string gzipped(std::string_view text) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

inline ToolCatalog catalog_of(const std::vector<std::string>& names) {
  ToolCatalog catalog;
  for (const std::string& name : names) {
    catalog = catalog.with({.name = name}).value();
  }
  return catalog;
}

inline Json json(std::string_view text) {
  return parse_json(text).value();
}

inline ModelResource resource_for(std::string provider, const std::string& endpoint,
                                  std::string_view options = "{}") {
  ModelResource resource{.meta = {.name = "fast"},
                         .provider = std::move(provider),
                         .model = "m-1",
                         .endpoint = endpoint};
  resource.options = json(options).as_object();
  // So that no test waits for long.
  if (!resource.options.contains("retryWaitMs")) resource.options["retryWaitMs"] = 1;
  return resource;
}

// What one asks for; everything may be replaced.
struct Asked {
  std::string system = {};
  std::vector<Message> messages = {Message::user("hi")};
  ToolCatalog tools = catalog_of({"fs__read", "fs__write"});
  JsonObject params = {};
  std::chrono::milliseconds time{60'000};
  std::stop_token stop = {};

  Result<ModelReply> ask(Model& model, ModelObserver& observer) const {
    return model.reply({.system = system,
                        .messages = messages,
                        .tools = tools,
                        .params = params,
                        .deadline = Clock::now() + time,
                        .stop = stop},
                       observer);
  }
};

inline std::shared_ptr<Model> model_for(const ModelResource& resource) {
  return make_model(resource, {}).value();
}

// A whole answer: the same for every reply that says the same.
inline std::string summary(const Result<ModelReply>& reply) {
  if (!reply.ok()) return std::string(reply.error().code_text()) + " " + reply.error().message;
  JsonArray calls;
  for (const ToolCall& call : reply->calls) {
    calls.push_back(JsonArray{call.id, call.name, call.input, call.input_problem});
  }
  return to_text({{"text", reply->text},
                  {"calls", calls},
                  {"opaque", reply->opaque},
                  {"finish", static_cast<int>(reply->finish)},
                  {"usage", reply->usage.to_json()},
                  {"model", reply->model}});
}

}  // namespace goondan
