#include "model/scripted_reader.h"

#include <array>

#include "base/nearest.h"
#include "model/scripted_reference.h"
#include "model/scripted_when.h"
#include "resource/mapping_reader.h"
#include "resource/yaml_parse.h"

namespace goondan::scripted {
namespace {

constexpr Words<FinishReason, 5> kFinishes{{{"stop", FinishReason::Stop},
                                            {"toolCalls", FinishReason::ToolCalls},
                                            {"length", FinishReason::Length},
                                            {"refusal", FinishReason::Refusal},
                                            {"other", FinishReason::Other}}};

// Reads one reply; what is wrong goes to the diagnostics.
class ReplyReader {
 public:
  explicit ReplyReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  Reply read(const Place& place);

 private:
  Call read_call(const Place& place);
  Failure read_failure(const Place& place);
  Usage read_usage(const Place& place);
  std::string read_template(const Place& place);
  void check_args(const Place& place);
  enum class Answers { No, Yes };
  void check_answers(const Place& place, const Reply& reply, Answers has);
  void check_templates(const Place& place);
  ErrorCode read_code(const Place& place);

  void mistake(const Place& place, std::string message, std::string suggestion = {}) {
    report(place, diagnostics_, std::move(message), std::move(suggestion));
  }

  Diagnostics& diagnostics_;
};

void ReplyReader::check_templates(const Place& place) {
  const Result<void> checked = scripted::check_references(place.node->text);
  if (!checked.ok()) mistake(place, checked.error().message, checked.error().suggestion);
}

std::string ReplyReader::read_template(const Place& place) {
  std::optional<std::string> text = read_text(place, diagnostics_);
  if (text) check_templates(place);
  return text.value_or("");
}

void ReplyReader::check_args(const Place& place) {
  if (place.node->is_text()) return check_templates(place);
  const std::size_t count = place.node->children.size();
  if (place.node->kind == yaml::NodeKind::Sequence) {
    for (std::size_t i = 0; i < count; ++i)
      check_args(place.item(i));
  } else if (place.node->kind == yaml::NodeKind::Mapping) {
    for (std::size_t i = 0; i < count / 2; ++i)
      check_args(place.member(i));
  }
}

Call ReplyReader::read_call(const Place& place) {
  MappingReader reader(place, diagnostics_);
  Call call{
      .tool = reader.require_text("tool", "Name the tool, e.g. `tool: bash__exec`.").value_or("")};
  call.id = reader.text_or("id", "");
  if (const auto raw = reader.find("rawArguments")) call.raw_arguments = read_template(*raw);
  if (const auto args = reader.find("args")) {
    check_args(*args);
    call.args = args->node->to_json();
    if (call.raw_arguments) {
      mistake(*args, "a call has either `args` or `rawArguments`", "Remove one of the two.");
    } else if (!call.args.is_object()) {
      report_wrong_kind(*args, "a mapping", "Use `rawArguments` for arguments that are none.",
                        diagnostics_);
    }
  }
  reader.finish(Unknown::Error);
  return call;
}

ErrorCode ReplyReader::read_code(const Place& place) {
#define GDN_SCRIPT_CODE(id, wire, name) std::pair(std::string_view(wire), ErrorCode::id),
  static constexpr std::array kCodes{GDN_ERROR_CODES(GDN_SCRIPT_CODE)};
#undef GDN_SCRIPT_CODE
  const std::optional<std::string> text = read_text(place, diagnostics_);
  if (!text) return ErrorCode::Model;
  std::vector<std::string_view> known;
  for (const auto& [wire, code] : kCodes) {
    if (wire == *text) return code;
    known.push_back(wire);
  }
  const std::string_view like = nearest(*text, known);
  mistake(place, "there is no error code " + in_backticks(*text),
          like.empty() ? "`gdn explain` lists them." : "Did you mean " + in_backticks(like) + "?");
  return ErrorCode::Model;
}

Failure ReplyReader::read_failure(const Place& place) {
  MappingReader reader(place, diagnostics_);
  Failure failure;
  const auto code = reader.require("code", "Write e.g. `code: E_MODEL_BUSY`.");
  failure.error.code = code ? read_code(*code) : ErrorCode::Model;
  failure.error.message = reader.text_or("message", "the script says that the model fails here");
  failure.error.suggestion = reader.text_or("suggestion", "");
  failure.times = reader.positive("times").value_or(0);
  reader.finish(Unknown::Error);
  return failure;
}

Usage ReplyReader::read_usage(const Place& place) {
  MappingReader reader(place, diagnostics_);
  const auto tokens = [&reader](std::string_view name) {
    return static_cast<std::int64_t>(reader.positive(name).value_or(0));
  };
  Usage usage;
  usage.input = tokens("inputTokens");
  usage.output = tokens("outputTokens");
  usage.cache_read = tokens("cacheReadTokens");
  usage.cache_write = tokens("cacheWriteTokens");
  usage.reasoning = tokens("reasoningTokens");
  reader.finish(Unknown::Error);
  return usage;
}

std::string where(const Place& place) {
  const SourceText& source = *place.document->source;
  const SourceText::LineColumn at = source.locate(place.node->begin);
  return source.name() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

Reply ReplyReader::read(const Place& place) {
  MappingReader reader(place, diagnostics_);
  Reply reply{.where = where(place)};
  if (const auto when = reader.find("when")) reply.when = read_when(*when, diagnostics_);
  reply.times = reader.positive("times");
  const std::optional<Place> text = reader.find("text");
  if (text) reply.text = read_template(*text);
  const std::vector<Place> calls = reader.items("calls");
  for (const Place& call : calls)
    reply.calls.push_back(read_call(call));
  if (calls.size() > kMaxCalls) {
    mistake(place, "a reply has at most " + std::to_string(kMaxCalls) + " calls");
  }
  if (const auto error = reader.find("error")) reply.failure = read_failure(*error);
  reply.delay = std::chrono::milliseconds(reader.positive("delayMs").value_or(0));
  reply.piece_delay = std::chrono::milliseconds(reader.positive("pieceDelayMs").value_or(0));
  reply.finish = read_word(reader.find("finish"), kFinishes, diagnostics_);
  if (const auto usage = reader.find("usage")) reply.usage = read_usage(*usage);
  reader.finish(Unknown::Error);
  if (place.node->kind == yaml::NodeKind::Mapping)
    check_answers(place, reply, text || !calls.empty() ? Answers::Yes : Answers::No);
  return reply;
}

void ReplyReader::check_answers(const Place& place, const Reply& reply, Answers has) {
  const bool answers = has == Answers::Yes;
  if (!answers && (!reply.failure || reply.failure->times > 0)) {
    mistake(place, "the reply says nothing", "Add `text`, `calls` or `error`.");
  } else if (answers && reply.failure && reply.failure->times == 0) {
    mistake(place, "the reply both fails and answers",
            "Remove `text` and `calls`, or say with `times` how many attempts fail before them.");
  }
}

}  // namespace

Script read_script(SourceFile file, Diagnostics& diagnostics) {
  Script script{.file = file.name};
  const SourceText source(std::move(file));
  yaml::NodeBudget budget;
  const yaml::ParsedFile parsed = yaml::parse_file(source, budget, diagnostics);
  if (diagnostics.errors() > 0) return script;
  if (parsed.documents.size() != 1) {
    diagnostics.file_error(
        script.file, ErrorCode::Script,
        parsed.documents.empty() ? "the script is empty" : "the script has more than one document",
        "A script is one document with a list of `replies`.");
    return script;
  }
  MappingReader reader(Place::root(parsed.documents.front()), diagnostics);
  const auto list = reader.require("replies", "A script is a list of `replies`.");
  reader.finish(Unknown::Error);
  const std::vector<Place> replies = list ? read_items(*list, diagnostics) : std::vector<Place>{};
  if (replies.size() > kMaxReplies) {
    diagnostics.error(list->spot(), ErrorCode::Script,
                      "a script has at most " + std::to_string(kMaxReplies) + " replies");
    return script;
  }
  ReplyReader reply_reader(diagnostics);
  for (const Place& reply : replies)
    script.replies.push_back(reply_reader.read(reply));
  return script;
}

}  // namespace goondan::scripted
