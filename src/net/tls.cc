#include "net/tls.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <utility>

#include "net/ip_address.h"
#include "net/socket.h"
#include "net/tls_library.h"

namespace goondan::net {
namespace {

constexpr std::size_t kRecordBytes = std::size_t{16} << 10;
// In the form of RFC 7301: each name after its length.
constexpr std::string_view kProtocols = "\x08http/1.1";

Error tls_error(std::string message, std::string suggestion = {}) {
  return {
      .code = ErrorCode::Tls, .message = std::move(message), .suggestion = std::move(suggestion)};
}

const unsigned char* as_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Error certificate_error(const TlsLibrary& library, const std::string& host, long result) {
  return tls_error("the certificate of '" + host +
                       "' is not accepted: " + library.X509_verify_cert_error_string(result),
                   "If the server is your own, put the certificate of its authority into a file "
                   "and name that in SSL_CERT_FILE.");
}

}  // namespace

struct TlsContext::Parts {
  explicit Parts(const TlsLibrary& the_library) : library(the_library) {}
  ~Parts() { library.SSL_CTX_free(context); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  // Whether all settings were taken.
  bool set_up();

  TlsLibrary library;
  SSL_CTX* context = nullptr;
};

bool TlsContext::Parts::set_up() {
  context = library.SSL_CTX_new(library.TLS_client_method());
  if (context == nullptr) return false;
  library.SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  library.SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  library.SSL_CTX_ctrl(context, SSL_CTRL_MODE, SSL_MODE_RELEASE_BUFFERS, nullptr);
  return library.SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, nullptr) ==
             1 &&
         library.SSL_CTX_set_alpn_protos(context, as_bytes(kProtocols),
                                         static_cast<unsigned>(kProtocols.size())) == 0 &&
         library.SSL_CTX_set_default_verify_paths(context) == 1;
}

TlsContext::TlsContext(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TlsContext::~TlsContext() = default;

Result<std::shared_ptr<const TlsContext>> TlsContext::make() {
  const TlsLibrary library = GDN_TRY(TlsLibrary::load({}));
  auto parts = std::make_unique<Parts>(library);
  if (!parts->set_up()) {
    return tls_error("TLS cannot be set up with the installed OpenSSL and its certificates",
                     "Check SSL_CERT_FILE and SSL_CERT_DIR, or install ca-certificates.");
  }
  return std::shared_ptr<const TlsContext>(std::make_shared<TlsContext>(std::move(parts)));
}

// OpenSSL reads from and writes to memory; the socket is ours alone, so that it is waited for as
// everywhere else and never raises SIGPIPE.
struct TlsSession::Parts {
  Parts(std::shared_ptr<const TlsContext> the_context, int the_fd, std::string the_host)
      : context(std::move(the_context)),
        library(context->parts().library),
        fd(the_fd),
        host(std::move(the_host)) {}
  ~Parts() { library.SSL_free(ssl); }  // and with it the two BIOs
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  bool set_up();
  Result<void> flush(const Until& until);
  Result<void> fill(const Until& until);
  Error failure();
  void send_alert();
  template <class Operation>
  Result<std::size_t> drive(const Operation& operation, const Until& until);

  std::shared_ptr<const TlsContext> context;
  const TlsLibrary& library;
  int fd;
  std::string host;
  SSL* ssl = nullptr;
  BIO* incoming = nullptr;
  BIO* outgoing = nullptr;
};

bool TlsSession::Parts::set_up() {
  ssl = library.SSL_new(context->parts().context);
  incoming = library.BIO_new(library.BIO_s_mem());
  outgoing = library.BIO_new(library.BIO_s_mem());
  if (ssl == nullptr || incoming == nullptr || outgoing == nullptr) {
    library.BIO_free(incoming);
    library.BIO_free(outgoing);
    return false;
  }
  library.SSL_set_bio(ssl, incoming, outgoing);
  if (IpAddress::parse(host)) {
    return library.X509_VERIFY_PARAM_set1_ip_asc(library.SSL_get0_param(ssl), host.c_str()) == 1;
  }
  library.SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return library.SSL_set1_host(ssl, host.c_str()) == 1 &&
         library.SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                          host.data()) == 1;
}

// Sends what OpenSSL has written.
Result<void> TlsSession::Parts::flush(const Until& until) {
  std::array<char, kRecordBytes> buffer;
  while (library.BIO_ctrl(outgoing, BIO_CTRL_PENDING, 0, nullptr) > 0) {
    const int size = library.BIO_read(outgoing, buffer.data(), static_cast<int>(buffer.size()));
    if (size <= 0) break;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(size));
    GDN_TRY(send_all(fd, bytes, OnInput::Ignore, until));
  }
  return {};
}

// So that the server can log why we go. It need not arrive.
void TlsSession::Parts::send_alert() {
  std::array<char, kRecordBytes> buffer;
  const int size = library.BIO_read(outgoing, buffer.data(), static_cast<int>(buffer.size()));
  if (size <= 0) return;
  ::send(fd, buffer.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Gives OpenSSL what has come, after waiting for it.
Result<void> TlsSession::Parts::fill(const Until& until) {
  std::array<char, kRecordBytes> buffer;
  const std::size_t size = GDN_TRY(receive_some(fd, buffer, until));
  if (size == 0) {
    return Error{.code = ErrorCode::Network,
                 .message = "the server closed the connection in the middle of TLS"};
  }
  library.BIO_write(incoming, buffer.data(), static_cast<int>(size));
  return {};
}

Error TlsSession::Parts::failure() {
  const long verified = library.SSL_get_verify_result(ssl);
  if (verified != X509_V_OK) return certificate_error(library, host, verified);
  const char* reason = library.ERR_reason_error_string(library.ERR_peek_last_error());
  return tls_error("TLS with '" + host +
                   "' failed: " + (reason == nullptr ? "unknown reason" : reason));
}

// Does `operation` until it is done; 0 means that the peer has ended the session.
template <class Operation>
Result<std::size_t> TlsSession::Parts::drive(const Operation& operation, const Until& until) {
  while (true) {
    library.ERR_clear_error();
    const int done = operation();
    const int state = library.SSL_get_error(ssl, done);
    if (done <= 0 && state != SSL_ERROR_WANT_READ && state != SSL_ERROR_ZERO_RETURN) {
      const Error error = failure();
      send_alert();
      return error;
    }
    GDN_TRY(flush(until));
    if (done > 0) return static_cast<std::size_t>(done);
    if (state == SSL_ERROR_ZERO_RETURN) return std::size_t{0};
    GDN_TRY(fill(until));
  }
}

TlsSession::TlsSession(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TlsSession::~TlsSession() = default;

Result<std::unique_ptr<TlsSession>> TlsSession::connect(std::shared_ptr<const TlsContext> context,
                                                        int fd, const std::string& host,
                                                        const Until& until) {
  auto parts = std::make_unique<Parts>(std::move(context), fd, host);
  if (!parts->set_up()) return tls_error("TLS with '" + host + "' cannot be set up");
  GDN_TRY(parts->drive([&] { return parts->library.SSL_connect(parts->ssl); }, until));
  return std::make_unique<TlsSession>(std::move(parts));
}

Result<void> TlsSession::send(std::string_view bytes, const Until& until) {
  while (!bytes.empty()) {
    const auto piece = static_cast<int>(std::min(bytes.size(), kRecordBytes));
    const std::size_t sent = GDN_TRY(parts_->drive(
        [&] { return parts_->library.SSL_write(parts_->ssl, bytes.data(), piece); }, until));
    if (sent == 0) return network_error("cannot send", EPIPE);
    bytes.remove_prefix(sent);
  }
  return {};
}

Result<std::size_t> TlsSession::receive(std::span<char> buffer, const Until& until) {
  GDN_TRY(check(until));
  const auto size = static_cast<int>(std::min(buffer.size(), kRecordBytes));
  return parts_->drive([&] { return parts_->library.SSL_read(parts_->ssl, buffer.data(), size); },
                       until);
}

// Session tickets may come at any time and mean nothing; anything else means that the connection is
// of no further use.
bool TlsSession::open_and_quiet() {
  const TlsLibrary& library = parts_->library;
  std::array<char, kRecordBytes> buffer;
  const ssize_t size = ::recv(parts_->fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size == 0 || (size < 0 && errno != EAGAIN)) return false;
  if (size > 0) library.BIO_write(parts_->incoming, buffer.data(), static_cast<int>(size));
  library.ERR_clear_error();
  const int seen = library.SSL_peek(parts_->ssl, buffer.data(), 1);
  return library.SSL_get_error(parts_->ssl, seen) == SSL_ERROR_WANT_READ;
}

}  // namespace goondan::net
