// A scripted model over a script that a test writes, and the conversations to ask it about.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/ids.h"
#include "model/scripted.h"

namespace goondan {

// Hears everything.
class Listener final : public ModelObserver {
 public:
  void on_text(std::string_view piece) override { pieces.emplace_back(piece); }
  void on_retry(int attempt, std::chrono::milliseconds, const Error& error) override {
    retries.emplace_back(attempt, error.code_text());
  }

  std::vector<std::string> pieces;
  std::vector<std::pair<int, std::string>> retries;
};

class ScriptedTest : public testing::Test {
 protected:
  ScriptedTest() : folder_(std::filesystem::temp_directory_path() / make_id("goondan-scripted-")) {
    std::filesystem::create_directories(folder_);
  }
  ~ScriptedTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }

  Result<std::shared_ptr<Model>> load(const std::string& text) {
    write("script.yaml", text);
    return open("./script.yaml");
  }

  Result<std::shared_ptr<Model>> open(const std::string& path) {
    return make_scripted_model(resource(path), {.bundle_root = folder_});
  }

  static ModelResource resource(const std::string& path) {
    return {.meta = {}, .provider = "scripted", .model = path};
  }

  // The model's answer to what `messages_` says so far.
  Result<ModelReply> ask(Model& model) {
    return model.reply({.system = system_,
                        .messages = messages_,
                        .tools = tools_,
                        .params = params_,
                        .deadline = deadline_,
                        .stop = stop_.get_token()},
                       listener_);
  }

  // Asks, and takes the answer into the conversation.
  Result<ModelReply> go_on(Model& model) {
    Result<ModelReply> answer = ask(model);
    if (answer.ok()) messages_.push_back(answer->to_message("scripted", "step"));
    return answer;
  }

  void user(const std::string& text) { messages_.push_back(Message::user(text)); }
  void result(const std::string& tool, Json output, const std::string& id = "call_1_1") {
    messages_.push_back(
        Message::tool_result(ToolCallResult::success({.id = id, .name = tool}, std::move(output))));
  }
  void failure(const std::string& tool, Error error) {
    messages_.push_back(Message::tool_result(
        ToolCallResult::failure({.id = "call_1_1", .name = tool}, std::move(error))));
  }
  void pending(const std::string& tool, const std::string& handle, Json output) {
    messages_.push_back(Message::tool_result(
        ToolCallResult::pending({.id = "call_1_1", .name = tool}, handle, std::move(output))));
  }

  // The text of the answer to a single message of the user.
  std::string answer_to(Model& model, const std::string& text) {
    messages_.clear();
    user(text);
    const Result<ModelReply> answer = ask(model);
    return answer.ok() ? answer->text : answer.error().message;
  }

  std::filesystem::path folder_;
  std::string system_;
  std::vector<Message> messages_;
  ToolCatalog tools_;
  JsonObject params_;
  Deadline deadline_ = Clock::now() + std::chrono::seconds(60);
  std::stop_source stop_;
  Listener listener_;
};

}  // namespace goondan
