#include "orchestrator/arguments.h"

#include <charconv>

#include "store/layout.h"

namespace goondan::orchestrator {
namespace {

Error usage(std::string what) {
  return {.code = ErrorCode::Usage,
          .message = std::move(what),
          .suggestion =
              "gdn orchestrator --bundle DIR [--swarm NAME] [--state-root DIR] [--watch] "
              "[--env-file FILE]; `gdn run` starts it for you."};
}

Result<int> descriptor(const std::string& text) {
  int number = -1;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec == std::errc{} && parsed.ptr == end && number > 2) return number;
  return usage("--handover wants the number of a descriptor, not '" + text + "'");
}

Result<void> take(Arguments& arguments, const std::string& name, const std::string& value) {
  if (name == "--bundle") {
    arguments.bundle = std::filesystem::absolute(value);
  } else if (name == "--swarm") {
    arguments.swarm = value;
  } else if (name == "--state-root") {
    arguments.state_root = value;
  } else if (name == "--env-file") {
    arguments.env_file = std::filesystem::absolute(value);
  } else if (name == "--handover") {
    arguments.handover = GDN_TRY(descriptor(value));
    return {};
  } else {
    return usage("'" + name + "' is no option of gdn orchestrator");
  }
  arguments.words.insert(arguments.words.end(), {name, value});
  return {};
}

}  // namespace

Result<Arguments> parse_arguments(int argc, char** argv) {
  Arguments arguments;
  arguments.words = {argc > 0 ? argv[0] : "gdn", "orchestrator"};
  for (int i = 2; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--watch") {
      arguments.watch = Arguments::Watch::Yes;
      arguments.words.push_back(name);
      continue;
    }
    if (i + 1 >= argc) return usage("'" + name + "' has no value");
    GDN_TRY(take(arguments, name, argv[++i]));
  }
  if (arguments.bundle.empty()) return usage("gdn orchestrator needs --bundle DIR");
  arguments.state_root = store::state_root(arguments.state_root.string());
  return arguments;
}

}  // namespace goondan::orchestrator
