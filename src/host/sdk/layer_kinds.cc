// The kinds of layers: what each takes out of its context, and what it sends with `next`.
#include "host/sdk/call_parts.h"
#include "host/sdk/layer_run.h"

namespace goondan::plugin {
namespace {

template <class Kind>
class Base : public Kind {
 public:
  explicit Base(LayerRun& run) : run_(run) {}

  [[nodiscard]] const JsonObject& context() const override { return run_.context; }
  [[nodiscard]] JsonObject& metadata() override { return run_.metadata; }
  [[nodiscard]] const std::stop_token& stop() const override { return run_.stop; }
  Result<Json> next() override { return run_.next(changes()); }
  Result<Json> request(std::string_view method, const Json& params) override {
    return run_.runtime(method, params);
  }

 protected:
  // What this kind of layer may have changed.
  virtual JsonObject changes() { return {}; }

  LayerRun& run_;
};

class ToolCallRun final : public Base<ToolCallLayer> {
 public:
  explicit ToolCallRun(LayerRun& run)
      : Base(run),
        tool_name_(text_at(run.context, "toolName")),
        tool_call_id_(text_at(run.context, "toolCallId")),
        args_(run.take_object("args")) {}

  [[nodiscard]] const std::string& tool_name() const override { return tool_name_; }
  [[nodiscard]] const std::string& tool_call_id() const override { return tool_call_id_; }
  [[nodiscard]] JsonObject& args() override { return args_; }

 private:
  JsonObject changes() override { return {{"args", args_}}; }

  std::string tool_name_;
  std::string tool_call_id_;
  JsonObject args_;
};

template <class Kind>
class ConversationRun : public Base<Kind> {
 public:
  explicit ConversationRun(LayerRun& run)
      : Base<Kind>(run), messages_(run.take_array("messages")) {}

  [[nodiscard]] const JsonArray& messages() const override { return messages_; }

  Result<void> append(Json message) override {
    return this->run_.change(messages_, {{"change", "append"}, {"message", std::move(message)}});
  }
  Result<void> replace(std::string_view id, Json message) override {
    return this->run_.change(
        messages_, {{"change", "replace"}, {"targetId", id}, {"message", std::move(message)}});
  }
  Result<void> remove(std::string_view id) override {
    return this->run_.change(messages_, {{"change", "remove"}, {"targetId", id}});
  }
  Result<void> truncate() override {
    return this->run_.change(messages_, {{"change", "truncate"}});
  }

 private:
  JsonArray messages_;
};

class StepRun final : public ConversationRun<StepLayer> {
 public:
  explicit StepRun(LayerRun& run) : ConversationRun(run), catalog_(run.take_array("toolCatalog")) {}

  [[nodiscard]] JsonArray& tool_catalog() override { return catalog_; }

 private:
  JsonObject changes() override { return {{"toolCatalog", catalog_}}; }

  JsonArray catalog_;
};

class TurnRun final : public ConversationRun<TurnLayer> {
 public:
  using ConversationRun::ConversationRun;
};

}  // namespace

Result<Json> run_layer(const ExtensionApi::OnToolCall& layer, LayerRun& run) {
  ToolCallRun call(run);
  return layer(call);
}

Result<Json> run_layer(const ExtensionApi::OnStep& layer, LayerRun& run) {
  StepRun step(run);
  return layer(step);
}

Result<Json> run_layer(const ExtensionApi::OnTurn& layer, LayerRun& run) {
  TurnRun turn(run);
  return layer(turn);
}

}  // namespace goondan::plugin
