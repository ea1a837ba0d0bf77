#include "base/redactor.h"

namespace goondan {

struct Redactor::State {};
Redactor::Redactor() = default;
Redactor::~Redactor() = default;
void Redactor::add_secret(std::string_view) {}
bool Redactor::finds_in(std::string_view) const {
  return false;
}
std::string Redactor::redact(std::string_view text) const {
  return std::string(text);
}
void Redactor::redact(Json&) const {}
void Redactor::redact(Error&) const {}

}  // namespace goondan
