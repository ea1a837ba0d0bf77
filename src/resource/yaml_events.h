// The YAML library behind an interface of ours: text in, events out. The only room for its types.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "resource/yaml_builder.h"
#include "resource/yaml_problem.h"

namespace goondan::yaml {

enum class EventType {
  DocumentBegin,
  DocumentEnd,
  StreamEnd,
  Alias,
  Scalar,
  SequenceBegin,
  MappingBegin,
  CollectionEnd,
  Other,
};

// Views are valid until the next event is asked for.
struct Event {
  EventType type = EventType::Other;
  EventSource source = {};
  std::string_view text = {};  // of a scalar; the name of an alias
  Quoting quoting = Quoting::Plain;
};

// Why the text could not be read further, and the bytes where that is.
struct StreamProblem {
  Explanation explanation;
  std::size_t offset = 0;
};

// Reads valid UTF-8 from `start` of a text to its end. Borrows the text. Offsets count from the
// beginning of the whole text, in bytes.
class EventStream {
 public:
  EventStream(std::string_view text, std::size_t start);
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  // Nothing if the text is not YAML; `problem` then says why.
  std::optional<Event> next();
  [[nodiscard]] StreamProblem problem();

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace goondan::yaml
