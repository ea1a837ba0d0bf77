#include "net/response_reader.h"

#include <algorithm>
#include <charconv>

namespace goondan::net {
namespace {

constexpr std::string_view kVersionPrefix = "HTTP/1.";
constexpr std::size_t kMaxChunkDigits = 15;   // any 60-bit size, without overflow
constexpr std::size_t kMaxLengthDigits = 18;  // likewise

Error bad_response(std::string message) {
  return {.code = ErrorCode::HttpResponse, .message = std::move(message)};
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<std::uint64_t> parse_number(std::string_view text, int base, std::size_t max_digits) {
  std::uint64_t number = 0;
  if (text.empty() || text.size() > max_digits) return std::nullopt;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Whether the line in two parts can still become a status line.
bool may_be_status_line(std::string_view carry, std::string_view input) {
  std::string_view expected = kVersionPrefix;
  for (const std::string_view part : {carry, input}) {
    const std::size_t size = std::min(part.size(), expected.size());
    if (part.substr(0, size) != expected.substr(0, size)) return false;
    expected.remove_prefix(size);
  }
  return true;
}

std::string_view without_cr(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Result<ResponseReader::Part> ResponseReader::next(std::string_view& input) {
  while (reads_lines()) {
    if (state_ == State::StatusLine && !may_be_status_line(carry_, input)) {
      return bad_response("the server's answer is not HTTP/1.x");
    }
    const auto line = GDN_TRY(take_line(input, section_limit()));
    if (!line) return Part{};
    GDN_TRY(read_line(*line));
    carry_.clear();
    if (state_ != State::HeaderLine && state_ != State::StatusLine && !head_reported_) {
      head_reported_ = true;
      return Part{.kind = Kind::Head};
    }
  }
  if (state_ == State::Done) return Part{.kind = Kind::End};
  return take_body(input);
}

Result<void> ResponseReader::end_of_input() {
  if (state_ == State::BodyUntilClose) state_ = State::Done;
  if (state_ == State::Done) return {};
  if (!head_reported_) return bad_response("the connection ended before the response's head did");
  return bad_response("the connection ended before the response's body did");
}

bool ResponseReader::reads_lines() const {
  switch (state_) {
    case State::StatusLine:
    case State::HeaderLine:
    case State::ChunkSize:
    case State::ChunkEnd:
    case State::TrailerLine:
      return true;
    case State::FixedBody:
    case State::ChunkBody:
    case State::BodyUntilClose:
    case State::Done:
      return false;
  }
  return false;
}

std::size_t ResponseReader::section_limit() const {
  if (state_ == State::StatusLine || state_ == State::HeaderLine) return kMaxResponseHeadBytes;
  return state_ == State::TrailerLine ? kMaxTrailerBytes : kMaxChunkLineBytes;
}

// The next line with its CR but without its LF, or nothing if it is not complete; it lives in the
// input or in `carry_`.
Result<std::optional<std::string_view>> ResponseReader::take_line(std::string_view& input,
                                                                  std::size_t limit) {
  const std::size_t end = input.find('\n');
  const std::string_view taken = input.substr(0, end == std::string_view::npos ? end : end + 1);
  section_bytes_ += taken.size();
  if (section_bytes_ > limit) {
    return bad_response(
        "a part of the response that should be short (head, trailer or size of a "
        "chunk) has more than " +
        std::to_string(limit) + " bytes");
  }
  input.remove_prefix(taken.size());
  if (end == std::string_view::npos) {
    carry_ += taken;
    return std::optional<std::string_view>();
  }
  const std::string_view line = taken.substr(0, taken.size() - 1);
  if (carry_.empty()) return std::optional<std::string_view>(line);
  carry_ += line;
  return std::optional<std::string_view>(carry_);
}

Result<void> ResponseReader::read_line(std::string_view line) {
  switch (state_) {
    case State::StatusLine:
      return read_status_line(without_cr(line));
    case State::HeaderLine:
      return read_header_line(without_cr(line));
    case State::ChunkSize:
      return read_chunk_size(line);
    case State::ChunkEnd:
      if (line != "\r") return bad_response("a chunk of the response is not followed by CRLF");
      state_ = State::ChunkSize;
      section_bytes_ = 0;
      return {};
    case State::TrailerLine:
      return read_trailer_line(without_cr(line));
    case State::FixedBody:
    case State::ChunkBody:
    case State::BodyUntilClose:
    case State::Done:
      break;
  }
  return {};
}

// `HTTP/1.1 200 OK`; the reason and the space before it may be missing.
Result<void> ResponseReader::read_status_line(std::string_view line) {
  constexpr std::size_t kVersionAt = kVersionPrefix.size();
  constexpr std::size_t kCodeAt = kVersionAt + 2;
  constexpr std::size_t kCodeEnd = kCodeAt + 3;
  const auto problem = [] { return bad_response("the response's status line is not valid"); };
  if (line.size() < kCodeEnd || !is_digit(line[kVersionAt]) || line[kCodeAt - 1] != ' ' ||
      (line.size() > kCodeEnd && line[kCodeEnd] != ' ')) {
    return problem();
  }
  const auto status = parse_number(line.substr(kCodeAt, kCodeEnd - kCodeAt), 10, 3);
  const std::string_view reason = line.substr(std::min(line.size(), kCodeEnd + 1));
  if (!status || *status < 100 || !is_field_value(reason)) return problem();
  head_ = {.status = static_cast<int>(*status), .reason = std::string(reason)};
  minor_version_ = line[kVersionAt] - '0';
  state_ = State::HeaderLine;
  return {};
}

Result<void> ResponseReader::read_header_line(std::string_view line) {
  if (line.empty()) return finish_head();
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return bad_response("the response has a header line without a valid name");
  }
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (!is_field_value(value)) {
    return bad_response("the response has control characters in a header");
  }
  if (head_.headers.size() == kMaxResponseHeaders) {
    return bad_response("the response has more than " + std::to_string(kMaxResponseHeaders) +
                        " headers");
  }
  head_.headers.push_back({.name = to_lower(line.substr(0, colon)), .value = std::string(value)});
  return {};
}

Result<void> ResponseReader::finish_head() {
  if (head_.status == 101) {
    return bad_response("the server switched to another protocol without being asked");
  }
  if (head_.status < 200) {  // an interim answer; the real one follows
    state_ = State::StatusLine;
    return {};
  }
  section_bytes_ = 0;
  note_keep_alive();
  return choose_framing();
}

void ResponseReader::note_keep_alive() {
  const std::string connection = joined_values(head_.headers, "connection");
  keeps_alive_ =
      !list_has(connection, "close") && (minor_version_ > 0 || list_has(connection, "keep-alive"));
}

Result<void> ResponseReader::choose_framing() {
  GDN_TRY(note_content_length());
  const Header* coding = find_header(head_.headers, "transfer-encoding");
  if (coding != nullptr) {
    if (!same_name(joined_values(head_.headers, "transfer-encoding"), "chunked") ||
        minor_version_ == 0) {
      return bad_response("the response's transfer-encoding is not understood");
    }
    if (head_.content_length) {
      return bad_response("the response has both a content-length and a transfer-encoding");
    }
  }
  if (rule_ == BodyRule::Never || head_.status == 204 || head_.status == 304) {
    state_ = State::Done;
  } else if (coding != nullptr) {
    state_ = State::ChunkSize;
  } else if (head_.content_length) {
    remaining_ = *head_.content_length;
    state_ = remaining_ == 0 ? State::Done : State::FixedBody;
  } else {
    keeps_alive_ = false;
    state_ = State::BodyUntilClose;
  }
  return {};
}

// Repeats are fine as long as all say the same.
Result<void> ResponseReader::note_content_length() {
  for (const Header& header : head_.headers) {
    if (header.name != "content-length") continue;
    std::string_view rest = header.value;
    while (true) {
      const std::size_t comma = rest.find(',');
      const std::string_view text = trimmed(rest.substr(0, comma));
      const auto length = parse_number(text, 10, kMaxLengthDigits);
      if (!length || (head_.content_length && head_.content_length != length)) {
        return bad_response("the response's content-length is not one number");
      }
      head_.content_length = length;
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return {};
}

// `1A;name=value` CRLF. Extensions are skipped.
Result<void> ResponseReader::read_chunk_size(std::string_view line) {
  const std::size_t semicolon = line.find(';');
  const bool ends_well = line.ends_with('\r');
  const std::string_view extension =
      semicolon == std::string_view::npos ? "" : without_cr(line.substr(semicolon));
  std::string_view digits = without_cr(line).substr(0, semicolon);
  if (semicolon != std::string_view::npos) {
    digits = digits.substr(0, digits.find_last_not_of(" \t") + 1);
  }
  const auto size = parse_number(digits, 16, kMaxChunkDigits);
  if (!ends_well || !size || !is_field_value(extension)) {
    return bad_response("the size of a chunk of the response is not valid");
  }
  remaining_ = *size;
  section_bytes_ = 0;
  state_ = remaining_ == 0 ? State::TrailerLine : State::ChunkBody;
  return {};
}

// Trailers are checked for their form and dropped.
Result<void> ResponseReader::read_trailer_line(std::string_view line) {
  if (line.empty()) {
    state_ = State::Done;
    return {};
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)) ||
      !is_field_value(line.substr(colon))) {
    return bad_response("the response has a trailer that is not valid");
  }
  return {};
}

ResponseReader::Part ResponseReader::take_body(std::string_view& input) {
  if (input.empty()) return {};
  std::string_view bytes = input;
  if (state_ != State::BodyUntilClose) {
    bytes = input.substr(
        0, static_cast<std::size_t>(std::min<std::uint64_t>(input.size(), remaining_)));
    remaining_ -= bytes.size();
    if (remaining_ == 0) state_ = state_ == State::ChunkBody ? State::ChunkEnd : State::Done;
  }
  input.remove_prefix(bytes.size());
  return {.kind = Kind::Body, .bytes = bytes};
}

}  // namespace goondan::net
