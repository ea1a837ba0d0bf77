#include "os/command_protocol.h"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace goondan::os {
namespace {

template <class T>
void send_value(int socket, const T& value) {
  while (::send(socket, &value, sizeof value, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {
  }
}

template <class T>
Received receive_value(int socket, T& into) {
  while (true) {
    T value{};
    const ssize_t got = ::recv(socket, &value, sizeof value, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return Received::Nothing;
    if (got != static_cast<ssize_t>(sizeof value)) return Received::End;
    into = value;
    return Received::Message;
  }
}

}  // namespace

std::optional<CommandTexts> read_texts(const StartMessage& message) {
  std::string all = message.texts;
  if (message.large) {
    const off_t size = ::lseek(message.large.get(), 0, SEEK_END);
    if (size < 0 || static_cast<std::size_t>(size) > kMaxRequestBytes) return std::nullopt;
    all.resize(static_cast<std::size_t>(size));
    if (::pread(message.large.get(), all.data(), all.size(), 0) != size) return std::nullopt;
  }
  CommandTexts texts;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = all.find('\0', at);
    if (end == std::string::npos) return std::nullopt;
    auto& list = texts.argv.size() < message.arguments ? texts.argv : texts.environment;
    list.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  if (texts.argv.empty() || texts.argv.size() != message.arguments) return std::nullopt;
  return texts;
}

void send_order(int socket, CommandOrder order) {
  send_value(socket, order);
}

Received receive_order(int socket, CommandOrder& into) {
  return receive_value(socket, into);
}

void send_report(int socket, const CommandReport& report) {
  send_value(socket, report);
}

Received receive_report(int socket, CommandReport& into) {
  return receive_value(socket, into);
}

}  // namespace goondan::os
