#include "schema/schema.h"

#include "schema/compile.h"
#include "schema/explainer.h"
#include "schema/validator.h"

namespace goondan {
namespace {

using schema::Explainer;
using schema::Program;
using schema::Run;
using schema::Validator;
using schema::ValuePath;

class CompiledSchema final : public Schema {
 public:
  CompiledSchema(Program program, const Json& source) : program_(std::move(program)) {
    if (!source.is_object()) return;
    const JsonObject& object = source.get_object();
    if (const Json* names = object.if_contains("required"); names != nullptr && names->is_array()) {
      for (const Json& name : names->get_array()) {
        if (name.is_string()) required_.emplace_back(name.get_string());
      }
    }
    if (const Json* all = object.if_contains("properties"); all != nullptr && all->is_object()) {
      for (const auto& member : all->get_object())
        properties_.emplace_back(member.key());
    }
  }

  [[nodiscard]] bool valid(const Json& value) const override {
    Run run(program_);
    return Validator(run).valid(program_.root, value) && !run.budget.exhausted();
  }

  [[nodiscard]] std::vector<SchemaIssue> check(const Json& value, std::string_view root,
                                               std::size_t max_issues) const override {
    Run run(program_);
    const bool fine = Validator(run).valid(program_.root, value);
    if (run.budget.exhausted()) return {too_complex(root)};
    if (fine) return {};
    return explain(value, root, max_issues);
  }

  [[nodiscard]] const std::vector<std::string>& required() const override { return required_; }
  [[nodiscard]] const std::vector<std::string>& properties() const override { return properties_; }

 private:
  static SchemaIssue too_complex(std::string_view root) {
    return {.path = std::string(root), .message = "schema too complex to check"};
  }

  [[nodiscard]] std::vector<SchemaIssue> explain(const Json& value, std::string_view root,
                                                 std::size_t max_issues) const {
    Run run(program_);
    Explainer explainer(run, max_issues);
    explainer.explain(program_.root, value, ValuePath::root(root));
    std::vector<SchemaIssue> issues = std::move(explainer).finish();
    if (run.budget.exhausted() && issues.size() < max_issues) issues.push_back(too_complex(root));
    return issues;
  }

  Program program_;
  std::vector<std::string> required_;
  std::vector<std::string> properties_;
};

}  // namespace

Result<std::shared_ptr<const Schema>> Schema::compile(const Json& schema,
                                                      const SchemaOptions& options) {
  Program program = GDN_TRY(schema::compile_program(schema, options));
  return std::shared_ptr<const Schema>(
      std::make_shared<const CompiledSchema>(std::move(program), schema));
}

}  // namespace goondan
