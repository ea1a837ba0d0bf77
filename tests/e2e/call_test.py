"""gdn call: arguments, results, plugins that misbehave."""
from support import AGENT, HEAD, GdnTest, main

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}, "n": {"type": "integer"}}, "required": ["text"], "additionalProperties": False}
ECHO = """
Result<Json> echo(ToolContext&, const JsonObject& input) { return Json(input); }
Result<Json> where(ToolContext& context, const JsonObject&) { return Json(context.workdir()); }
GDN_PLUGIN({"echo", echo}, {"where", where})
"""


class Arguments(GdnTest):
    def setUp(self):
        super().setUp()
        self.write_tool("e", [("echo", SCHEMA), "where"], ECHO)

    def test_takes_pairs_json_and_standard_input(self):
        want = {"text": "a", "n": 3}
        self.assertEqual(self.gdn("call", "e__echo", "text=a", "n=3", "--json").json["output"], want)
        self.assertEqual(self.gdn("call", "e__echo", "--input", '{"text":"a","n":3}', "--json").json["output"], want)
        self.assertEqual(self.gdn("call", "e__echo", "--input", "-", "--json", stdin=b'{"text":"a","n":3}').json["output"], want)

    def test_prints_the_whole_result_object(self):
        done = self.gdn("call", "e__echo", "text=a", "--json")
        self.assertEqual(done.json, {"toolCallId": "call_1", "toolName": "e__echo", "status": "ok", "output": {"text": "a"}})
        self.assertEqual((done.code, done.err, done.out.count("\n")), (0, "", 1))

    def test_wrong_arguments_are_what_a_model_would_be_told(self):  # REQ: CALL-5
        done = self.gdn("call", "e__echo", "txt=a", "n=x", "--json")
        self.assertEqual(done.code, 1)
        error = done.json["error"]
        self.assertEqual(error["code"], "E_TOOL_INVALID_ARGS")
        self.assertEqual(error["message"], "Invalid arguments for tool 'e__echo': args.text: required property is missing; "
                                           "args.txt: unexpected property; args.n: expected integer but got string")
        self.assertIn("did you mean text?", error["suggestion"])

    def test_an_unknown_tool_suggests_the_nearest(self):  # REQ: CALL-1
        error = self.gdn("call", "e__ehco", "--json").json["error"]
        self.assertEqual(error["code"], "E_TOOL_NOT_IN_CATALOG")
        self.assertIn("e__echo", error["suggestion"])

    def test_the_workdir_is_what_was_asked_for(self):  # REQ: CTX-1
        self.assertEqual(self.gdn("call", "e__where", "--json").json["output"], str(self.folder))
        self.assertEqual(self.gdn("call", "e__where", "--workdir", "/", "--json").json["output"], "/")
        self.assertEqual(self.gdn("call", "e__where", "--workdir", "/nowhere").code, 2)

    def test_mistakes_on_the_command_line_are_usage_errors(self):
        self.assertEqual(self.gdn("call", "e__echo", "text").code, 2)
        self.assertEqual(self.gdn("call", "e__echo", "text=a", "--input", "{}").code, 2)
        self.assertEqual(self.gdn("call", "e__echo", "text:=a").code, 2)

    def test_built_in_tools_are_there_beside_the_bundles_own(self):  # REQ: BLT-1
        done = self.gdn("call", "text-transform__case", "text=abc", "to=upper", "--json")
        self.assertEqual(done.json["output"]["result"], "ABC")

    def test_built_in_tools_of_the_first_dialect(self):  # REQ: BLT-6 NAME-3
        for tool in self.gdn("tools", "--json").json:
            if "__" not in tool["name"]:
                done = self.gdn("call", tool["name"], "--input", "{}", "--json")
                self.assertNotEqual(done.json.get("error", {}).get("code"), "E_TOOL_NOT_FOUND", tool["name"])
        done = self.gdn("call", "file.write", "path=a.txt", "content=hello", "--workdir", ".", "--json")
        self.assertEqual((done.code, (self.folder / "a.txt").read_text()), (0, "hello"), done.err)

    def test_a_bundle_is_not_written_to_by_its_tools(self):
        words = ("call", "file-system__write", "path=new.txt", "content=x", "--json")
        self.assertEqual(self.gdn(*words).json["error"]["code"], "E_PATH_READ_ONLY")
        self.assertFalse((self.folder / "new.txt").exists())
        self.assertEqual(self.gdn(*words, "--allow-root", ".:rw").json["status"], "ok")
        self.assertEqual(self.gdn(*words, "--workdir", ".").json["status"], "ok")
        # A workdir that merely holds the bundle is no leave to change it.
        inside = ("call", "file-system__write", f"path={self.folder.name}/goondan.yaml", "content=x", "--json",
                  "--bundle", ".", "--workdir", "..")
        self.assertEqual(self.gdn(*inside).json["error"]["code"], "E_PATH_READ_ONLY")

    def test_what_a_bundle_grants_is_said(self):
        self.write({"granting/goondan.yaml": AGENT.replace("entryAgent: Agent/a,", "entryAgent: Agent/a, policy: { http: { allow: [ 'h.test:1' ] } },")})
        done = self.gdn("call", "file-system__list", "--json", cwd=self.folder / "granting")
        self.assertIn("grants h.test:1", done.err)

    def test_a_folder_or_host_that_is_none_is_a_usage_error(self):
        words = ("call", "file-system__list")
        self.assertEqual(self.gdn(*words, "--allow-root", "/nowhere").code, 2)
        self.assertEqual(self.gdn(*words, "--allow-host", "a b").code, 3)
        self.assertEqual(self.gdn(*words, "--pass-env", "A=B").code, 2)

    def test_without_a_bundle_it_says_what_to_do(self):
        (self.folder / "empty").mkdir()
        done = self.gdn("call", "e__echo", cwd=self.folder / "empty")
        self.assertEqual(done.code, 3)
        self.assertIn("gdn init", done.err)
        slip = self.gdn("call", "bash__exc", cwd=self.folder / "empty")
        self.assertIn("Did you mean bash__exec?", slip.err)


MISBEHAVING = """
#include <csignal>
#include <cstdio>
#include <cstdlib>
Result<Json> segfault(ToolContext&, const JsonObject&) { std::raise(SIGSEGV); return Json(1); }
Result<Json> abort_(ToolContext&, const JsonObject&) { std::abort(); }
Result<Json> exit_(ToolContext&, const JsonObject&) { std::exit(3); }
Result<Json> loop(ToolContext&, const JsonObject&) { for (volatile int i = 0;; i = 1) {} }
Result<Json> throws(ToolContext&, const JsonObject&) { throw std::runtime_error("boom"); }
Result<Json> throws_int(ToolContext&, const JsonObject&) { throw 1; }
Result<Json> error(ToolContext&, const JsonObject&) {
  return Error{.code = ErrorCode::Tool, .message = "no channel", .suggestion = "Join it first.", .custom_code = "E_CHANNEL", .custom_name = "SlackApiError"};
}
Result<Json> print(ToolContext& context, const JsonObject&) { std::puts("stray"); context.log(LogLevel::Info, "logged"); return Json("fine"); }
Result<Json> pending(ToolContext&, const JsonObject&) { return JsonObject{{"__async", true}, {"handle", "job-7"}, {"message", "started"}}; }
Result<Json> request(ToolContext& context, const JsonObject&) { return context.request("agents.catalog", JsonObject{}); }
GDN_PLUGIN({"segfault", segfault}, {"abort", abort_}, {"exit", exit_}, {"loop", loop}, {"throws", throws}, {"throws-int", throws_int},
           {"error", error}, {"print", print}, {"pending", pending}, {"request", request})
"""
EXPORTS = ["segfault", "abort", "exit", "loop", "throws", "throws-int", "error", "print", "pending", "request"]


class Misbehaving(GdnTest):
    def setUp(self):
        super().setUp()
        self.write_tool("bad", EXPORTS, MISBEHAVING)

    def error_of(self, export, *words):
        done = self.gdn("call", f"bad__{export}", "--json", *words)
        self.assertEqual(done.code, 1, done.err)
        return done.json["error"]

    def test_a_crash_names_the_signal(self):
        for export, name in (("segfault", "SIGSEGV"), ("abort", "SIGABRT")):
            error = self.error_of(export)
            self.assertEqual(error["code"], "E_TOOL_CRASH")
            self.assertIn(name, error["message"])

    def test_an_exit_is_a_crash_too(self):
        error = self.error_of("exit")
        self.assertEqual(error["code"], "E_TOOL_CRASH")
        self.assertIn("exit", error["message"])
        self.assertIn("3", error["message"])

    def test_an_endless_loop_is_a_timeout(self):  # REQ: CALL-10
        error = self.error_of("loop", "--timeout-ms", "300")
        self.assertEqual(error["code"], "E_TOOL_TIMEOUT")

    def test_exceptions_and_errors_become_results(self):  # REQ: CALL-3
        self.assertEqual(self.error_of("throws")["message"], "boom")
        self.assertEqual(self.error_of("throws-int")["message"], "Unknown tool execution error")
        self.assertEqual(self.error_of("error"), {"code": "E_CHANNEL", "name": "SlackApiError", "message": "no channel", "suggestion": "Join it first."})

    def test_stray_output_does_not_spoil_the_result(self):
        done = self.gdn("call", "bad__print", "--json")
        self.assertEqual(done.json["output"], "fine")
        self.assertIn("stray", done.err)
        self.assertIn("logged", done.err)

    def test_a_pending_result_is_no_error(self):  # REQ: CALL-6
        done = self.gdn("call", "bad__pending", "--json")
        self.assertEqual(done.code, 0)
        self.assertEqual(done.json, {"toolCallId": "call_1", "toolName": "bad__pending", "status": "pending", "handle": "job-7", "output": {"message": "started"}})

    def test_there_is_no_runtime_without_an_agent(self):
        self.assertEqual(self.error_of("request")["code"], "E_RUNTIME_UNAVAILABLE")


class InProcess(GdnTest):
    def test_runs_in_the_process_and_still_turns_failures_into_results(self):
        self.write_tool("bad", EXPORTS, MISBEHAVING, isolation="inProcess")
        self.assertEqual(self.gdn("call", "bad__throws", "--json").json["error"]["message"], "boom")
        loop = self.gdn("call", "bad__loop", "--json", "--timeout-ms", "300")
        self.assertEqual(loop.json["error"]["code"], "E_TOOL_TIMEOUT")
        self.assertIn("left running", loop.json["error"]["message"])


class Loading(GdnTest):
    def failure(self, *words):
        done = self.gdn("call", *words)
        self.assertEqual(done.code, 3, done.err)
        self.assertEqual(done.out, "")
        return done.err

    def test_a_missing_handler_is_named(self):  # REQ: RES-10
        self.write_tool("t", ["one", "two"], 'Result<Json> one(ToolContext&, const JsonObject&) { return Json(1); }\nGDN_PLUGIN({"one", one})\n')
        self.assertIn("E_PLUGIN_HANDLER_MISSING", self.failure("t__one"))

    def test_a_handler_with_no_export_is_named(self):
        self.write_tool("t", ["one"], 'Result<Json> one(ToolContext&, const JsonObject&) { return Json(1); }\nGDN_PLUGIN({"one", one}, {"two", one})\n')
        self.assertIn("E_PLUGIN_HANDLER_UNDECLARED", self.failure("t__one"))

    def test_a_source_that_does_not_compile_shows_the_compiler_error(self):
        self.write_tool("t", ["one"], "this is no C++\n")
        text = self.failure("t__one")
        self.assertIn("E_PLUGIN_BUILD", text)
        self.assertIn("t.cc:", text)

    def test_a_change_of_the_source_is_built_again(self):
        source = 'Result<Json> one(ToolContext&, const JsonObject&) { return Json(%d); }\nGDN_PLUGIN({"one", one})\n'
        for number in (1, 2):
            self.write_tool("t", ["one"], source % number)
            self.assertEqual(self.gdn("call", "t__one", "--json").json["output"], number)

    def test_a_javascript_tool_says_that_it_cannot_run_yet(self):
        self.write({"goondan.yaml": HEAD + "kind: Tool\nmetadata: { name: js }\nspec: { entry: ./t.ts, exports: [ { name: x } ] }\n", "t.ts": "export const handlers = {};"})
        self.assertIn("E_HOST_UNAVAILABLE", self.gdn("call", "js__x").err)


if __name__ == "__main__":
    main()
