#include "host/native/extension_fixture.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

namespace goondan::test {

void RecordingListener::on_notify(const std::string& method, const Json& params) {
  add(method, params);
}

Result<Json> RecordingListener::on_request(const std::string& method, const Json& params) {
  add(method, params);
  return nullptr;
}

void RecordingListener::add(const std::string& method, const Json& params) {
  const std::scoped_lock lock(mutex_);
  said_.push_back(method + " " + to_text(params));
  changed_.notify_all();
}

std::string RecordingListener::await(std::string_view beginning) {
  std::string found;
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, soon(), [&] {
    const auto at = std::ranges::find_if(
        said_, [&](const std::string& text) { return text.starts_with(beginning); });
    if (at != said_.end()) found = *at;
    return at != said_.end();
  });
  return found;
}

Result<Json> Conversation::run(Peer& peer, std::string_view method, Json params) {
  const auto answer = [this](const std::string& asked, const Json& given) -> Result<Json> {
    said.push_back(asked + " " + to_text(given));
    if (on_request) return on_request(asked, given);
    if (asked == "next") {
      return JsonObject{{"outcome", outcome}, {"metadata", given.as_object().at("metadata")}};
    }
    return nullptr;
  };
  return peer.call({.method = method,
                    .params = std::move(params),
                    .deadline = deadline,
                    .stop = stop,
                    .on_request = answer,
                    .on_notify = [this](const std::string& told, const Json& given) {
                      said.push_back(told + " " + to_text(given));
                    }});
}

LoadedExtension::LoadedExtension(Isolation isolation, std::string_view plugin)
    : resource_{.meta = {}, .entry = "./plugin.so", .isolation = isolation} {
  ::setenv("GOONDAN_GDN", worker_path().c_str(), 1);
  resource_.meta.name = "ext";
  std::filesystem::copy_file(plugin_path(plugin), folder_.path() / "plugin.so");
  folder_.write("goondan.yaml",
                "apiVersion: goondan.ai/v1\nkind: Package\nmetadata: { name: p }\n"
                "spec: { version: 1.0.0 }\n");
}

LoadedExtension::~LoadedExtension() {
  peer_.reset();
  ::unsetenv("GOONDAN_GDN");
}

Result<void> LoadedExtension::load() {
  const Bundle bundle = GDN_TRY(Bundle::load(folder_.path()));
  peer_ = GDN_TRY(load_native_extension(bundle, resource_));
  peer_->listen(listener_);
  return {};
}

Result<void> LoadedExtension::set_up(JsonObject config, Json state) {
  GDN_TRY(load());
  return peer_->add_setup([this, config = std::move(config),
                           state = std::move(state)](Peer& peer) -> Result<void> {
    Conversation conversation;
    const Result<Json> reply = conversation.run(peer, "register",
                                                JsonObject{{"extension", "ext"},
                                                           {"module", "ext"},
                                                           {"config", config},
                                                           {"state", state},
                                                           {"agent", JsonObject{{"name", "a"}}}});
    said_ = conversation.said;
    return reply.ok() ? Result<void>() : reply.error();
  });
}

Result<Json> LoadedExtension::layer(int number, JsonObject context, Conversation& conversation) {
  return conversation.run(
      *peer_, "layer",
      JsonObject{{"extension", "ext"}, {"layer", number}, {"context", std::move(context)}});
}

Result<Json> LoadedExtension::tool(std::int64_t number, JsonObject input,
                                   Conversation& conversation) {
  return conversation.run(
      *peer_, "extensionTool",
      JsonObject{{"extension", "ext"},
                 {"tool", number},
                 {"input", std::move(input)},
                 {"context", JsonObject{{"toolCallId", "c1"}, {"workdir", "/w"}}}});
}

std::int64_t tool_number(std::string_view said) {
  const Result<Json> params = parse_json(said.substr(said.find('{')));
  return params->as_object().at("tool").as_int64();
}

JsonObject one_layer(std::string_view kind, std::string_view does) {
  return {{"layers", JsonArray{JsonObject{{"kind", kind}, {"does", does}}}}};
}

}  // namespace goondan::test
