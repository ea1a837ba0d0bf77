// A million frames, most of them wrong, for the reader of frames and for the dispatcher behind it
// (R20): nothing crashes, memory stays bounded, and good messages are still worked on.
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "frame_maker.h"
#include "ipc/message.h"
#include "noisy_room.h"
#include "process_state.h"
#include "soak_options.h"

namespace goondan::soak {
namespace {

constexpr Counts kFrames{.full = 1'000'000, .brief = 40'000};
constexpr std::uint64_t kRoomFrames = 20'000;  // until another room takes over
constexpr std::size_t kMebibyte = std::size_t{1} << 20;
constexpr std::size_t kPiece = std::size_t{32} << 10;
constexpr std::size_t kHugeLine = 100 * kMebibyte;
constexpr std::size_t kDeep = 100'000;
// What one message may take while it is read: its text, and it as values.
constexpr std::size_t kAllowedGrowth = 16 * kMebibyte + ipc::kMaxMessageBytes;

double mebibytes(std::size_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(kMebibyte);
}

// Feeds `piece` until `total` bytes have come or the stream is refused; how many bytes that took.
std::optional<std::size_t> refused_after(std::string_view first, char fill, std::size_t total) {
  ipc::MessageDecoder decoder;
  decoder.feed(first);
  const std::string piece(kPiece, fill);
  for (std::size_t fed = first.size();; fed += piece.size()) {
    while (true) {
      const Result<std::optional<ipc::Message>> message = decoder.next();
      if (!message.ok()) return fed;
      if (!*message) break;
    }
    if (fed >= total) return std::nullopt;
    decoder.feed(piece);
  }
}

bool reads(const std::string& frame) {
  ipc::MessageDecoder decoder;
  decoder.feed(frame);
  const Result<std::optional<ipc::Message>> message = decoder.next();
  return message.ok() && message->has_value();
}

std::string with_payload(const std::string& payload) {
  return framed(R"({"type":"event","from":"a","to":"b","payload":)" + payload + "}");
}

// The cases that have a name, each with the one outcome it may have.
std::vector<std::string> named_cases() {
  std::vector<std::string> problems;
  const auto check = [&problems](const char* what, bool holds) {
    if (!holds) problems.emplace_back(what);
  };
  forget_peak();
  const std::size_t before = resident_bytes();
  check("a line of 100 MiB without a length is refused",
        refused_after("", 'x', kHugeLine).has_value());
  const std::string announced = framed("").replace(0, 4, std::string("\0\0\x40\x06", 4));
  check("a frame that announces 100 MiB is refused before it comes",
        refused_after(announced, 'x', kHugeLine) == announced.size());
  check("a whole frame of nonsense is refused",
        refused_after(framed(std::string(ipc::kMaxMessageBytes, '[')), 'x', kHugeLine).has_value());
  check("lists of depth 100,000 are refused",
        !reads(with_payload(std::string(kDeep, '[') + std::string(kDeep, ']'))));
  check("text that is not UTF-8 is refused", !reads(with_payload("\"\xff\xfe\"")));
  for (const char* id : {"null", "true", "1", "-1.5", "[]", "{}", "1e999"}) {
    const std::string text =
        std::string(R"({"type":"event","from":"a","to":"b","correlationId":)") + id + "}";
    check("a correlationId that is not text is refused", !reads(framed(text)));
  }
  const std::size_t peak = std::max(peak_bytes(), before) - before;
  std::printf("named cases: memory grew by %.1f MiB at its peak\n", mebibytes(peak));
  check("memory follows what has come", !kJudgeMemory || peak <= kAllowedGrowth);
  return problems;
}

struct Memory {
  std::size_t first = 0;  // after the first room
  std::size_t last = 0;
  std::size_t peak = 0;
};

// Rooms one after the other, until there have been enough frames.
Memory run_rooms(const SoakOptions& options, NoiseCounts& counts,
                 std::vector<std::string>& problems) {
  FrameMaker maker(options.seed);
  Memory memory;
  while (counts.frames < options.count) {
    {
      NoisyRoom room(maker, counts);
      const std::uint64_t end = std::min(options.count, counts.frames + kRoomFrames);
      while (counts.frames < end)
        room.step();
      const std::string where = " after " + std::to_string(counts.frames) + " frames";
      if (!room.works()) problems.push_back("a good message was not finished" + where);
      if (!room.restarts()) problems.push_back("the journal could not be gone on with" + where);
    }
    memory.last = resident_bytes();
    if (memory.first == 0) {
      memory.first = memory.last;
      forget_peak();
    }
  }
  memory.peak = std::max(peak_bytes(), memory.last);
  return memory;
}

int run(const SoakOptions& options) {
  std::vector<std::string> problems = named_cases();
  NoiseCounts counts;
  const Deadline begun = Clock::now();
  const Memory memory = run_rooms(options, counts, problems);
  const std::chrono::duration<double> took = Clock::now() - begun;
  if (kJudgeMemory && memory.last > memory.first + kAllowedGrowth)
    problems.emplace_back("memory grew with the number of frames");
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(),
                "%llu frames in %.1f s: %llu messages read, %llu connections cut off, %llu "
                "delivered, %llu replies, %llu refused; memory %.1f to %.1f MiB, at most %.1f MiB",
                static_cast<unsigned long long>(counts.frames), took.count(),
                static_cast<unsigned long long>(counts.messages),
                static_cast<unsigned long long>(counts.cut_off),
                static_cast<unsigned long long>(counts.delivered),
                static_cast<unsigned long long>(counts.replies),
                static_cast<unsigned long long>(counts.errors), mebibytes(memory.first),
                mebibytes(memory.last), mebibytes(memory.peak));
  return finish(options, text.data(), problems);
}

}  // namespace
}  // namespace goondan::soak

int main(int argc, char** argv) {
  using namespace goondan::soak;
  return run(read_options(argc, argv, kFrames));
}
