"""Telegram's Bot API as far as the telegram tool uses it, on loopback, with two chats in memory.

A wrong token is answered with 401, a malformed one with 404, mistakes with 400 and a description, as Telegram
does it. Rate limits: `telegram.limits.append(seconds)` or GET /_fake/limit.
"""
import argparse
import re
import urllib.parse

from fake_api import FakeApi, Reply

ACTIONS = {"typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice",
           "upload_document", "choose_sticker", "find_location", "record_video_note", "upload_video_note"}
REACTIONS = {"👍", "👎", "❤", "🔥", "🎉", "👀", "😁"}


class Refused(Exception):
    pass


class FakeTelegram(FakeApi):
    def __init__(self, token="1000000001:AAFakeTokenForTests_0123456789abcdef", port=0):
        super().__init__(port)
        self.token = token
        self.chats = {"42": {}, "-1001234567890": {}, "@news": {}}  # message id -> message
        self.next_id = 100
        self.actions = []
        self.files = {}  # file id -> (path, bytes)

    # What tests prepare.

    def add_message(self, chat, text, bot=False):
        self.next_id += 1
        number = int(chat) if re.fullmatch(r"-?\d+", chat) else 7
        message = {"message_id": self.next_id, "from": {"id": 1 if bot else 2, "is_bot": bot, "first_name": "x"},
                   "chat": {"id": number, "type": "private"}, "date": 1700000000 + self.next_id, "text": text.strip()}
        self.chats[chat][self.next_id] = message
        return message

    def add_file(self, file_id, path, content):
        self.files[file_id] = (path, content)

    # Answering.

    def handle(self, seen):
        path = urllib.parse.unquote(urllib.parse.urlsplit(seen.path).path)
        found = re.fullmatch(r"(/file)?/bot([^/]*)/(.*)", path)
        if not found or ":" not in found[2]:
            return self.error(404, "Not Found")
        if found[2] != self.token:
            return self.error(401, "Unauthorized")
        if self.limits:
            seconds = self.limits.pop(0)
            return self.error(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)
        return self.file(found[3]) if found[1] else self.call(found[3], seen)

    def error(self, code, description, **parameters):
        body = {"ok": False, "error_code": code, "description": description}
        if parameters:
            body["parameters"] = parameters
        headers = {"Retry-After": str(parameters["retry_after"])} if "retry_after" in parameters else {}
        return Reply(body, code, headers)

    def file(self, path):
        for known, content in self.files.values():
            if known == path:
                return Reply(content, headers={"Content-Type": "application/octet-stream"})
        return self.error(404, "Not Found")

    def call(self, method, seen):
        handler = getattr(self, "api_" + method, None)
        if handler is None:
            return self.error(404, "Not Found")
        try:
            return Reply({"ok": True, "result": handler(seen.json)})
        except Refused as refused:
            return self.error(400, "Bad Request: " + str(refused))

    def chat(self, args):
        chat = str(args.get("chat_id", ""))
        if not chat:
            raise Refused("chat_id is empty")
        if chat not in self.chats:
            raise Refused("chat not found")
        return chat

    def checked_text(self, args):
        text = str(args.get("text", "")).strip()
        if not text:
            raise Refused("message text is empty")
        if len(text) > 4096:
            raise Refused("message is too long")
        if args.get("parse_mode") == "HTML" and text.count("<") != text.count(">"):
            raise Refused("can't parse entities: Unclosed start tag at byte offset 0")
        if args.get("parse_mode") == "MarkdownV2" and re.search(r"(?<!\\)[.!-]", text):
            raise Refused("can't parse entities: Character '.' is reserved and must be escaped")
        return text

    def existing(self, args, what):
        message = self.chats[self.chat(args)].get(args.get("message_id"))
        if message is None:
            raise Refused(f"message to {what} not found")
        return message

    def api_sendMessage(self, args):
        chat = self.chat(args)
        text = self.checked_text(args)
        reply_to = args.get("reply_to_message_id")
        message_exists = reply_to in self.chats[chat]
        if reply_to and not message_exists and not args.get("allow_sending_without_reply"):
            raise Refused("message to be replied not found")
        return self.add_message(chat, text, bot=True)

    def api_editMessageText(self, args):
        message = self.existing(args, "edit")
        text = self.checked_text(args)
        if not message["from"]["is_bot"]:
            raise Refused("message can't be edited")
        if text == message["text"]:
            raise Refused("message is not modified: specified new message content and reply markup are exactly the "
                          "same as a current content and reply markup of the message")
        message["text"] = text
        return message

    def api_deleteMessage(self, args):
        del self.chats[self.chat(args)][self.existing(args, "delete")["message_id"]]
        return True

    def api_setMessageReaction(self, args):
        message = self.existing(args, "react")
        emojis = [reaction["emoji"] for reaction in args.get("reaction", [])]
        if any(emoji not in REACTIONS for emoji in emojis):
            raise Refused("REACTION_INVALID")
        if len(emojis) > 1:
            raise Refused("REACTIONS_TOO_MANY")
        message["reactions"] = emojis
        return True

    def api_sendChatAction(self, args):
        chat = self.chat(args)
        if args.get("action") not in ACTIONS:
            raise Refused("wrong parameter action in request")
        self.actions.append((chat, args["action"]))
        return True

    def api_getFile(self, args):
        if args.get("file_id") not in self.files:
            raise Refused("wrong file_id or the file is temporarily unavailable")
        path, content = self.files[args["file_id"]]
        return {"file_id": args["file_id"], "file_unique_id": "u-" + args["file_id"], "file_size": len(content),
                "file_path": path}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token", default="1000000001:AAFakeTokenForTests_0123456789abcdef")
    args = parser.parse_args()
    telegram = FakeTelegram(args.token, args.port)
    telegram.add_file("file-1", "documents/hello.txt", b"Hello from a file.\n")
    telegram.serve_forever()


if __name__ == "__main__":
    main()
