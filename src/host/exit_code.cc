#include <cstdio>

#include <goondan/goondan.h>

namespace goondan {
namespace {

// The numbers of `gdn` itself.
constexpr int kError = 1;
constexpr int kUsage = 2;
constexpr int kConfig = 3;
constexpr int kLimit = 8;
constexpr int kInterrupted = 130;

int code_number(ErrorCode code) {
  const std::string_view wire = wire_code(code);
  if (code == ErrorCode::Usage) return kUsage;
  if (code == ErrorCode::Limit) return kLimit;
  if (code == ErrorCode::ToolCancelled) return kInterrupted;
  if (wire.starts_with("E_CONFIG") || wire.starts_with("E_PLUGIN")) return kConfig;
  return kError;
}

}  // namespace

int exit_code(const Result<int>& result) {
  if (result.ok()) return *result;
  const Error& error = result.error();
  std::string text = "error " + std::string(error.code_text()) + ": " + error.message + "\n";
  if (!error.suggestion.empty()) text += "  " + error.suggestion + "\n";
  std::fputs(text.c_str(), stderr);
  return code_number(error.code);
}

}  // namespace goondan
