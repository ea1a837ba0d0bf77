/* A plugin in plain C: `plugin_abi.h` and nothing else. */
#include <string.h>

#include <goondan/plugin_abi.h>

static gdn_bytes text(const char* s) {
  gdn_bytes bytes = {s, strlen(s)};
  return bytes;
}

static void c_echo(void* self, const gdn_call* call) {
  (void)self;
  call->api->log(call->host, GDN_LOG_INFO, text("echoing"));
  call->api->progress(call->host, 1, 0, text("once"));
  call->reply(call->host, GDN_REPLY_OK, call->input_json);
}

static void c_fails(void* self, const gdn_call* call) {
  (void)self;
  call->reply(call->host, GDN_REPLY_ERROR, text("{\"message\":\"no\",\"code\":\"E_C\"}"));
}

static void invalid_json(void* self, const gdn_call* call) {
  (void)self;
  call->reply(call->host, GDN_REPLY_OK, text("{\"a\":"));
}

static void invalid_utf8(void* self, const gdn_call* call) {
  (void)self;
  call->reply(call->host, GDN_REPLY_OK, text("\"\xff\""));
}

static void no_bytes(void* self, const gdn_call* call) {
  gdn_bytes nothing = {NULL, 0};
  (void)self;
  call->reply(call->host, GDN_REPLY_OK, nothing);
}

static void replies_twice(void* self, const gdn_call* call) {
  (void)self;
  call->reply(call->host, GDN_REPLY_OK, text("1"));
  call->reply(call->host, GDN_REPLY_OK, text("2"));
}

static void never_replies(void* self, const gdn_call* call) {
  (void)self;
  (void)call;
}

static void unknown_status(void* self, const gdn_call* call) {
  (void)self;
  call->reply(call->host, 9, text("1"));
}

static void error_without_message(void* self, const gdn_call* call) {
  (void)self;
  call->reply(call->host, GDN_REPLY_ERROR, text("\"broken\""));
}

static void too_large(void* self, const gdn_call* call) {
  static char block[(size_t)65 << 20];
  gdn_bytes bytes = {block, sizeof block};
  (void)self;
  memset(block, ' ', sizeof block);
  call->reply(call->host, GDN_REPLY_OK, bytes);
}

#define EXPORT(function) \
  static const gdn_export function##_export = {sizeof(gdn_export), #function, NULL, function}
EXPORT(c_echo);
EXPORT(c_fails);
EXPORT(invalid_json);
EXPORT(invalid_utf8);
EXPORT(no_bytes);
EXPORT(replies_twice);
EXPORT(never_replies);
EXPORT(unknown_status);
EXPORT(error_without_message);
EXPORT(too_large);

static const gdn_export* const exports[] = {
    &c_echo_export,        &c_fails_export,        &invalid_json_export,
    &invalid_utf8_export,  &no_bytes_export,       &replies_twice_export,
    &never_replies_export, &unknown_status_export, &error_without_message_export,
    &too_large_export};

static const gdn_plugin plugin = {sizeof(gdn_plugin), GDN_ABI_VERSION,
                                  sizeof exports / sizeof exports[0], exports};

const gdn_plugin* gdn_plugin_entry(void) {
  return &plugin;
}
