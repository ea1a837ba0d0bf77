#include "net/tls.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <openssl/ssl.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/http_client.h"
#include "net/test_certificates.h"
#include "net/test_name_server.h"
#include "net/test_server.h"
#include "net/tls_library.h"

namespace goondan::net {
namespace {

using testing::HasSubstr;

// The server's side of TLS on one connection.
class TlsPeer {
 public:
  TlsPeer(const TestIdentity& identity, int fd, int max_version) {
    context_.reset(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context_.get(), max_version);
    SSL_CTX_set_security_level(context_.get(), 0);
    SSL_CTX_use_certificate(context_.get(), identity.certificate.get());
    SSL_CTX_use_PrivateKey(context_.get(), identity.key.get());
    ssl_.reset(SSL_new(context_.get()), SSL_free);
    SSL_set_fd(ssl_.get(), fd);
  }

  bool accept() { return SSL_accept(ssl_.get()) == 1; }

  std::string server_name() {
    const char* name = SSL_get_servername(ssl_.get(), TLSEXT_NAMETYPE_host_name);
    return name == nullptr ? "" : name;
  }

  std::string read_request() {
    std::string request;
    while (request.find("\r\n\r\n") == std::string::npos) {
      std::array<char, 4096> buffer;
      const int size = SSL_read(ssl_.get(), buffer.data(), static_cast<int>(buffer.size()));
      if (size <= 0) return {};
      request.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return request;
  }

  bool send(std::string_view bytes) {
    return SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0;
  }

  void close_properly() { SSL_shutdown(ssl_.get()); }

 private:
  std::shared_ptr<SSL_CTX> context_;
  std::shared_ptr<SSL> ssl_;
};

using TlsHandler = std::function<void(TlsPeer&)>;

TestServer::Handler over_tls(const TestIdentity& identity, TlsHandler handler,
                             int max_version = TLS1_3_VERSION) {
  return [&identity, handler = std::move(handler), max_version](TestConnection& connection) {
    // OpenSSL's own sockets raise it; the client's must not need this.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    TlsPeer peer(identity, connection.fd(), max_version);
    if (peer.accept()) handler(peer);
  };
}

void answer_all(TlsPeer& peer) {
  while (true) {
    const std::string request = peer.read_request();
    if (request.empty() || !peer.send(ok_answer("name=" + peer.server_name()))) return;
  }
}

class Tls : public testing::Test {
 protected:
  Tls() {
    std::ofstream(trusted_) << to_pem(authority_);
    ::setenv("SSL_CERT_FILE", trusted_.c_str(), 1);
    ::setenv("SSL_CERT_DIR", "/nowhere", 1);
  }

  ~Tls() override {
    std::filesystem::remove(trusted_);
    ::unsetenv("SSL_CERT_FILE");
    ::unsetenv("SSL_CERT_DIR");
  }

  static Url url(const TestServer& server, std::string_view host) {
    return Url::parse("https://" + std::string(host) + ":" + std::to_string(server.port()) + "/")
        .value();
  }

  Result<Response> ask(const TestServer& server, const std::string& host) {
    const HostPolicy policy({AllowedHost{.host = host, .port = server.port()}});
    return client_.send(get(url(server, host)), policy);
  }

  std::filesystem::path trusted_ =
      std::filesystem::temp_directory_path() / ("goondan-tls-" + std::to_string(::getpid()));
  TestIdentity authority_ = make_identity({.name = "test authority"});
  TestIdentity good_ = make_identity({.name = "good.example",
                                      .alternatives = "DNS:good.example,IP:127.0.0.1",
                                      .issuer = &authority_});
  TestNameServer names_{[](const std::string&) {
    return TestNameServer::Addresses{IpAddress::parse("127.0.0.1").value()};
  }};
  HttpClient client_{names_.options()};
};

TEST_F(Tls, TalksToAServerWithAGoodCertificateAndKeepsTheConnection) {
  const TestServer server(over_tls(good_, answer_all));
  for (int i = 0; i < 3; ++i) {
    const Result<Response> response = ask(server, "good.example");
    ASSERT_TRUE(response.ok()) << response.error().message;
    EXPECT_EQ(response->body, "name=good.example");
  }
  EXPECT_EQ(server.accepted(), 1);
}

TEST_F(Tls, VerifiesAnAddressAsAnAddress) {
  const TestServer server(over_tls(good_, answer_all));
  EXPECT_EQ(ask(server, "127.0.0.1")->body, "name=");
}

TEST_F(Tls, TalksTls12AndNothingOlder) {
  const TestServer older(over_tls(good_, answer_all, TLS1_2_VERSION));
  EXPECT_TRUE(ask(older, "good.example").ok());
  const TestServer oldest(over_tls(good_, answer_all, TLS1_1_VERSION));
  const Result<Response> response = ask(oldest, "good.example");
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().code, ErrorCode::Tls);
}

void expect_refused(const Result<Response>& response, std::string_view reason) {
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().code, ErrorCode::Tls);
  EXPECT_THAT(response.error().message, HasSubstr(std::string(reason)));
}

// REQ: BLT-4
TEST_F(Tls, RefusesACertificateForAnotherHost) {
  const TestServer server(over_tls(good_, answer_all));
  expect_refused(ask(server, "other.example"), "hostname mismatch");
  const TestIdentity named = make_identity(
      {.name = "127.0.0.1", .alternatives = "DNS:good.example", .issuer = &authority_});
  const TestServer without_address(over_tls(named, answer_all));
  expect_refused(ask(without_address, "127.0.0.1"), "IP address mismatch");
}

// REQ: BLT-4
TEST_F(Tls, RefusesCertificatesThatNobodyTrustedHasSigned) {
  const TestIdentity itself =
      make_identity({.name = "good.example", .alternatives = "DNS:good.example"});
  const TestServer self_signed(over_tls(itself, answer_all));
  expect_refused(ask(self_signed, "good.example"), "self-signed certificate");
  const TestIdentity stranger = make_identity({.name = "another authority"});
  const TestIdentity unknown = make_identity(
      {.name = "good.example", .alternatives = "DNS:good.example", .issuer = &stranger});
  const TestServer untrusted(over_tls(unknown, answer_all));
  expect_refused(ask(untrusted, "good.example"), "unable to get local issuer certificate");
}

TEST_F(Tls, RefusesACertificateThatIsOver) {
  const TestIdentity over = make_identity({.name = "good.example",
                                           .alternatives = "DNS:good.example",
                                           .issuer = &authority_,
                                           .validity = Validity::Past});
  const TestServer server(over_tls(over, answer_all));
  expect_refused(ask(server, "good.example"), "certificate has expired");
}

TEST_F(Tls, TellsAServerThatDoesNotSpeakIt) {
  const TestServer server([](TestConnection& connection) {
    connection.send("HTTP/1.1 400 Bad Request\r\n\r\n");
    connection.wait_for_end();
  });
  expect_refused(ask(server, "good.example"), "wrong version number");
}

TEST_F(Tls, KeepsTheDeadlineInTheHandshake) {
  const TestServer server([](TestConnection& connection) { connection.wait_for_end(); });
  const HostPolicy policy({AllowedHost{.host = "good.example", .port = server.port()}});
  Request request = get(url(server, "good.example"));
  request.deadline = Clock::now() + std::chrono::milliseconds(50);
  EXPECT_EQ(client_.send(request, policy).error().code, ErrorCode::NetworkTimeout);
}

TEST_F(Tls, TakesAnEndWithoutNoticeForACutButNotAProperOne) {
  const std::string answer = "HTTP/1.1 200 OK\r\n\r\nuntil the end";
  const TestServer proper(over_tls(good_, [&answer](TlsPeer& peer) {
    peer.read_request();
    peer.send(answer);
    peer.close_properly();
  }));
  EXPECT_EQ(ask(proper, "good.example")->body, "until the end");
  const TestServer cut(over_tls(good_, [&answer](TlsPeer& peer) {
    peer.read_request();
    peer.send(answer);
  }));
  EXPECT_EQ(ask(cut, "good.example").error().code, ErrorCode::Network);
}

TEST_F(Tls, SendsAndReceivesMuch) {
  const TestServer server(over_tls(good_, [](TlsPeer& peer) {
    peer.read_request();
    peer.send(ok_answer(std::string(1000000, 'x')));
  }));
  EXPECT_EQ(ask(server, "good.example")->body, std::string(1000000, 'x'));
}

TEST_F(Tls, SurvivesAServerThatGoesWhileTheRequestIsSent) {
  const TestServer server(over_tls(good_, [](TlsPeer& peer) { peer.close_properly(); }));
  const HostPolicy policy({AllowedHost{.host = "good.example", .port = server.port()}});
  Request request = get(url(server, "good.example"));
  request.method = "POST";
  request.body.assign(std::size_t{30} << 20, 'x');
  const Result<Response> response = client_.send(request, policy);
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().code, ErrorCode::Network);
}

TEST_F(Tls, RefusesTheWayFromHttpsToHttp) {
  const TestServer plain(answering(ok_answer("")));
  const std::string target = "http://good.example:" + std::to_string(plain.port()) + "/";
  const TestServer server(over_tls(good_, [&target](TlsPeer& peer) {
    peer.read_request();
    peer.send("HTTP/1.1 302 Found\r\nLocation: " + target + "\r\nContent-Length: 0\r\n\r\n");
  }));
  EXPECT_EQ(ask(server, "good.example").error().code, ErrorCode::HostNotAllowed);
  EXPECT_EQ(plain.accepted(), 0);
}

TEST_F(Tls, SaysSoWhenThereIsNothingToTrust) {
  ::setenv("SSL_CERT_FILE", "/nowhere/at/all", 1);
  const TestServer server(over_tls(good_, answer_all));
  HttpClient client(names_.options());
  const HostPolicy policy({AllowedHost{.host = "good.example", .port = server.port()}});
  expect_refused(client.send(get(url(server, "good.example")), policy), "not accepted");
}

TEST(TlsLibrary, NamesThePackageThatIsMissing) {
  const auto library = TlsLibrary::load({.ssl = "libssl.so.999", .crypto = "libcrypto.so.3"});
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().code, ErrorCode::Tls);
  EXPECT_THAT(library.error().message, HasSubstr("libssl.so.999"));
  EXPECT_THAT(library.error().suggestion, HasSubstr("libssl3"));
}

}  // namespace
}  // namespace goondan::net
