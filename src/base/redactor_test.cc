#include "base/redactor.h"

#include <thread>

#include <gtest/gtest.h>

#include "base/base64.h"
#include "base/secret_forms.h"
#include "base/utf8.h"

namespace goondan {
namespace {

using namespace std::string_literals;

constexpr std::string_view kSecret = "hunter2/S3cret\"\\ +\xC3\xA9 token";

std::string redacted(std::string_view text) {
  return Redactor().redact(text);
}

TEST(Redactor, MasksAKnownSecretInEveryForm) {  // REQ: BLT-5
  Redactor redactor;
  redactor.add_secret(kSecret);
  const std::vector<std::string> forms = secret_forms(kSecret);
  EXPECT_GT(forms.size(), 15U);
  for (const std::string& form : forms) {
    EXPECT_TRUE(redactor.finds_in(form)) << form;
    EXPECT_EQ(redactor.redact("a <" + form + "> b"), "a <[redacted]> b");
  }
}

TEST(Redactor, MasksASecretInsideALongerBase64Text) {  // REQ: BLT-5
  Redactor redactor;
  redactor.add_secret(kSecret);
  for (const std::string_view before : {"", "x", "xy", "user:"}) {
    const std::string plain = std::string(before).append(kSecret).append(" and more");
    for (const auto alphabet : {Base64Alphabet::Standard, Base64Alphabet::Url}) {
      const std::string text = redactor.redact(base64_encode(plain, alphabet));
      EXPECT_NE(text.find(kRedacted), text.npos) << before;
      EXPECT_LT(text.size(), 40U) << text;
    }
  }
}

TEST(Redactor, KnowsTheFormsThatTextsAreWrittenIn) {
  const std::vector<std::string> forms = secret_forms("a/b:c d\"\xC3\xA9=");
  for (const std::string_view form :
       {"a/b:c d\"\xC3\xA9=", "612f623a632064", "612F623A632064", "a%2Fb%3Ac%20d%22%C3%A9%3D",
        "a%2fb%3ac%20d%22%c3%a9%3d", "a%2Fb%3Ac+d%22%C3%A9%3D",
        "a/b:c%20d%22%C3%A9=", "%61%2F%62%3A%63%20%64%22%C3%A9%3D",
        "a/b:c d\\\"\xC3\xA9=", "a\\/b:c d\\\"\\u00e9=", "a/b:c d\\\"\\u00E9="}) {
    const bool known = std::ranges::any_of(
        forms, [&](const std::string& one) { return one.find(form) != one.npos; });
    EXPECT_TRUE(known) << form;
  }
}

TEST(Redactor, LeavesShortSecretsAlone) {
  Redactor redactor;
  redactor.add_secret("1234567");
  EXPECT_EQ(redactor.redact("1234567"), "1234567");
  redactor.add_secret("12345678");
  EXPECT_EQ(redactor.redact("12345678"), "[redacted]");
}

TEST(Redactor, MasksAValueWithoutTheWhiteSpaceAroundIt) {
  Redactor redactor;
  redactor.add_secret("  correct horse\n");
  EXPECT_EQ(redactor.redact("correct horse"), "[redacted]");
}

TEST(Redactor, JoinsWhatOverlapsOrTouches) {
  Redactor redactor;
  redactor.add_secret("abcdefgh");
  redactor.add_secret("efghijkl");
  EXPECT_EQ(redactor.redact("-abcdefghijkl-"), "-[redacted]-");
  EXPECT_EQ(redactor.redact("-abcdefghabcdefgh-"), "-[redacted]-");
  EXPECT_EQ(redactor.redact("abcdefgh abcdefgh"), "[redacted] [redacted]");
}

TEST(Redactor, PrefersTheLongestOfSecretsThatBeginAlike) {
  Redactor redactor;
  redactor.add_secret("password");
  redactor.add_secret("password-1234");
  redactor.add_secret("password-1299");
  EXPECT_EQ(redactor.redact("password-1234 password-12 password-1299"),
            "[redacted] [redacted]-12 [redacted]");
}

TEST(Redactor, MasksALongSecretWhole) {
  Redactor redactor;
  std::string secret;
  for (int i = 0; i < 3000; ++i)
    secret += std::to_string(i * i);
  ASSERT_GT(secret.size(), 2 * kMaxSecretPiece);
  redactor.add_secret(secret);
  EXPECT_EQ(redactor.redact("<" + secret + ">"), "<[redacted]>");
}

TEST(Redactor, RedactingTwiceIsTheSameAsOnce) {
  Redactor redactor;
  redactor.add_secret("redacted");
  redactor.add_secret("[redacte");
  redactor.add_secret("12345678");
  for (const std::string_view text :
       {"[redacted]", "12345678", "x12345678xoxb-1234567890abc", "12345678AKIAIOSFODNN7EXAMPLE",
        "redacted]", "[redacte", "Authorization: Bearer 12345678abcdefgh12"}) {
    const std::string once = redactor.redact(text);
    EXPECT_EQ(redactor.redact(once), once) << text;
  }
  EXPECT_EQ(redactor.redact("[redacted]"), "[redacted]");
}

TEST(Redactor, KeepsTextValidUtf8) {  // REQ: DEC-3
  Redactor redactor;
  redactor.add_secret(
      "\xA9"
      "123456\xC3");  // begins and ends inside of a character
  const std::string text = redactor.redact(
      "caf\xC3\xA9"
      "123456\xC3\xA9!");
  EXPECT_EQ(text, "caf[redacted]!");
}

TEST(Redactor, MasksWhatLooksLikeASecret) {  // REQ: BLT-5
  const std::string run = "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"token xoxb-123456789012-abcdefABCDEF.", "token [redacted]."},
      {"xoxp-1-2-3-abcdef0123", "[redacted]"},
      {"https://api.telegram.org/bot110201543:" + run + "/getMe",
       "https://api.telegram.org/bot[redacted]/getMe"},
      {"bot110201543%3A" + run, "bot[redacted]"},
      {"the token is 110201543:" + run, "the token is 110201543:[redacted]"},
      {"ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[redacted]"},
      {"github_pat_11ABCDEFG0abcdefghijklm_nopq", "[redacted]"},
      {"id AKIAIOSFODNN7EXAMPLE,", "id [redacted],"},
      {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r", "[redacted]"},
      {"Authorization: Bearer abc.def-123_ghi~jkl+mno/pq==", "Authorization: Bearer [redacted]"},
      {"\"authorization\": \"Basic dXNlcjpwYXNz\"", "\"authorization\": \"Basic [redacted]\""},
      {"curl -H 'authorization: token 0123456789abcdef'",
       "curl -H 'authorization: token [redacted]'"},
      {"bearer 0123456789abcdef0123", "bearer [redacted]"},
      {"Basic dXNlcjpwYXNzd29yZDE=", "Basic [redacted]"},
      {"?access_token=a1b2c3d4e5&x=1", "?access_token=[redacted]&x=1"},
      {"{\"refresh_token\": \"1//0gabcdefgh\"}", "{\"refresh_token\": \"[redacted]\"}"},
      {"client_secret: GOCSPX-a1b2c3d4", "client_secret: [redacted]"},
      {"API_KEY=9f86d081884c7d65", "API_KEY=[redacted]"},
      {"\\\"accessToken\\\":\\\"ab12cd34ef56\\\"", "\\\"accessToken\\\":\\\"[redacted]\\\""},
      {"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
       "aws_secret_access_key = [redacted]"},
      {"sk-proj-abcdefghij0123456789ABCD", "[redacted]"},
      {"sk-ant-api03-abcdefghij0123456789", "[redacted]"},
      {"AIzaSyA1234567890abcdefghijklmnopqrstuv", "[redacted]"},
      {"postgres://app:p@ss/w@db:5432/x", "postgres://app:[redacted]@ss/w@db:5432/x"},
      {"postgres://app:pass@db:5432/x", "postgres://app:[redacted]@db:5432/x"},
      {"-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA1234\nabcd==\n"
       "-----END RSA PRIVATE KEY-----\nnext",
       "[redacted]\nnext"},
      {"-----BEGIN PRIVATE KEY-----\\nMIIEowIBAAKCAQEA1234\\nabcd, cut", "[redacted], cut"},
  };
  for (const auto& [text, want] : cases)
    EXPECT_EQ(redacted(text), want);
}

TEST(Redactor, MasksPasswordsAndSecretKeysByTheirNames) {  // REQ: BLT-5
  const std::string run = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYz1";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"password: hunter2024", "password: [redacted]"},
      {"DB_PASSWORD=S3cr!t#9x\nNEXT=1", "DB_PASSWORD=[redacted]\nNEXT=1"},
      {"Server=x;Password=S3cr!t#9;Port=1", "Server=x;Password=[redacted];Port=1"},
      {"?passwd=abcd1234&x=1", "?passwd=[redacted]&x=1"},
      {R"({"password": "p,s;(w)0r d"})", R"({"password": "p,s;(w)0r d"})"},
      {R"({"password": "p,s;(w)0rd\"x", "a": 1})", R"({"password": "[redacted]", "a": 1})"},
      {R"(\"dbPassword\":\"ab12,cd34\")", R"(\"dbPassword\":\"[redacted]\")"},
      {"SECRET_KEY = 'dj@ngo-insecure(1)x'", "SECRET_KEY = '[redacted]'"},
      {"secret_key: \"abcd1234efgh", "secret_key: \"[redacted]"},
      {"\"private_key\": \"0a1b2c3d4e5f6789\"", "\"private_key\": \"[redacted]\""},
      {"aws_session_token=IQoJb3JpZ2luX2VjEJr//w1", "aws_session_token=[redacted]"},
      {"AccountName=x;AccountKey=" + run + "==;End", "AccountName=x;AccountKey=[redacted];End"},
      {"Cookie: theme=dark; sid=a1b2c3d4e5; x=1\r\nHost: h",
       "Cookie: theme=dark; sid=[redacted]\r\nHost: h"},
      {"Set-Cookie: sid=a1b2c3d4e5; Path=/", "Set-Cookie: sid=[redacted]"},
      {"curl -H 'cookie: sid=a1b2c3d4e5'", "curl -H 'cookie: sid=[redacted]'"},
  };
  for (const auto& [text, want] : cases)
    EXPECT_EQ(redacted(text), want);
}

TEST(Redactor, MasksTokensByTheirPrefixes) {  // REQ: BLT-5
  const std::string run = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  for (const std::string& token :
       {"xoxc-1234567890-" + run, "xoxd-" + run + "%2Bx", "npm_" + run, "hf_" + run,
        "gsk_" + run + "abcdefghijklmnop", "SG.a1B2c3D4e5F6g7H8i9J0k1." + run, "ya29." + run,
        "pypi-AgEIcHlwaS5vcmc" + run, "dop_v1_" + run + "abcdefgh", "whsec_" + run}) {
    EXPECT_EQ(redacted("it is " + token + " now"), "it is [redacted] now");
    EXPECT_EQ(redacted(token), "[redacted]");
  }
  EXPECT_EQ(redacted("https://hooks.slack.com/services/T0123ABCD/B0123ABCD/a1B2c3D4e5F6g7H8i9J0 x"),
            "https://hooks.slack.com/services/[redacted] x");
}

TEST(Redactor, LeavesBase64Alone) {
  const std::string aws = "AKIAIOSFODNN7EXAMPLE";
  for (const std::string& text :
       {"AAA/AIzaSyA1234567890abcdefghijklmnopqrstuvw"s,
        "AAA/AIzaSyA1234567890abcdefghijklmnopqrstuv"s, "AIzaSyA1234567890abcdefghijklmnopqrstuv="s,
        "AIzaSyA1234567890abcdefghijklmnopqrstuv/x"s, "AAA/" + aws,
        aws + "/" + std::string(100, 'x')})
    EXPECT_EQ(redacted(text), text);
  EXPECT_EQ(redacted("?X-Amz-Credential=" + aws + "/20130524/us-east-1/s3/aws4_request"),
            "?X-Amz-Credential=[redacted]/20130524/us-east-1/s3/aws4_request");
}

TEST(Redactor, LeavesOrdinaryTextAlone) {
  for (const std::string_view text :
       {"Basic authentication and Basic understanding",
        "Bearer authentication is required",
        "access_token = get_token(request)",
        "api_key=os.environ[\"API_KEY\"]",
        "client_secret: str",
        "task-management-for-beginners-2024-edition",
        "sk-chasing-dot-before-animation",
        "https://example.com:8080/a@b",
        "mailto:a@b.c http://user@host/",
        "ghp_short",
        "AKIAtheword",
        "AKIAIOSFODNN7EXAMPLEANDMORE",
        "eyJust.a.word",
        "bearer identification12 number",
        "api_key=YOUR_API_KEY_1",
        "api_key=EXAMPLE_KEY_123456",
        "api_key: <your-key-12345>",
        "api_key=${API_KEY_12345}",
        "api_key=xxxxxxxx12345678",
        "\"authorization\": \"optional1234\"",
        "https://x:y@z and scheme://a:b@c",
        "password: required",
        "Password:\nlinux-5.10.0-21",
        "password = user.password2",
        "password=$DB_PASSWORD_1",
        "password = get_password(user1)",
        "password: \"must have 8 characters\"",
        "/etc/passwd:1:root:x:0:0:root:/root:/bin/bash",
        "private: int key_12345678",
        "private_key: ed25519.Ed25519PrivateKey, f: int",
        "secret_key: str",
        "Set-Cookie: a=1; Max-Age=31536000; Path=/",
        "cookie: which one12345678",
        "npm_config_registry",
        "hf_hub_download",
        "hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXX",
        "-----BEGIN CERTIFICATE-----\nMIIEowIBAAKCAQ",
        "look for \"-----BEGIN PRIVATE KEY-----\" in it",
        "nextPageToken: CAUQAA1234567890",
        "robot12345678:abc",
        "12:30:AAron",
        "xoxb-your-token-here",
        "authorization: required here",
        "postgres://$USER:$PASSWORD@host/db",
        "redis://[[user:]password@]host",
        "authorization = base64.decodebytes(line)",
        "군단 😀 \xFF\xFE"}) {
    EXPECT_FALSE(Redactor().finds_in(text)) << text;
    EXPECT_EQ(redacted(text), text);
  }
}

TEST(Redactor, MasksHalfASecretBeforeACut) {  // REQ: BLT-5
  Redactor redactor;
  redactor.add_secret("s3cretvalue99longer");
  const auto shown = [&redactor](std::string_view text) {
    return redactor.redact_cut(text, CutSide::End);
  };
  EXPECT_EQ(shown("key is s3cretvalue99longe"), "key is [redacted]");
  EXPECT_EQ(shown("key is s3cr"), "key is [redacted]");
  EXPECT_EQ(shown("key is s3c"), "key is s3c");
  EXPECT_EQ(shown("s3cretvalue99longer and s3cre"), "[redacted] and [redacted]");
  EXPECT_EQ(shown("s3cretvalue99longers3cretv"), "[redacted]");
  EXPECT_EQ(shown("the value s3cret and more"), "the value s3cret and more");
  const std::string hex = "7333637265";
  EXPECT_EQ(shown("in hex " + hex), "in hex [redacted]");
  EXPECT_EQ(shown(""), "");
}

TEST(Redactor, MasksHalfASecretBehindACut) {  // REQ: BLT-5
  Redactor redactor;
  redactor.add_secret("s3cretvalue99longer");
  const auto shown = [&redactor](std::string_view text) {
    return redactor.redact_cut(text, CutSide::Begin);
  };
  EXPECT_EQ(shown("3cretvalue99longer is it"), "[redacted] is it");
  EXPECT_EQ(shown("nger is it"), "[redacted] is it");
  EXPECT_EQ(shown("ger is it"), "ger is it");
  EXPECT_EQ(shown("nger s3cretvalue99longer"), "[redacted] [redacted]");
  EXPECT_EQ(shown("longe nothing"), "longe nothing");
  EXPECT_EQ(shown("ng"), "ng");
}

TEST(Redactor, MasksWholeCharactersAtACut) {  // REQ: DEC-3
  Redactor redactor;
  redactor.add_secret("\xA9-secret-\xC3");
  EXPECT_EQ(redactor.redact_cut("caf\xC3\xA9-sec", CutSide::End), "caf[redacted]");
  EXPECT_EQ(redactor.redact_cut("ret-\xC3\xA9!", CutSide::Begin), "[redacted]!");
}

TEST(Redactor, WalksThroughAJsonValue) {
  Redactor redactor;
  redactor.add_secret("12345678");
  Json value = parse_json(R"({"a": ["x 12345678", 1, null, {"b": "12345678"}], "k12345678": true,
      "12345678": 1, "[redacted]": 2, "access_token": "q1w2e3r4", "next": "q1w2e3r4", "dbPassword": "p w1", "password": "p(s)w0rd",
      "set-cookie": "a=1, sid=q1w2e3r4; Path=/"})")
                   .value();
  redactor.redact(value);
  EXPECT_EQ(to_text(value), to_text(parse_json(
                                        R"({"a": ["x [redacted]", 1, null, {"b": "[redacted]"}],
      "k[redacted]": true, "[redacted]": 1, "[redacted] 2": 2, "access_token": "[redacted]",
      "next": "q1w2e3r4", "dbPassword": "p w1", "password": "[redacted]",
      "set-cookie": "a=1, sid=[redacted]"})")
                                        .value()));
  Json again = value;
  redactor.redact(again);
  EXPECT_EQ(again, value);
}

TEST(Redactor, WalksThroughAVeryDeepValue) {
  Redactor redactor;
  redactor.add_secret("12345678");
  constexpr int kDepth = 2000;
  Json value("12345678");
  for (int i = 0; i < kDepth; ++i)
    value = JsonArray{std::move(value)};
  redactor.redact(value);
  const Json* inner = &value;
  while (inner->is_array())
    inner = &inner->get_array()[0];
  EXPECT_EQ(*inner, Json(kRedacted));
}

TEST(Redactor, MasksEveryTextOfAnError) {
  Redactor redactor;
  redactor.add_secret("12345678");
  Error error{.message = "a 12345678",
              .suggestion = "b 12345678",
              .help_url = "12345678",
              .custom_code = "12345678",
              .custom_name = "12345678"};
  redactor.redact(error);
  EXPECT_EQ(error.message, "a [redacted]");
  EXPECT_EQ(error.suggestion, "b [redacted]");
  EXPECT_EQ(error.help_url, "[redacted]");
  EXPECT_EQ(error.custom_code, "[redacted]");
  EXPECT_EQ(error.custom_name, "[redacted]");
}

TEST(Redactor, LearnsSecretsWhileOthersRedact) {
  Redactor redactor;
  redactor.add_secret("first-secret");
  const std::jthread other([&redactor] {
    for (int i = 0; i < 200; ++i)
      redactor.add_secret("secret-number-" + std::to_string(i));
  });
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(redactor.redact("a first-secret b"), "a [redacted] b");
}

TEST(Redactor, ForgetsNoEarlySecretHoweverManyFollow) {
  Redactor redactor;
  redactor.add_secret("first-secret");
  for (int i = 0; i < 2000; ++i)
    redactor.add_secret("secret-number-" + std::to_string(100000 + i));
  EXPECT_EQ(redactor.redact("first-secret secret-number-101999"), "[redacted] [redacted]");
}

}  // namespace
}  // namespace goondan
