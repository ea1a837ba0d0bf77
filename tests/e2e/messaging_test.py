"""Telegram and Slack as a user calls them, against pretended services on loopback."""
import base64
import json
import pathlib
import socket
import subprocess
import sys
import urllib.parse

from support import DEADLINE, GDN, GdnTest, main

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from fake_api import FakeApi, Reply  # noqa: E402
from fake_slack import FakeSlack  # noqa: E402
from fake_telegram import FakeTelegram  # noqa: E402

# No shape that is known as a secret, so that only what is done with tokens can hide it.
CANARY = "canary/7+horse:staple=42 battery"
MESSENGER_VARIABLES = ("TELEGRAM_BOT_TOKEN", "BOT_TOKEN", "TELEGRAM_TOKEN", "BRAIN_TELEGRAM_BOT_TOKEN",
                       "SLACK_BOT_TOKEN", "SLACK_TOKEN", "BRAIN_SLACK_BOT_TOKEN")


def spellings(token):
    """How a token could be written in what a program prints."""
    raw = token.encode()
    forms = {token, urllib.parse.quote(token, ""), urllib.parse.quote(token), urllib.parse.quote_plus(token),
             raw.hex(), raw.hex().upper(), json.dumps(token)[1:-1], json.dumps(token).replace("/", "\\/")[1:-1]}
    for lead in range(3):
        encoded = base64.b64encode(b"\0" * lead + raw).decode()
        forms.add(encoded[4 if lead else 0:len(encoded) // 4 * 4 - 4])
        forms.add(base64.urlsafe_b64encode(b"\0" * lead + raw).decode()[4 if lead else 0:-4])
    return forms


class MessagingTest(GdnTest):
    def environment(self, **extra):
        environment = super().environment(**extra)
        for name in MESSENGER_VARIABLES:
            if name not in extra:
                environment.pop(name, None)
        return environment

    def call(self, tool, arguments, *allowed, **extra):
        words = ["call", tool, "--input", json.dumps(arguments), "--json", "--workdir", str(self.folder)]
        for service in allowed:
            words += ["--allow-host", service.host]
        self.done = self.gdn(*words, **extra)
        return self.done.json

    def ok(self, *args, **extra):
        result = self.call(*args, **extra)
        self.assertEqual(result["status"], "ok", result)
        return result["output"]

    def error(self, *args, **extra):
        result = self.call(*args, **extra)
        self.assertEqual(result["status"], "error", result)
        return result["error"]

    def assert_silent_about(self, token):
        for form in spellings(token):
            self.assertNotIn(form, self.done.out)
            self.assertNotIn(form, self.done.err)


class ExampleTest(MessagingTest):
    def test_the_example_runs(self):
        demo = pathlib.Path(__file__).resolve().parents[2] / "examples/messaging/demo.sh"
        done = subprocess.run(["sh", demo, GDN], env=self.environment(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=DEADLINE)
        self.assertEqual(done.returncode, 0, done.stdout.decode())


class TelegramTest(MessagingTest):
    def setUp(self):
        super().setUp()
        self.api = FakeTelegram().__enter__()
        self.addCleanup(self.api.__exit__)

    def telegram(self, export, check="ok", **arguments):
        arguments = {"token": self.api.token, "apiBaseUrl": self.api.url, **arguments}
        if check == "ok":
            return self.ok("telegram__" + export, arguments, self.api)
        return self.error("telegram__" + export, arguments, self.api)

    def test_a_message_lives_from_send_to_delete(self):
        sent = self.telegram("send", chatId=42, text=" hello ", parseMode="html")
        self.assertEqual(sent["chatId"], "42")
        self.assertEqual(sent["text"], "hello")
        number = sent["messageId"]
        self.assertEqual(self.telegram("edit", chatId="42", messageId=number, text="bye"),
                         {"ok": True, "chatId": "42", "messageId": number, "edited": True})
        self.assertEqual(self.telegram("react", chatId="42", messageId=str(number), emoji="👍"),
                         {"ok": True, "chatId": "42", "messageId": number, "cleared": False, "emojis": ["👍"],
                          "reactionCount": 1})
        self.assertEqual(self.api.chats["42"][number]["reactions"], ["👍"])
        self.telegram("react", chatId="42", messageId=number, clear=True)
        self.assertEqual(self.api.chats["42"][number]["reactions"], [])
        self.assertEqual(self.telegram("delete", chatId="42", messageId=number),
                         {"ok": True, "chatId": "42", "messageId": number, "deleted": True})
        self.assertEqual(self.api.chats["42"], {})

    def test_the_chat_sees_what_the_bot_does(self):
        self.assertEqual(self.telegram("setChatAction", chatId="@news", status="Upload Photo"),
                         {"ok": True, "chatId": "@news", "status": "upload_photo", "action": "upload_photo"})
        self.assertEqual(self.api.actions, [("@news", "upload_photo")])

    def test_a_file_is_returned_and_saved(self):
        content = bytes(range(256)) * 40
        self.api.add_file("F1", "photos/a b.jpg", content)
        result = self.telegram("downloadFile", fileId="F1", savePath="in/a.jpg", includeDataUrl=False)
        self.assertEqual(base64.b64decode(result["base64"]), content)
        self.assertEqual((self.folder / "in/a.jpg").read_bytes(), content)
        self.assertEqual(result["savedPath"], str(self.folder / "in/a.jpg"))
        self.assertEqual(result["downloadUrl"], self.api.url + "/file/bot***/photos/a%20b.jpg")
        self.assertEqual(result["fileSize"], len(content))
        self.assert_silent_about(self.api.token)

    def test_a_file_that_is_too_large_is_not_saved(self):
        self.api.add_file("F1", "a.bin", b"x" * 1000)
        error = self.telegram("downloadFile", "error", fileId="F1", maxBytes=999, savePath="a.bin")
        self.assertEqual(error["message"], "Telegram file exceeds maxBytes limit (1000 > 999)")
        self.assertFalse((self.folder / "a.bin").exists())

    def test_a_file_is_not_saved_outside_the_workdir(self):
        self.api.add_file("F1", "a.bin", b"x")
        error = self.telegram("downloadFile", "error", fileId="F1", savePath="../a.bin")
        self.assertEqual(error["code"], "E_PATH_OUTSIDE_WORKSPACE")
        self.assertEqual(self.api.seen, [])

    def test_mistakes_are_told_in_the_words_of_the_service(self):
        foreign = self.api.add_message("42", "of a person")["message_id"]
        own = self.telegram("send", chatId="42", text="mine")["messageId"]
        for export, arguments, words in (
                ("send", {"chatId": "7", "text": "x"}, "(code 400): Bad Request: chat not found"),
                ("send", {"chatId": "42", "text": " "}, "message text is empty"),
                ("send", {"chatId": "42", "text": "x" * 4097}, "message is too long"),
                ("send", {"chatId": "42", "text": "<b", "parseMode": "HTML"}, "can't parse entities"),
                ("send", {"chatId": "42", "text": "x", "replyToMessageId": 5}, "message to be replied not found"),
                ("edit", {"chatId": "42", "messageId": own, "text": "mine"}, "message is not modified"),
                ("edit", {"chatId": "42", "messageId": foreign, "text": "x"}, "message can't be edited"),
                ("edit", {"chatId": "42", "messageId": 9, "text": "x"}, "message to edit not found"),
                ("delete", {"chatId": "42", "messageId": 9}, "message to delete not found"),
                ("react", {"chatId": "42", "messageId": own, "emoji": "thumbsup"}, "REACTION_INVALID"),
                ("downloadFile", {"fileId": "nope"}, "wrong file_id")):
            error = self.telegram(export, "error", **arguments)
            self.assertEqual(error["code"], "E_SERVICE")
            self.assertIn(words, error["message"])
            self.assertTrue(words == "message to be replied not found" or error.get("suggestion"), error)
            self.assert_silent_about(self.api.token)

    def test_a_token_that_telegram_does_not_know(self):
        for token, words in (("1:AAwrong-but-well-formed", "(code 401): Unauthorized"),
                             ("malformed-token", "(code 404): Not Found")):
            error = self.telegram("send", "error", token=token, chatId="42", text="x")
            self.assertIn(words, error["message"])
            self.assertIn("token", error["suggestion"])
            self.assert_silent_about(token)

    def test_no_token_names_the_variables(self):
        error = self.error("telegram__send", {"chatId": "42", "text": "x"})
        self.assertEqual(error["code"], "E_TOKEN_MISSING")
        self.assertIn("TELEGRAM_BOT_TOKEN", error["message"])

    def test_a_rate_limit_is_waited_for(self):
        self.api.limits = [1]
        self.telegram("send", chatId="42", text="x")
        self.assertEqual(len(self.api.seen), 2)
        self.assertIn("waiting 1 s", self.done.err)
        self.assert_silent_about(self.api.token)

    def test_a_rate_limit_that_is_too_long_is_told(self):
        self.api.limits = [3600]
        error = self.telegram("send", "error", chatId="42", text="x")
        self.assertIn("wait 3600 s", error["message"])
        self.assertEqual(len(self.api.seen), 1)

    def test_the_operators_token_goes_only_where_the_operator_says(self):
        for variable in MESSENGER_VARIABLES[:4]:
            extra = {variable: self.api.token}
            arguments = {"chatId": "42", "text": "x", "apiBaseUrl": self.api.url}
            self.ok("telegram__send", arguments, self.api, **extra)
            self.assert_silent_about(self.api.token)
            self.api.seen.clear()
            error = self.error("telegram__send", arguments, **extra)
            self.assertEqual(error["code"], "E_TOKEN_HOST")
            self.assertIn(variable, error["message"])
            self.assertEqual(self.api.seen, [])

    def test_a_token_of_the_call_goes_where_the_policy_allows(self):
        error = self.error("telegram__send", {"token": "1:own", "chatId": "42", "text": "x",
                                              "apiBaseUrl": self.api.url})
        self.assertEqual(error["code"], "E_HOST_NOT_ALLOWED")
        self.assertEqual(self.api.seen, [])

    def test_a_token_never_shows_whatever_goes_wrong(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            self.api.host = "127.0.0.1:%d" % closed.getsockname()[1]
            for arguments in ({"token": CANARY}, {}):
                error = self.error("telegram__send", {"chatId": "42", "text": "x", "apiBaseUrl":
                                                      "http://" + self.api.host, **arguments},
                                   self.api, TELEGRAM_BOT_TOKEN=CANARY)
                self.assertEqual(error["code"], "E_NETWORK")
                self.assertIn("/bot***/sendMessage", error["message"])
                self.assert_silent_about(CANARY)


class SlackTest(MessagingTest):
    def setUp(self):
        super().setUp()
        self.api = FakeSlack().__enter__()
        self.addCleanup(self.api.__exit__)

    def slack(self, export, check="ok", **arguments):
        arguments = {"token": self.api.token, "apiBaseUrl": self.api.url + "/api", **arguments}
        if check == "ok":
            return self.ok("slack__" + export, arguments, self.api)
        return self.error("slack__" + export, arguments, self.api)

    def test_a_message_lives_from_send_to_delete(self):
        sent = self.slack("send", channelId="C01GENERAL", text="hello")
        self.assertEqual(sent, {"ok": True, "channelId": "C01GENERAL", "messageTs": "1700000000.000001",
                                "text": "hello"})
        self.assertEqual(self.slack("edit", channel="C01GENERAL", ts=sent["messageTs"], text="bye"),
                         {"ok": True, "channelId": "C01GENERAL", "messageTs": sent["messageTs"], "edited": True})
        self.assertEqual(
            self.slack("react", channelId="C01GENERAL", timestamp=sent["messageTs"], emojis=[":wave:", "wave", "+1"]),
            {"ok": True, "channelId": "C01GENERAL", "messageTs": sent["messageTs"], "emojis": ["wave", "+1"],
             "reactionCount": 2})
        found = self.slack("read", channelId="C01GENERAL", messageTs=sent["messageTs"])["found"]
        self.assertEqual([r["name"] for r in found["reactions"]], ["wave", "+1"])
        self.assertEqual(found["text"], "bye")
        self.assertEqual(self.slack("delete", channelId="C01GENERAL", messageTs=sent["messageTs"])["deleted"], True)
        self.assertEqual(self.api.channels["C01GENERAL"], [])

    def test_a_channel_is_read_in_pages_newest_first(self):
        for number in range(5):
            self.api.add_message("C01GENERAL", str(number))
        texts, cursor = [], None
        while True:
            page = self.slack("read", channelId="C01GENERAL", limit=2, **({"cursor": cursor} if cursor else {}))
            self.assertEqual(page["method"], "conversations.history")
            texts += [message["text"] for message in page["messages"]]
            cursor = page["nextCursor"]
            self.assertEqual(page["hasMore"], cursor is not None)
            if cursor is None:
                break
        self.assertEqual(texts, ["4", "3", "2", "1", "0"])

    def test_a_thread_is_answered_and_read(self):
        parent = self.api.add_message("C01GENERAL", "question")["ts"]
        self.slack("send", channelId="C01GENERAL", text="answer", threadTs=parent)
        thread = self.slack("read", channelId="C01GENERAL", threadTs=parent)
        self.assertEqual([m["text"] for m in thread["messages"]], ["question", "answer"])
        self.assertEqual(thread["method"], "conversations.replies")
        history = self.slack("read", channelId="C01GENERAL")
        self.assertEqual([m["text"] for m in history["messages"]], ["question"])

    def test_a_message_that_is_not_there_is_not_found(self):
        self.api.add_message("C01GENERAL", "x")
        page = self.slack("read", channelId="C01GENERAL", messageTs="1800000000.000000")
        self.assertIsNone(page["found"])
        self.assertEqual(page["count"], 1)

    def test_mistakes_are_told_in_the_words_of_the_service(self):
        foreign = self.api.add_message("C01GENERAL", "of a person")["ts"]
        self.api.archived.add("C02RANDOM")
        for export, arguments, words in (
                ("send", {"channelId": "C99", "text": "x"}, "channel_not_found"),
                ("send", {"channelId": "C01GENERAL", "text": " "}, "no_text"),
                ("send", {"channelId": "C02RANDOM", "text": "x"}, "is_archived"),
                ("edit", {"channelId": "C01GENERAL", "ts": foreign, "text": "x"}, "cant_update_message"),
                ("edit", {"channelId": "C01GENERAL", "ts": "1.5", "text": "x"}, "message_not_found"),
                ("delete", {"channelId": "C01GENERAL", "ts": foreign}, "cant_delete_message"),
                ("react", {"channelId": "C01GENERAL", "ts": foreign, "emojis": ["a", "a b"]}, "a b"),
                ("react", {"channelId": "C01GENERAL", "ts": foreign, "emojis": ["ok", "👍"]}, "invalid_name"),
                ("react", {"channelId": "C01GENERAL", "ts": foreign, "emoji": "ok"}, "already_reacted"),
                ("read", {"channelId": "C01GENERAL", "threadTs": "1800000000.000000"}, "thread_not_found"),
                ("read", {"channelId": "C01GENERAL", "cursor": "x"}, "invalid_cursor")):
            error = self.slack(export, "error", **arguments)
            self.assertIn(words, error["message"])
            self.assertTrue(error.get("suggestion"), error)
            self.assert_silent_about(self.api.token)

    def test_a_token_that_slack_does_not_know(self):
        error = self.slack("send", "error", token=CANARY, channelId="C01GENERAL", text="x")
        self.assertEqual(error["message"], "[slack] chat.postMessage failed: invalid_auth")
        self.assert_silent_about(CANARY)

    def test_a_rate_limit_is_waited_for(self):
        self.api.limits = [1]
        self.slack("send", channelId="C01GENERAL", text="x")
        self.assertEqual(len(self.api.channels["C01GENERAL"]), 1)
        self.assertIn("waiting 1 s", self.done.err)
        self.api.limits = [3600]
        self.assertIn("wait 3600 s", self.slack("send", "error", channelId="C01GENERAL", text="x")["message"])

    def test_a_file_is_returned_and_saved(self):
        content = b"\x89PNG" + bytes(range(256))
        url = self.api.add_file("a.png", content)
        result = self.slack("downloadFile", url=url, outputPath="a.png")
        self.assertEqual(base64.b64decode(result["base64"]), content)
        self.assertEqual(result["dataUrl"], "data:image/png;base64," + result["base64"])
        self.assertEqual(result["contentLength"], len(content))
        self.assertEqual(result["contentDisposition"], 'attachment; filename="a.png"')
        self.assertEqual((self.folder / "a.png").read_bytes(), content)
        error = self.slack("downloadFile", "error", url=url, maxBytes=10)
        self.assertEqual(error["message"], "Slack file exceeds maxBytes limit (260 > 10)")

    def test_a_page_to_sign_in_is_not_the_file(self):
        url = self.api.add_file("a.png", b"x")
        error = self.slack("downloadFile", "error", url=url, token=CANARY, savePath="a.png")
        self.assertIn("a page to sign in", error["message"])
        self.assertFalse((self.folder / "a.png").exists())
        self.assert_silent_about(CANARY)

    def test_a_token_for_files_goes_only_to_slack(self):
        url = self.api.add_file("a.png", b"x")
        for arguments, extra in (({"token": CANARY}, {}), ({}, {"SLACK_BOT_TOKEN": CANARY})):
            error = self.error("slack__downloadFile", {"url": url, **arguments}, **extra)
            self.assertEqual(error["code"], "E_TOKEN_HOST")
            self.assert_silent_about(CANARY)
        self.assertEqual(self.api.seen, [])

    def test_a_redirect_takes_no_token_along(self):
        class Elsewhere(FakeApi):
            def handle(self, seen):
                return Reply(b"other", headers={"Content-Type": "image/png"})

        with Elsewhere() as other:
            self.api.redirects["/files-pri/T01-F01/a.png"] = other.url + "/cdn/a.png"
            result = self.ok("slack__downloadFile", {"token": self.api.token, "url":
                                                     self.api.url + "/files-pri/T01-F01/a.png"}, self.api, other)
            self.assertEqual(base64.b64decode(result["base64"]), b"other")
            self.assertNotIn("authorization", other.seen[0].headers)
            self.api.redirects["/api/chat.postMessage"] = other.url + "/api/chat.postMessage"
            error = self.error("slack__send", {"token": self.api.token, "apiBaseUrl": self.api.url + "/api",
                                               "channelId": "C01GENERAL", "text": "x"}, self.api, other)
            self.assertIn("HTTP 302", error["message"])
            self.assertEqual(len(other.seen), 1)

    def test_the_operators_token_goes_only_where_the_operator_says(self):
        for variable in MESSENGER_VARIABLES[4:]:
            extra = {variable: self.api.token}
            arguments = {"channelId": "C01GENERAL", "text": "x", "apiBaseUrl": self.api.url + "/api"}
            self.ok("slack__send", arguments, self.api, **extra)
            self.assert_silent_about(self.api.token)
            self.api.seen.clear()
            error = self.error("slack__send", arguments, **extra)
            self.assertEqual(error["code"], "E_TOKEN_HOST")
            self.assertEqual(self.api.seen, [])

    def test_an_odd_character_in_an_answer_hides_no_message(self):
        class Odd(FakeApi):
            def handle(self, seen):
                return Reply(b'\xef\xbb\xbf{"ok":false,"ok":true,"ts":"1.1","message":{"text":"\\ud83d cut \xff"}}')

        with Odd() as odd:
            output = self.ok("slack__send", {"token": CANARY, "apiBaseUrl": odd.url, "channelId": "C1",
                                             "text": "x"}, odd)
            self.assertEqual(output["text"], "\ufffd cut \ufffd")
            self.assertEqual(output["messageTs"], "1.1")

    def test_a_download_does_not_look_at_the_base_of_the_api(self):
        url = self.api.add_file("a.png", b"x")
        output = self.ok("slack__downloadFile", {"url": url, "apiBaseUrl": "https://mirror.example/api"}, self.api,
                         SLACK_BOT_TOKEN=self.api.token)
        self.assertEqual(output["sizeBytes"], 1)

    def test_an_answer_that_repeats_the_token_is_masked(self):
        class Echo(FakeApi):
            def handle(self, seen):
                token = seen.headers["authorization"].removeprefix("Bearer ")
                encoded = base64.b64encode(b"user:" + token.encode()).decode()
                return Reply({"ok": True, "ts": "1.1", "channel": token, "message": {"text": "echo " + encoded}})

        with Echo() as echo:
            output = self.ok("slack__send", {"token": CANARY, "apiBaseUrl": echo.url, "channelId": "C1",
                                             "text": "x"}, echo)
            self.assertEqual(output["channelId"], "[redacted]")
            self.assert_silent_about(CANARY)


if __name__ == "__main__":
    main()
