// One request and its response over one connection.
#pragma once

#include <optional>

#include <goondan/result.h>

#include "net/body_decoder.h"
#include "net/body_receiver.h"
#include "net/outgoing.h"
#include "net/response_reader.h"
#include "net/transport.h"
#include "net/until.h"

namespace goondan::net {

// Used once. Borrows everything for its life. Thread-compatible.
class Exchange {
 public:
  Exchange(Transport& transport, const Outgoing& request, BodyReceiver& body, const Until& until);

  // Sends the request and reads the response, or as much of it as is wanted.
  [[nodiscard]] Result<ResponseHead> run();

  // Whether any byte of a response has come. If not, the server may never have seen the request.
  [[nodiscard]] bool answered() const { return answered_; }

  // Whether the connection can take another request.
  [[nodiscard]] bool reusable() const { return reusable_; }

 private:
  enum class Progress { Waiting, Finished };

  Result<void> send();
  Result<Progress> receive();
  Result<Progress> receive_some(const Until& until);
  Until until_next();
  Result<Progress> read(std::string_view input);
  Result<Progress> take(const ResponseReader::Part& part);
  Result<void> begin_body();
  Result<BodyReceiver::Want> add_to_body(std::string_view bytes);

  Transport& transport_;
  const Outgoing& request_;
  BodyReceiver& body_;
  const Until& until_;
  ResponseReader reader_;
  std::optional<BodyDecoder> decoder_;
  std::optional<Error> send_problem_;
  std::optional<Deadline> linger_end_;  // once enough has come
  bool answered_ = false;
  bool reusable_ = false;
};

}  // namespace goondan::net
