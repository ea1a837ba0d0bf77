#include "resource/yaml_events.h"

#include <algorithm>

#include <yaml.h>

#include "base/utf8.h"

namespace goondan::yaml {
namespace {

// The library counts characters; everyone else counts bytes. Marks mostly move forward, so the
// way from the last one is short; in ASCII text there is none to go.
class CharacterOffsets {
 public:
  explicit CharacterOffsets(std::string_view text)
      : text_(text), ascii_(std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; })) {}

  std::size_t byte_of(std::size_t character) {
    if (ascii_) return std::min(character, text_.size());
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
  bool ascii_;
  std::size_t character_ = 0;
  std::size_t byte_ = 0;
};

std::string_view view(const yaml_char_t* text) {
  if (text == nullptr) return {};
  const void* bytes = text;
  return static_cast<const char*>(bytes);
}

std::string_view or_empty(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

EventType type_of(const yaml_event_t& event) {
  switch (event.type) {
    case YAML_DOCUMENT_START_EVENT:
      return EventType::DocumentBegin;
    case YAML_DOCUMENT_END_EVENT:
      return EventType::DocumentEnd;
    case YAML_STREAM_END_EVENT:
      return EventType::StreamEnd;
    case YAML_ALIAS_EVENT:
      return EventType::Alias;
    case YAML_SCALAR_EVENT:
      return EventType::Scalar;
    case YAML_SEQUENCE_START_EVENT:
      return EventType::SequenceBegin;
    case YAML_MAPPING_START_EVENT:
      return EventType::MappingBegin;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      return EventType::CollectionEnd;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
      break;
  }
  return EventType::Other;
}

void fill_scalar(Event& event, const yaml_event_t& raw) {
  const auto& scalar = raw.data.scalar;
  const void* bytes = scalar.value;
  event.text = {static_cast<const char*>(bytes), scalar.length};
  event.quoting = scalar.style == YAML_PLAIN_SCALAR_STYLE ? Quoting::Plain : Quoting::Quoted;
  event.source.anchor = view(scalar.anchor);
  event.source.tag = view(scalar.tag);
}

}  // namespace

struct EventStream::Library {
  Library(std::string_view whole, std::size_t start)
      : text(whole), begin(start), offsets(whole.substr(start)) {
    ready = yaml_parser_initialize(&parser) != 0;
    if (!ready) return;
    const void* bytes = whole.data() + start;
    yaml_parser_set_input_string(&parser, static_cast<const unsigned char*>(bytes),
                                 whole.size() - start);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  }
  ~Library() {
    yaml_event_delete(&event);
    if (ready) yaml_parser_delete(&parser);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  std::size_t offset_of(const yaml_mark_t& mark) { return begin + offsets.byte_of(mark.index); }

  std::string_view text;
  std::size_t begin;
  CharacterOffsets offsets;
  yaml_parser_t parser = {};
  yaml_event_t event = {};  // the last one; its strings back the views given out
  bool ready = false;
};

EventStream::EventStream(std::string_view text, std::size_t start)
    : library_(std::make_unique<Library>(text, start)) {}

EventStream::~EventStream() = default;

std::optional<Event> EventStream::next() {
  yaml_event_t& raw = library_->event;
  yaml_event_delete(&raw);
  if (!library_->ready || yaml_parser_parse(&library_->parser, &raw) == 0) return std::nullopt;
  Event event{.type = type_of(raw),
              .source = {.begin = library_->offset_of(raw.start_mark),
                         .end = library_->offset_of(raw.end_mark)}};
  if (event.type == EventType::Scalar) {
    fill_scalar(event, raw);
  } else if (event.type == EventType::Alias) {
    event.text = view(raw.data.alias.anchor);
  } else if (event.type == EventType::SequenceBegin) {
    event.source.anchor = view(raw.data.sequence_start.anchor);
    event.source.tag = view(raw.data.sequence_start.tag);
  } else if (event.type == EventType::MappingBegin) {
    event.source.anchor = view(raw.data.mapping_start.anchor);
    event.source.tag = view(raw.data.mapping_start.tag);
  }
  return event;
}

StreamProblem EventStream::problem() {
  const yaml_parser_t& parser = library_->parser;
  const std::size_t place = library_->offset_of(parser.problem_mark);
  const std::string_view rest = library_->text.substr(place);
  StreamProblem problem{
      .explanation = explain({.context = or_empty(parser.context),
                              .problem = or_empty(parser.problem),
                              .line_rest = rest.substr(0, rest.find_first_of("\r\n"))}),
      .offset = place};
  if (problem.explanation.at_context) problem.offset = library_->offset_of(parser.context_mark);
  return problem;
}

}  // namespace goondan::yaml
