/* The narrow waist between gdn and a native plugin: plain C, JSON bytes across.
 *
 * A plugin is a shared library with one exported function, `gdn_plugin_entry`. C++ authors use
 * `goondan/plugin.h`, which writes it for them; any language that can export a C function can
 * be a plugin through this header alone.
 *
 * Rules. Bytes are UTF-8, borrowed until the function they were given to returns; neither side
 * frees the other's memory. Every struct begins with its own size; fields are only ever appended.
 * Functions never throw across this border. The entry function's answer lives for ever.
 */
#ifndef GOONDAN_PLUGIN_ABI_H
#define GOONDAN_PLUGIN_ABI_H

#include <stddef.h>
#include <stdint.h>

#define GDN_ABI_VERSION 1u
#define GDN_PLUGIN_ENTRY_NAME "gdn_plugin_entry"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gdn_bytes {
  const char* data;
  size_t size;
} gdn_bytes;

/* The runtime's side of one call. Opaque; valid until `invoke` returns. */
typedef struct gdn_host gdn_host;

enum { GDN_LOG_DEBUG = 0, GDN_LOG_INFO = 1, GDN_LOG_WARN = 2, GDN_LOG_ERROR = 3 };
enum { GDN_REPLY_OK = 0, GDN_REPLY_ERROR = 1 };

/* Receives an answer: status is GDN_REPLY_OK (json: any value) or GDN_REPLY_ERROR
 * (json: {message, code?, name?, suggestion?, helpUrl?}). */
typedef void (*gdn_receive)(void* self, int status, gdn_bytes json);

/* What a handler may ask of the runtime. Each may be called from any thread during the call. */
typedef struct gdn_host_api {
  size_t size;
  void (*log)(gdn_host* host, int level, gdn_bytes text);
  /* total 0: the end is not known. */
  void (*progress)(gdn_host* host, double done, double total, gdn_bytes text);
  /* Calls `stop(self)` once, from another thread, when the call is cancelled or out of time (at
   * once if it already is). With stop = NULL it takes that back; after it returned, the earlier
   * function is not running and never runs again. */
  void (*on_stop)(gdn_host* host, void (*stop)(void* self), void* self);
  /* Asks the runtime for something beyond this call; `receive` is called before it returns. */
  void (*request)(gdn_host* host, gdn_bytes method, gdn_bytes params_json, gdn_receive receive,
                  void* self);
} gdn_host_api;

typedef struct gdn_call {
  size_t size;
  gdn_bytes input_json;   /* an object that has passed the export's schema */
  gdn_bytes context_json; /* {agentName, instanceKey, turnId, traceId, toolCallId, workdir,
                              message, timeoutMs} */
  gdn_host* host;
  const gdn_host_api* api;
  gdn_receive reply; /* exactly once, before `invoke` returns; self = host */
  /* For extensions; null for tools. The runtime for the rest of this process's life: `log` and
   * `request` of `api`, which lives as long, may be called with it at any time, from any thread. */
  gdn_host* life;
} gdn_call;

/* An extension is a plugin whose one export has this name. `input_json` is then a call of
 * docs/extension-protocol.md, {method, params}, several at a time on different threads; the reply
 * is that of the protocol, and what the protocol calls requests and notifications both go through
 * `request`, with the `host` of the call they belong to or with `life`. */
#define GDN_EXTENSION_EXPORT "@extension"

typedef struct gdn_export {
  size_t size;
  const char* name;
  void* self;
  void (*invoke)(void* self, const gdn_call* call);
} gdn_export;

typedef struct gdn_plugin {
  size_t size;
  uint32_t abi_version; /* GDN_ABI_VERSION the plugin was built with */
  uint32_t export_count;
  const gdn_export* const* exports;
} gdn_plugin;

#if defined(__GNUC__)
#define GDN_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define GDN_PLUGIN_EXPORT
#endif

GDN_PLUGIN_EXPORT const gdn_plugin* gdn_plugin_entry(void);

#ifdef __cplusplus
}
#endif

#endif
