#include "resource/entry.h"
#include "resource/readers.h"

namespace goondan {
namespace {

// Plays its answers from a file of the bundle, which `model` names.
constexpr std::string_view kScripted = "scripted";

void read_capabilities(MappingReader& spec, ModelResource& model, ReadContext& context) {
  const std::optional<Place> field = spec.find("capabilities");
  if (!field || !read_object(*field, context.diagnostics)) return;
  for (std::size_t i = 0; i < field->node->children.size() / 2; ++i) {
    const Place member = field->member(i);
    const std::optional<bool> flag = read_flag(member, context.diagnostics);
    if (flag) model.capabilities.emplace(member.key->text, *flag);
  }
}

void read_model_name(MappingReader& spec, ModelResource& model, ReadContext& context) {
  if (model.meta.dialect == Dialect::V1Alpha1 && !spec.place().find("model")) {
    spec.allow({"model"});
    model.model = spec.require_text("name").value_or("");
  } else if (model.provider == kScripted) {
    const std::optional<Place> script = spec.find("model");
    if (script) model.model = check_file(*script, context.files, context.diagnostics).value_or("");
  } else {
    model.model = spec.require_text("model").value_or("");
  }
}

}  // namespace

ModelResource read_model(ResourceMeta meta, const Place& spec, ReadContext& context) {
  ModelResource model{.meta = std::move(meta)};
  MappingReader reader(spec, context.diagnostics);
  model.provider = reader.require_text("provider").value_or("");
  read_model_name(reader, model, context);
  if (const std::optional<Place> key = reader.find("apiKey")) {
    model.api_key = read_value_source(*key, context);
  }
  model.endpoint = reader.text_or("endpoint", "");
  model.options = reader.object("options");
  read_capabilities(reader, model, context);
  reader.finish(unknown_fields(model.meta.dialect));
  return model;
}

}  // namespace goondan
