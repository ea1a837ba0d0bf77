// A value and where it stands: what readers pass around and what diagnostics point at.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "resource/diagnostics.h"
#include "resource/source_text.h"
#include "resource/yaml_node.h"

namespace goondan {

// One document of a file. Borrows the text and the tree; `index` counts non-empty documents.
struct SourceDocument {
  const SourceText* source = nullptr;
  std::size_t index = 0;
  const yaml::Node* root = nullptr;
  bool broken = false;  // the parser stopped in it: what is there is right, but not all
};

// A value type that borrows the document.
struct Place {
  const SourceDocument* document = nullptr;
  const yaml::Node* node = nullptr;  // never null
  const yaml::Node* key = nullptr;   // what it stands under; null for list items and documents
  std::string path = {};             // `.spec.exports[1].name`

  static Place root(const SourceDocument& document) {
    return {.document = &document, .node = document.root};
  }

  // The value under `name`; nothing if this is no mapping, or has none, or it is null.
  [[nodiscard]] std::optional<Place> find(std::string_view name) const;
  [[nodiscard]] Place item(std::size_t index) const;
  // The value of a mapping's `index`-th pair.
  [[nodiscard]] Place member(std::size_t index) const;

  [[nodiscard]] Spot spot() const;
  // The key if there is one: the better place to say that something below is missing.
  [[nodiscard]] Spot key_spot() const;
};

}  // namespace goondan
