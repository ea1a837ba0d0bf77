// Write a tool in C++: one function for each export, one macro, one shared library.
//
//   #include <goondan/plugin.h>
//
//   goondan::Result<goondan::Json> shout(goondan::ToolContext&, const goondan::JsonObject& input) {
//     return goondan::JsonObject{{"text", std::string(input.at("text").as_string()) + "!"}};
//   }
//
//   GDN_PLUGIN({"shout", shout})
//
// The names are those of `spec.exports` in the tool's YAML. The runtime has checked `input` against
// the export's parameters before the handler runs. A handler may run in a process of its own or in
// the runtime's, several at once in the latter case. What it throws becomes an error result.
//
// Link `libgoondan_plugin.a` (CMake: `goondan::plugin`), which is position independent and exports
// nothing, and compile with `-fvisibility=hidden`. C++20; GCC 12, clang 14 or later.
#pragma once

#include <functional>
#include <initializer_list>

#include <goondan/json.h>
#include <goondan/plugin_abi.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

namespace goondan::plugin {

// A function, a lambda or anything callable like it. Failure is an `Error`, e.g. `tool_error(...)`;
// the model reads its message and suggestion.
using Handler = std::function<Result<Json>(ToolContext&, const JsonObject&)>;

struct Export {
  const char* name;
  Handler handler;
};

// What `gdn_plugin_entry` returns for these handlers. Lives for ever.
const gdn_plugin* make_plugin(std::initializer_list<Export> exports) noexcept;

}  // namespace goondan::plugin

// Defines the one function that a plugin exports. Use it once, outside of any namespace:
// `GDN_PLUGIN({"name", function}, {"other", other_function})`.
#define GDN_PLUGIN(...)                                                                    \
  extern "C" GDN_PLUGIN_EXPORT const gdn_plugin* gdn_plugin_entry(void) {                  \
    static const gdn_plugin* const plugin = ::goondan::plugin::make_plugin({__VA_ARGS__}); \
    return plugin;                                                                         \
  }
