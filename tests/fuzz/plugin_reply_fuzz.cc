// What a hostile plugin can make its worker send: any bytes at all. They go through the frame
// reader and then through everything gdn does with a frame.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/native/protocol.h"
#include "ipc/frame.h"

namespace {

using namespace goondan;  // NOLINT(google-build-using-namespace): one small program

void check(bool condition) {
  if (!condition) std::abort();
}

void read_hello(const ipc::Frame& frame) {
  const Result<Hello> hello = parse_hello(frame);
  if (!hello.ok()) return;
  const std::string text = hello_text(*hello);
  const ipc::Frame again{.kind = frame.kind, .id = frame.id, .parts = {text}};
  check(parse_hello(again).value().exports == hello->exports);
}

void read_reply(const ipc::Frame& frame) {
  const Result<RawReply> raw = parse_raw_reply(frame);
  if (!raw.ok()) return;
  const Result<ToolReply> reply = parse_tool_reply(*raw);
  if (reply.ok() && reply->outcome.ok()) check(!to_text(*reply->outcome).empty());
}

void read_frame(const ipc::Frame& frame) {
  read_hello(frame);
  read_reply(frame);
  const Result<LogMessage> log = parse_log(frame);
  // Each of the bytes that are kept may become a replacement character of three.
  if (log.ok()) check(log->text.size() <= 3 * kMaxLogBytes);
  (void)parse_progress(frame);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  while (true) {
    const Result<std::optional<ipc::Frame>> frame = ipc::parse_frame(bytes);
    if (!frame.ok() || !*frame) break;
    const std::size_t extent = ipc::kFrameHeaderBytes + (*frame)->size();
    check(extent <= bytes.size() && extent == ipc::frame_extent(bytes).value());
    read_frame(**frame);
    bytes.remove_prefix(extent);
  }
  return 0;
}
