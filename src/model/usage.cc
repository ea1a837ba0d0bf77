#include "model/model.h"

namespace goondan {

Usage& Usage::operator+=(const Usage& other) {
  input += other.input;
  output += other.output;
  cache_read += other.cache_read;
  cache_write += other.cache_write;
  reasoning += other.reasoning;
  return *this;
}

Json Usage::to_json() const {
  JsonObject object{{"inputTokens", input}, {"outputTokens", output}};
  if (cache_read != 0) object["cacheReadTokens"] = cache_read;
  if (cache_write != 0) object["cacheWriteTokens"] = cache_write;
  if (reasoning != 0) object["reasoningTokens"] = reasoning;
  return object;
}

}  // namespace goondan
