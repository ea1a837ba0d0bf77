/* An extension without our headers for C++: it says what is no JSON. */
#define _GNU_SOURCE /* memmem */
#include <string.h>

#include <goondan/plugin_abi.h>

static gdn_bytes text(const char* chars) {
  gdn_bytes bytes = {chars, strlen(chars)};
  return bytes;
}

static int says(const gdn_call* call, const char* word) {
  return memmem(call->input_json.data, call->input_json.size, word, strlen(word)) != NULL;
}

static void ignore(void* self, int status, gdn_bytes json) {
  (void)self;
  (void)status;
  (void)json;
}

static void invoke(void* self, const gdn_call* call) {
  (void)self;
  if (says(call, "badReply")) {
    call->reply(call->host, GDN_REPLY_OK, text("{no JSON"));
    return;
  }
  if (says(call, "noReply")) return;
  if (says(call, "badRequest")) {
    call->api->request(call->host, text("next"), text("{no JSON"), ignore, NULL);
  }
  call->reply(call->host, GDN_REPLY_OK, text("\"fine\""));
}

static const gdn_export kExport = {sizeof(gdn_export), GDN_EXTENSION_EXPORT, NULL, invoke};
static const gdn_export* const kExports[] = {&kExport};
static const gdn_plugin kPlugin = {sizeof(gdn_plugin), GDN_ABI_VERSION, 1, kExports};

GDN_PLUGIN_EXPORT const gdn_plugin* gdn_plugin_entry(void) {
  return &kPlugin;
}
