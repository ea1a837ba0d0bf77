#include "resource/yaml_parse.h"

#include <algorithm>
#include <string>

#include "resource/yaml_builder.h"
#include "resource/yaml_check.h"
#include "resource/yaml_events.h"

namespace goondan::yaml {
namespace {

// Reads a file from some place to its end, or to the first document that cannot be read.
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
      : parts_(parts), document_begin_(start), events_(parts.source.text(), start) {}

  // Nothing at the end of the file; otherwise where the document begins that was given up.
  std::optional<std::size_t> run();

 private:
  enum class Step { Continue, Stop, End };
  enum class Ending { Whole, Broken };

  Step handle(const Event& event);
  TreeBuilder::Next build(const Event& event);
  Step begin_document(std::size_t offset);
  void end_document(Ending ending);
  void report_problem();

  Parts parts_;
  std::size_t document_begin_;
  EventStream events_;
  std::optional<TreeBuilder> builder_;
};

std::optional<std::size_t> StreamReader::run() {
  for (;;) {
    Step step = Step::Stop;
    if (const std::optional<Event> event = events_.next()) {
      step = handle(*event);
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

StreamReader::Step StreamReader::handle(const Event& event) {
  switch (event.type) {
    case EventType::StreamEnd:
      return Step::End;
    case EventType::DocumentBegin:
      return begin_document(event.source.begin);
    case EventType::DocumentEnd:
      end_document(Ending::Whole);
      return Step::Continue;
    case EventType::Other:
      return Step::Continue;
    case EventType::Alias:
    case EventType::Scalar:
    case EventType::SequenceBegin:
    case EventType::MappingBegin:
    case EventType::CollectionEnd:
      break;
  }
  return build(event) == TreeBuilder::Next::Continue ? Step::Continue : Step::Stop;
}

TreeBuilder::Next StreamReader::build(const Event& event) {
  switch (event.type) {
    case EventType::Alias:
      return builder_->alias(event.source, event.text);
    case EventType::Scalar:
      return builder_->scalar(event.source, event.text, event.quoting);
    case EventType::SequenceBegin:
      return builder_->begin(event.source, NodeKind::Sequence);
    case EventType::MappingBegin:
      return builder_->begin(event.source, NodeKind::Mapping);
    case EventType::CollectionEnd:
      return builder_->end(event.source.end);
    case EventType::StreamEnd:
    case EventType::DocumentBegin:
    case EventType::DocumentEnd:
    case EventType::Other:
      break;
  }
  return TreeBuilder::Next::Continue;
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
  StreamProblem problem = events_.problem();
  parts_.diagnostics.error({.source = parts_.source,
                            .document_index = parts_.file.documents.size(),
                            .offset = problem.offset},
                           ErrorCode::ConfigParse, std::move(problem.explanation.message),
                           std::move(problem.explanation.suggestion));
}

}  // namespace

ParsedFile parse_file(const SourceText& source, NodeBudget& budget, Diagnostics& diagnostics) {
  ParsedFile file;
  if (std::optional<TextProblem> problem = check_text(source.text())) {
    diagnostics.error({.source = source, .offset = problem->offset}, ErrorCode::ConfigParse,
                      std::move(problem->message), std::move(problem->suggestion));
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
