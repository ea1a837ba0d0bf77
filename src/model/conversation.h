// A conversation in the shape that every provider accepts, whatever the history holds.
//
// Each call has exactly one result right after it, blank texts are gone, several messages of one
// side in a row are one, and the first and the last word is the user's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/message.h"
#include "model/wire_names.h"

namespace goondan {

// More of arguments that were no JSON object is not sent back, in code points.
inline constexpr std::size_t kMaxShownArguments = 2000;

// A call with its result. `id` and `name` are the provider's.
struct WireCall {
  enum class Outcome { Ok, Error };

  std::string id;
  std::string name;
  JsonObject input;
  std::string original_id;  // as the history has it
  std::string result;       // never blank
  Outcome outcome = Outcome::Ok;
};

struct WirePart {
  enum class Kind { Text, Call, Opaque };

  Kind kind = Kind::Text;
  std::string text = {};  // of a text; never blank
  std::size_t call = 0;   // of a call: its place in `calls`
  Json block = nullptr;   // of an opaque part, as the provider gave it
};

// What one side says in one go. Only an assistant has calls; their results come next.
struct WireTurn {
  enum class Side { User, Assistant };

  Side side = Side::User;
  std::vector<WirePart> parts = {};
  std::vector<WireCall> calls = {};
};

struct WireConversation {
  std::vector<std::string> system = {};  // the prompt, and what the history has of that role
  std::vector<WireTurn> turns = {};      // never empty
};

// `provider`: whose opaque parts are kept.
WireConversation wire_conversation(std::string_view system, std::span<const Message> messages,
                                   const WireNames& names, std::string_view provider);

}  // namespace goondan
