"""Slack's Web API as far as the slack tool uses it, on loopback, with one workspace in memory.

Errors come with status 200 and `{"ok": false, "error": ...}`, as Slack does it. A file asked for with a wrong
token leads to a page to sign in. Rate limits: `slack.limits.append(seconds)` or GET /_fake/limit.
"""
import argparse
import base64
import re
import urllib.parse

from fake_api import FakeApi, Reply

LOGIN_PAGE = b"<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body>Sign in</body></html>"


def order(ts):
    seconds, _, rest = ts.partition(".")
    return int(seconds), int(rest or 0)


class Refused(Exception):
    pass


class FakeSlack(FakeApi):
    def __init__(self, token="xoxb-000000000000-fake-token-for-tests", port=0):
        super().__init__(port)
        self.token = token
        self.clock = 0
        self.channels = {"C01GENERAL": [], "C02RANDOM": []}  # messages, oldest first
        self.archived = set()
        self.files = {}  # path -> (bytes, content type)
        self.redirects = {}  # path -> URL

    # What tests prepare.

    def add_message(self, channel, text, user="U01HUMAN", thread=None):
        self.clock += 1
        ts = f"17000000{self.clock // 100:02d}.{self.clock:06d}"
        message = {"type": "message", "user": user, "text": text, "ts": ts}
        if thread:
            message["thread_ts"] = thread
        self.channels[channel].append(message)
        return message

    def add_file(self, name, content, content_type="image/png"):
        path = f"/files-pri/T01-F{len(self.files) + 1:02d}/{name}"
        self.files[path] = (content, content_type)
        return self.url + path

    def message(self, channel, ts):
        return next((m for m in self.channels[channel] if m["ts"] == ts), None)

    # Answering.

    def handle(self, seen):
        path = urllib.parse.urlsplit(seen.path).path
        if self.limits:
            return Reply({"ok": False, "error": "ratelimited"}, 429, {"Retry-After": str(self.limits.pop(0))})
        if path in self.redirects:
            return Reply(b"", 302, {"Location": self.redirects[path]})
        if path.startswith("/files-pri/"):
            return self.file(seen, path)
        if path.startswith("/signin"):
            return Reply(LOGIN_PAGE, headers={"Content-Type": "text/html; charset=utf-8"})
        if not path.startswith("/api/"):
            return Reply(b"<html>not found</html>", 404, {"Content-Type": "text/html"})
        return Reply(self.call(path[len("/api/"):], seen))

    def authorized(self, seen):
        return seen.headers.get("authorization") == "Bearer " + self.token

    def file(self, seen, path):
        if not self.authorized(seen):
            return Reply(b"", 302, {"Location": "/signin?redir=" + urllib.parse.quote(path, "")})
        if path not in self.files:
            return Reply(b"", 404)
        content, content_type = self.files[path]
        return Reply(content, headers={"Content-Type": content_type, "ETag": '"%08x"' % len(content),
                                       "Content-Disposition": f'attachment; filename="{path.rsplit("/", 1)[1]}"'})

    def call(self, method, seen):
        if "authorization" not in seen.headers:
            return {"ok": False, "error": "not_authed"}
        if not self.authorized(seen):
            return {"ok": False, "error": "invalid_auth"}
        handler = getattr(self, "api_" + method.replace(".", "_"), None)
        if handler is None or seen.method != "POST":
            return {"ok": False, "error": "unknown_method", "req_method": method}
        if not seen.headers.get("content-type", "").startswith("application/json"):
            return {"ok": False, "error": "invalid_post_type"}
        try:
            return {"ok": True, **handler(seen.json)}
        except Refused as refused:
            return {"ok": False, "error": str(refused)}
        except (ValueError, KeyError):
            return {"ok": False, "error": "invalid_arguments"}

    def channel(self, args):
        if args.get("channel") not in self.channels:
            raise Refused("channel_not_found")
        return args["channel"]

    def existing(self, args, key="ts"):
        if not re.fullmatch(r"\d{10}\.\d{6}", args.get(key, "")):
            raise Refused("message_not_found" if key == "ts" else "bad_timestamp")
        message = self.message(self.channel(args), args[key])
        if message is None:
            raise Refused("message_not_found")
        return message

    def api_chat_postMessage(self, args):
        channel = self.channel(args)
        if channel in self.archived:
            raise Refused("is_archived")
        if not args.get("text", "").strip():
            raise Refused("no_text")
        if len(args["text"]) > 40000:
            raise Refused("msg_too_long")
        thread = args.get("thread_ts") or None
        if thread and self.message(channel, thread) is None:
            raise Refused("thread_not_found")
        message = self.add_message(channel, args["text"], "U00BOT", thread)
        message.update(bot_id="B00BOT")
        return {"channel": channel, "ts": message["ts"], "message": message}

    def api_chat_update(self, args):
        message = self.existing(args)
        if message["user"] != "U00BOT":
            raise Refused("cant_update_message")
        message.update(text=args["text"], edited={"user": "U00BOT", "ts": message["ts"]})
        return {"channel": args["channel"], "ts": message["ts"], "text": message["text"], "message": message}

    def api_chat_delete(self, args):
        message = self.existing(args)
        if message["user"] != "U00BOT":
            raise Refused("cant_delete_message")
        self.channels[args["channel"]].remove(message)
        return {"channel": args["channel"], "ts": message["ts"]}

    def api_reactions_add(self, args):
        message = self.existing(args, "timestamp")
        if not re.fullmatch(r"[a-z0-9_+'-]+(::skin-tone-[2-6])?", args.get("name", "")):
            raise Refused("invalid_name")
        reactions = message.setdefault("reactions", [])
        if any(r["name"] == args["name"] for r in reactions):
            raise Refused("already_reacted")
        reactions.append({"name": args["name"], "users": ["U00BOT"], "count": 1})
        return {}

    def page(self, messages, args):
        """A page of `messages`; a cursor names where the next begins."""
        limit = args.get("limit", 100)
        if not isinstance(limit, int) or not 1 <= limit <= 1000:
            raise Refused("invalid_limit")
        start = 0
        if args.get("cursor"):
            try:
                start = int(base64.b64decode(args["cursor"]).decode().removeprefix("next:"))
            except ValueError:
                raise Refused("invalid_cursor") from None
        more = len(messages) > start + limit
        result = {"messages": messages[start:start + limit], "has_more": more}
        cursor = base64.b64encode(b"next:%d" % (start + limit)).decode() if more else ""
        return {**result, "response_metadata": {"next_cursor": cursor}}

    def within(self, messages, args):
        inclusive = args.get("inclusive", False)
        for key, sign in (("latest", 1), ("oldest", -1)):
            if args.get(key):
                border = order(args[key])
                messages = [m for m in messages if (order(m["ts"]) < border if sign > 0 else order(m["ts"]) > border)
                            or (inclusive and order(m["ts"]) == border)]
        return messages

    def api_conversations_history(self, args):
        top = [m for m in self.channels[self.channel(args)] if m.get("thread_ts", m["ts"]) == m["ts"]]
        return self.page(self.within(top, args)[::-1], args)

    def api_conversations_replies(self, args):
        channel = self.channel(args)
        thread = [m for m in self.channels[channel] if args["ts"] in (m["ts"], m.get("thread_ts"))]
        if not thread:
            raise Refused("thread_not_found")
        return self.page(self.within(thread, args), args)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token", default="xoxb-000000000000-fake-token-for-tests")
    args = parser.parse_args()
    slack = FakeSlack(args.token, args.port)
    slack.add_message("C01GENERAL", "Good morning!")
    print("a file: " + slack.add_file("hello.txt", b"Hello from a file.\n", "text/plain"), flush=True)
    slack.serve_forever()


if __name__ == "__main__":
    main()
