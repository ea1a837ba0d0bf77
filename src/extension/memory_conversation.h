// For tests: a conversation and the state of an extension, in memory.
#pragma once

#include <algorithm>
#include <mutex>

#include <gtest/gtest.h>

#include "extension/extension.h"

namespace goondan::test {

inline Json json(std::string_view text) {
  Result<Json> parsed = parse_json(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? *std::move(parsed) : Json(nullptr);
}

class MemoryConversation : public ConversationView {
 public:
  [[nodiscard]] const std::vector<Message>& messages() const override { return messages_; }

  Result<void> append(Message message) override {
    return change([&] { messages_.push_back(std::move(message)); });
  }
  Result<void> replace(const std::string& id, Message message) override {
    return change([&] {
      const auto found = std::ranges::find(messages_, id, &Message::id);
      if (found != messages_.end()) *found = std::move(message);
    });
  }
  Result<void> remove(const std::string& id) override {
    return change([&] { std::erase_if(messages_, [&](const Message& m) { return m.id == id; }); });
  }
  Result<void> truncate() override {
    return change([&] { messages_.clear(); });
  }

  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Message& message : messages_) {
      all.push_back(message.role() == Role::Tool ? tool_message_text(message) : message.text());
    }
    return all;
  }

  // After so many more changes the store fails.
  std::size_t changes_left = static_cast<std::size_t>(-1);
  std::size_t changes = 0;

 private:
  template <class Change>
  Result<void> change(const Change& apply) {
    if (changes_left == 0) return Error{.code = ErrorCode::Store, .message = "the disk is full"};
    --changes_left;
    ++changes;
    apply();
    return {};
  }

  std::vector<Message> messages_;
};

class MemoryState : public ExtensionState {
 public:
  [[nodiscard]] Json get() const override {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  Result<void> set(Json state) override {
    const std::lock_guard lock(mutex_);
    state_ = std::move(state);
    return {};
  }

 private:
  mutable std::mutex mutex_;
  Json state_ = nullptr;
};

}  // namespace goondan::test
