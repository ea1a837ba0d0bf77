#include "resource/yaml_parse.h"

#include <algorithm>
#include <string_view>
#include <yaml.h>

#include "base/utf8.h"
#include "resource/yaml_builder.h"
#include "resource/yaml_check.h"
#include "resource/yaml_problem.h"

namespace goondan::yaml {
namespace {

// The library counts characters; everyone else counts bytes. Marks mostly move forward, so the
// way from the last one is short.
class CharacterOffsets {
 public:
  explicit CharacterOffsets(std::string_view text) : text_(text) {}

  std::size_t byte_of(std::size_t character) {
    while (character_ > character) {
      do {
        --byte_;
      } while (byte_ > 0 && (static_cast<unsigned char>(text_[byte_]) & 0xC0) == 0x80);
      --character_;
    }
    while (character_ < character && byte_ < text_.size()) {
      byte_ += std::max<std::size_t>(utf8::sequence_length(text_.substr(byte_)), 1);
      ++character_;
    }
    return byte_;
  }

 private:
  std::string_view text_;
  std::size_t character_ = 0;
  std::size_t byte_ = 0;
};

class LibraryParser {
 public:
  explicit LibraryParser(std::string_view text) {
    ready_ = yaml_parser_initialize(&parser_) != 0;
    if (!ready_) return;
    const void* bytes = text.data();
    yaml_parser_set_input_string(&parser_, static_cast<const unsigned char*>(bytes), text.size());
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  }
  ~LibraryParser() {
    if (ready_) yaml_parser_delete(&parser_);
  }
  LibraryParser(const LibraryParser&) = delete;
  LibraryParser& operator=(const LibraryParser&) = delete;

  bool next(yaml_event_t& event) { return ready_ && yaml_parser_parse(&parser_, &event) != 0; }
  [[nodiscard]] const yaml_parser_t& state() const { return parser_; }

 private:
  yaml_parser_t parser_ = {};
  bool ready_ = false;
};

class Event {
 public:
  Event() = default;
  ~Event() { yaml_event_delete(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  yaml_event_t& raw() { return event_; }

 private:
  yaml_event_t event_ = {};
};

std::string_view view(const yaml_char_t* text) {
  if (text == nullptr) return {};
  const void* bytes = text;
  return static_cast<const char*>(bytes);
}

std::string_view scalar_text(const yaml_event_t& event) {
  const void* bytes = event.data.scalar.value;
  return {static_cast<const char*>(bytes), event.data.scalar.length};
}

std::string_view or_empty(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

// Reads a file from `start_` to its end, or to the first document that cannot be read.
class StreamReader {
 public:
  struct Parts {
    const SourceText& source;
    NodeBudget& budget;
    AliasBudget& aliases;
    Diagnostics& diagnostics;
    ParsedFile& file;
    std::size_t& documents_begun;
  };

  StreamReader(Parts parts, std::size_t start)
      : parts_(parts),
        start_(start),
        document_begin_(start),
        text_(parts.source.text().substr(start)),
        offsets_(text_),
        parser_(text_) {}

  // Nothing at the end of the file; otherwise where the document begins that was given up.
  std::optional<std::size_t> run();

 private:
  enum class Step { Continue, Stop, End };
  enum class Ending { Whole, Broken };

  Step handle(yaml_event_t& event);
  Step begin_document(std::size_t offset);
  void end_document(Ending ending);
  void report_problem();
  EventSource source_of(const yaml_event_t& event);
  std::size_t offset_of(const yaml_mark_t& mark) { return start_ + offsets_.byte_of(mark.index); }

  Parts parts_;
  std::size_t start_;
  std::size_t document_begin_;
  std::string_view text_;
  CharacterOffsets offsets_;
  LibraryParser parser_;
  std::optional<TreeBuilder> builder_;
};

std::optional<std::size_t> StreamReader::run() {
  for (;;) {
    Event event;
    Step step = Step::Stop;
    if (parser_.next(event.raw())) {
      step = handle(event.raw());
    } else {
      report_problem();
    }
    if (step == Step::End) return std::nullopt;
    if (step == Step::Stop) {
      end_document(Ending::Broken);
      return document_begin_;
    }
  }
}

EventSource StreamReader::source_of(const yaml_event_t& event) {
  EventSource source{.begin = offset_of(event.start_mark), .end = offset_of(event.end_mark)};
  if (event.type == YAML_SCALAR_EVENT) {
    source.anchor = view(event.data.scalar.anchor);
    source.tag = view(event.data.scalar.tag);
  } else if (event.type == YAML_SEQUENCE_START_EVENT) {
    source.anchor = view(event.data.sequence_start.anchor);
    source.tag = view(event.data.sequence_start.tag);
  } else if (event.type == YAML_MAPPING_START_EVENT) {
    source.anchor = view(event.data.mapping_start.anchor);
    source.tag = view(event.data.mapping_start.tag);
  }
  return source;
}

StreamReader::Step StreamReader::handle(yaml_event_t& event) {
  const EventSource source = source_of(event);
  TreeBuilder::Next next = TreeBuilder::Next::Continue;
  switch (event.type) {
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
      break;
    case YAML_STREAM_END_EVENT:
      return Step::End;
    case YAML_DOCUMENT_START_EVENT:
      return begin_document(source.begin);
    case YAML_DOCUMENT_END_EVENT:
      end_document(Ending::Whole);
      break;
    case YAML_ALIAS_EVENT:
      next = builder_->alias(source, view(event.data.alias.anchor));
      break;
    case YAML_SCALAR_EVENT:
      next = builder_->scalar(
          source, scalar_text(event),
          event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? Quoting::Plain : Quoting::Quoted);
      break;
    case YAML_SEQUENCE_START_EVENT:
      next = builder_->begin(source, NodeKind::Sequence);
      break;
    case YAML_MAPPING_START_EVENT:
      next = builder_->begin(source, NodeKind::Mapping);
      break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      next = builder_->end(source.end);
      break;
  }
  return next == TreeBuilder::Next::Continue ? Step::Continue : Step::Stop;
}

StreamReader::Step StreamReader::begin_document(std::size_t offset) {
  document_begin_ = offset;
  if (++parts_.documents_begun > kMaxDocuments) {
    parts_.diagnostics.error(
        {.source = parts_.source, .document_index = parts_.file.documents.size(), .offset = offset},
        ErrorCode::ConfigTooManyDocuments,
        "the file has more than " + std::to_string(kMaxDocuments) + " documents",
        "Move some of them to another file, for example `tools.yaml`.");
    return Step::Stop;
  }
  builder_.emplace(TreeBuilder::Parts{.source = parts_.source,
                                      .document_index = parts_.file.documents.size(),
                                      .tree = parts_.file.tree,
                                      .nodes = parts_.budget,
                                      .aliases = parts_.aliases,
                                      .diagnostics = parts_.diagnostics});
  return Step::Continue;
}

void StreamReader::end_document(Ending ending) {
  if (!builder_) return;
  const Node* root = builder_->root();
  const bool empty = root == nullptr || (root->is_null() && root->plain);
  if (!empty) {
    parts_.file.documents.push_back({.source = &parts_.source,
                                     .index = parts_.file.documents.size(),
                                     .root = root,
                                     .broken = ending == Ending::Broken});
  }
  builder_.reset();
}

void StreamReader::report_problem() {
  const yaml_parser_t& state = parser_.state();
  const std::size_t place = offset_of(state.problem_mark);
  const std::string_view rest = parts_.source.text().substr(place);
  const Explanation explanation =
      explain({.context = or_empty(state.context),
               .problem = or_empty(state.problem),
               .line_rest = rest.substr(0, rest.find_first_of("\r\n"))});
  parts_.diagnostics.error(
      {.source = parts_.source,
       .document_index = parts_.file.documents.size(),
       .offset = explanation.at_context ? offset_of(state.context_mark) : place},
      ErrorCode::ConfigParse, explanation.message, explanation.suggestion);
}

}  // namespace

ParsedFile parse_file(const SourceText& source, NodeBudget& budget, Diagnostics& diagnostics) {
  ParsedFile file;
  if (const std::optional<TextProblem> problem = check_text(source.text())) {
    diagnostics.error({.source = source, .offset = problem->offset}, ErrorCode::ConfigParse,
                      problem->message, problem->suggestion);
    file.complete = false;
    return file;
  }
  AliasBudget aliases;
  std::size_t documents_begun = 0;
  std::optional<std::size_t> start = 0;
  for (std::size_t tries = 0; start && tries <= kMaxDocuments; ++tries) {
    StreamReader reader({.source = source,
                         .budget = budget,
                         .aliases = aliases,
                         .diagnostics = diagnostics,
                         .file = file,
                         .documents_begun = documents_begun},
                        *start);
    const std::optional<std::size_t> given_up = reader.run();
    if (!given_up) break;
    file.complete = false;
    if (documents_begun > kMaxDocuments) break;
    start = find_document_marker(source.text(), std::max(*given_up, *start) + 1);
  }
  return file;
}

}  // namespace goondan::yaml
