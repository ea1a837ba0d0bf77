#include "frame_maker.h"

#include <array>

namespace goondan::soak {
namespace {

constexpr std::size_t kChanges = 4;         // of one frame, at most
constexpr std::size_t kDepth = 100'000;     // of lists in each other
constexpr std::size_t kLongText = 300'000;  // bytes
constexpr std::size_t kIds = 64;            // different ones, so that some meet
constexpr std::size_t kNewIds = 1'000'000;
constexpr std::size_t kOneInLarge = 2'000;  // changes that make a frame large

// `#` becomes a number below `kIds`, `%` one below `kNewIds`.
constexpr std::array<std::string_view, 9> kClientTexts{
    R"({"kind":"submit","requestId":"r#","id":"m#","agent":"alpha","instanceKey":"default","input":"do #","metadata":{"a":[1,2.5,null,true]}})",
    R"({"kind":"submit","requestId":"r#","id":"m%","input":"do"})",
    R"({"kind":"cancel","requestId":"r#","agent":"beta","instanceKey":"default"})",
    R"({"kind":"spawn","requestId":"r#","agent":"gamma","instanceKey":"default","cwd":"/tmp"})",
    R"({"kind":"handles.list","requestId":"r#","includeAll":true})",
    R"({"kind":"handles.wait","requestId":"r#","handle":"h#","timeoutMs":5})",
    R"({"kind":"handles.complete","requestId":"r#","handle":"h#","output":{"done":"é日本"}})",
    R"({"kind":"handles.complete","requestId":"r#","handle":"h#","error":{"code":"E_X","message":"no"}})",
    R"({"kind":"handles.cancel","requestId":"r#","handle":"h#","reason":"enough"})"};

constexpr std::array<std::string_view, 14> kAgentEvents{
    R"({"kind":"turn_done","id":"m#","status":"ok","response":"fine","finishReason":"text_response"})",
    R"({"kind":"turn_done","id":"m#","status":"error","error":{"code":"E_TOOL","message":"no"}})",
    R"({"kind":"turn_done","id":"m#","status":"interrupted"})",
    R"({"kind":"send","id":"s%","target":"beta","instanceKey":"default","input":"hear","eventType":"agent.message","metadata":{},"spanId":"5"})",
    R"({"kind":"request","requestId":"q#","method":"agents.spawn","params":{"target":"gamma","instanceKey":"default"}})",
    R"({"kind":"request","requestId":"q#","method":"agents.list","params":{"includeAll":true}})",
    R"({"kind":"request","requestId":"q#","method":"agents.catalog","params":{}})",
    R"({"kind":"request","requestId":"q#","method":"handles.open","params":{"handle":"h#","toolName":"t__x","toolCallId":"c#","output":{"x":1}}})",
    R"({"kind":"request","requestId":"q#","method":"handles.wait","params":{"handle":"h#","timeoutMs":5}})",
    R"({"kind":"request","requestId":"q#","method":"handles.cancel","params":{"handle":"h#"}})",
    R"({"kind":"request","requestId":"q#","method":"handles.list","params":{}})",
    R"({"kind":"request","requestId":"q#","method":"runtime.restart","params":{"reason":"new"}})",
    R"({"kind":"injected","id":"i#"})",
    R"({"kind":"observe","events":[{"type":"turn.started","id":"m#","turnId":"t#"}]})"};

constexpr std::array<std::string_view, 3> kAgentMessages{
    R"({"type":"delegate","from":"alpha","to":"beta","correlationId":"q#","payload":{"id":"d#","target":"beta","instanceKey":"default","input":"help","eventType":"agent.request","metadata":{},"async":false,"timeoutMs":50,"spanId":"5"}})",
    R"({"type":"delegate","from":"alpha","to":"beta","payload":{"id":"d%","target":"gamma","input":"help","async":true,"timeoutMs":5}})",
    R"({"type":"delegate_result","from":"beta","to":"alpha","correlationId":"c#","payload":{"id":"d#","status":"ok","response":"fine"}})"};

// In the place of a value.
constexpr std::array<std::string_view, 24> kValues{"null",
                                                   "true",
                                                   "0",
                                                   "-1",
                                                   "1.5",
                                                   "1e999",
                                                   "-0",
                                                   "9223372036854775807",
                                                   "9223372036854775808",
                                                   "1e308",
                                                   "\"\"",
                                                   "\"alpha\"",
                                                   "\"default\"",
                                                   "\"\\ud800\"",
                                                   "\"\\u0000\"",
                                                   "\"\xff\xfe\"",
                                                   "\"../../etc\"",
                                                   "\"a@b@c\"",
                                                   "[]",
                                                   "[[[]]]",
                                                   "{}",
                                                   "{\"kind\":\"submit\",\"kind\":\"cancel\"}",
                                                   "{\"\":{\"\":[]}}",
                                                   "\"\xed\xa0\x80\xf4\x90\x80\x80\""};

// Anywhere.
constexpr std::array<std::string_view, 14> kTokens{"{",         "}",
                                                   "[",         "]",
                                                   "\"",        "\\",
                                                   ",",         ":",
                                                   "\xff",      std::string_view("\0", 1),
                                                   "\xc3",      "\"type\":\"event\",",
                                                   "\"id\":7,", "\"payload\":{},"};

}  // namespace

std::string framed(std::string_view text) {
  std::string out(4, '\0');
  for (std::size_t i = 0; i < 4; ++i)
    out[i] = static_cast<char>((text.size() >> (8 * i)) & 0xFF);
  return out.append(text);
}

std::string FrameMaker::text(Speaker speaker) {
  std::string out;
  if (speaker == Speaker::Agent && below(4) == 0) {
    out = any(kAgentMessages);
  } else {
    out = R"({"type":"event","from":"cli","to":"orchestrator","payload":)";
    out += speaker == Speaker::Client ? any(kClientTexts) : any(kAgentEvents);
    out += '}';
  }
  for (std::size_t at = 0; (at = out.find_first_of("#%", at)) != std::string::npos;)
    out.replace(at, 1, std::to_string(below(out[at] == '#' ? kIds : kNewIds)));
  return out;
}

void FrameMaker::change(std::string& text, Speaker speaker) {
  const std::size_t at = below(text.size());
  const std::size_t size = below(16);
  if (below(kOneInLarge) == 0) {
    text.insert(at, below(2) == 0 ? std::string(kDepth, '[') : std::string(kLongText, 'x'));
    return;
  }
  switch (below(16)) {
    case 0:
      if (!text.empty()) text[at] = static_cast<char>(random_());
      return;
    case 1:
      text.erase(at, size);
      return;
    case 2:
      text.insert(at, text.substr(below(text.size()), size));
      return;
    case 3:
      text.insert(at, any(kTokens));
      return;
    case 4: {
      const std::string other = this->text(speaker);
      text = text.substr(0, at) + other.substr(below(other.size()));
      return;
    }
    default: {  // another value, of any type
      const std::size_t colon = text.find(':', at);
      if (colon == std::string::npos) return;
      const bool nested = text.find_first_of("{[", colon) == colon + 1;
      if (nested && below(4) != 0) return;  // which would tear it apart
      const std::size_t end = text.find_first_of(",}", colon);
      text.replace(colon + 1, end == std::string::npos ? end : end - colon - 1, any(kValues));
    }
  }
}

std::string FrameMaker::next(Speaker speaker) {
  std::string body = text(speaker);
  if (below(8) == 0) return framed(body);
  for (std::size_t i = 1 + below(kChanges); i > 0; i /= 2)
    change(body, speaker);
  std::string frame = framed(body);
  switch (below(256)) {
    case 0:
      return frame.substr(0, below(frame.size()));  // the next one begins inside it
    case 1:
      frame[below(4)] = static_cast<char>(random_());
      return frame;
    case 2:
      return body;  // no length at all
    default:
      return frame;
  }
}

}  // namespace goondan::soak
