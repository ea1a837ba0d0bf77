// Handlers that a worker process has to protect gdn from.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <signal.h>
#include <string>
#include <unistd.h>

#include <goondan/plugin.h>

namespace {

using goondan::Json;
using goondan::JsonObject;
using goondan::LogLevel;
using goondan::Result;
using goondan::ToolContext;

volatile std::uintptr_t nowhere = 64;  // aligned and not null, and yet no memory of ours

Result<Json> echo(ToolContext&, const JsonObject& input) {
  return input;
}

Result<Json> segfault(ToolContext&, const JsonObject&) {
  *reinterpret_cast<volatile int*>(nowhere) = 1;
  return nullptr;
}

Result<Json> aborts(ToolContext&, const JsonObject&) {
  std::abort();
}

Result<Json> exits(ToolContext&, const JsonObject& input) {
  std::_Exit(static_cast<int>(input.at("code").as_int64()));
}

Result<Json> kills_itself(ToolContext&, const JsonObject& input) {
  ::kill(::getpid(), static_cast<int>(input.at("signal").as_int64()));
  while (true)
    ::pause();
}

Result<Json> kills_its_group(ToolContext&, const JsonObject&) {
  ::kill(0, SIGKILL);
  return nullptr;
}

// Ends in theory, so that the compiler does not mind.
std::size_t recurse(std::size_t depth) {
  volatile char block[4096] = {};
  block[depth % sizeof block] = 1;
  if (depth == SIZE_MAX) return 0;
  return recurse(depth + 1) + static_cast<std::size_t>(block[0]);
}

Result<Json> overflows_the_stack(ToolContext&, const JsonObject&) {
  return recurse(0);
}

// Looks at nothing, and in particular not at a cancellation.
Result<Json> loops(ToolContext& context, const JsonObject&) {
  context.log(LogLevel::Info, "begun");
  std::atomic<bool> for_ever{true};
  while (for_ever.load(std::memory_order_relaxed)) {
  }
  return nullptr;
}

Result<Json> floods(ToolContext& context, const JsonObject&) {
  const std::string text(10'000, 'x');
  while (true)
    context.log(LogLevel::Info, text);
}

// Writes over what the worker and gdn say to each other.
Result<Json> writes_garbage(ToolContext&, const JsonObject&) {
  const std::string garbage = "this is not a frame, and it is longer than a header";
  if (::write(3, garbage.data(), garbage.size()) < 0) return nullptr;
  while (true)
    ::pause();
}

Result<Json> closes_everything(ToolContext&, const JsonObject&) {
  for (int fd = 0; fd < 64; ++fd)
    ::close(fd);
  return "closed";
}

// For tests that kill the worker behind the runtime's back.
Result<Json> supervisor(ToolContext&, const JsonObject&) {
  return ::getppid();
}

Result<Json> replies_deeply(ToolContext&, const JsonObject&) {
  Json value = 1;
  for (int i = 0; i < 100; ++i)
    value = goondan::JsonArray{std::move(value)};
  return value;
}

}  // namespace

GDN_PLUGIN({"echo", echo}, {"segfault", segfault}, {"aborts", aborts}, {"exits", exits},
           {"kills_itself", kills_itself}, {"kills_its_group", kills_its_group},
           {"overflows_the_stack", overflows_the_stack}, {"loops", loops}, {"floods", floods},
           {"writes_garbage", writes_garbage}, {"closes_everything", closes_everything},
           {"supervisor", supervisor}, {"replies_deeply", replies_deeply})
