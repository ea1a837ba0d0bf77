"""validate, tools, init, new, explain, completion, and how gdn answers mistakes."""
import json
import subprocess

from support import AGENT, GDN, HEAD, GdnTest, main

PACKAGE = HEAD + "kind: Package\nmetadata: { name: demo }\nspec: { version: '0.1.0' }\n---\n"


class Usage(GdnTest):
    def test_an_unknown_command_is_a_usage_error_with_a_hint(self):
        done = self.gdn("valdate")
        self.assertEqual(done.code, 2)
        self.assertIn("there is no command 'valdate'", done.err)
        self.assertIn("Did you mean `gdn validate`?", done.err)
        self.assertEqual(done.out, "")

    def test_no_command_is_a_usage_error(self):
        self.assertEqual(self.gdn().code, 2)

    def test_help_and_version_go_to_standard_output(self):
        version = self.gdn("--version")
        self.assertEqual((version.code, version.err), (0, ""))
        self.assertRegex(version.out, r"^gdn \d+\.\d+\.\d+ \(plugin ABI 1\)\n$")
        for words in ([], ["call"], ["tools"], ["validate"], ["init"], ["new", "tool"], ["doctor"], ["explain"], ["completion"]):
            done = self.gdn(*words, "--help")
            self.assertEqual((done.code, done.err), (0, ""), words)
            self.assertIn("Usage", done.out)

    def test_a_bad_option_value_is_a_usage_error(self):
        for words in (["validate", ".", "--format", "invalid"], ["call", "a__b", "--timeout-ms", "soon"],
                      ["tools", "--format", "xml"], ["new", "tool", "x", "--lang", "cobol"], ["completion", "csh"]):
            done = self.gdn(*words)
            self.assertEqual(done.code, 2, words)
            self.assertIn("error:", done.err)


class Output(GdnTest):
    def test_output_that_nobody_gets_is_an_error(self):
        self.write({"goondan.yaml": PACKAGE + AGENT})
        for words in (["validate"], ["explain", "E_IO"], ["tools", "--json"]):
            for redirection in (">/dev/full", ">&-"):
                done = subprocess.run(["sh", "-c", f'"$0" "$@" {redirection}', GDN, *words], cwd=self.folder, env=self.environment(),
                                      stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 1, (words, redirection))
                self.assertIn(b"standard output could not be written", done.stderr)


class Validate(GdnTest):
    def test_a_good_bundle(self):
        self.write({"goondan.yaml": PACKAGE + AGENT})
        self.assertEqual(self.gdn("validate", ".").code, 0)
        done = self.gdn("validate", ".", "--format", "json")
        self.assertEqual(done.code, 0)
        self.assertEqual((done.json["valid"], done.json["errors"]), (True, []))

    def test_a_missing_swarm_is_a_warning_and_an_error_with_strict(self):
        self.write({"goondan.yaml": PACKAGE + HEAD + "kind: Model\nmetadata: { name: m }\nspec: { provider: mock, model: mm }\n"})
        done = self.gdn("validate", ".")
        self.assertEqual(done.code, 0)
        self.assertIn("SWARM_MISSING", done.out)
        self.assertEqual(self.gdn("validate", ".", "--strict").code, 4)

    def test_a_mistake_in_the_script_of_a_model_is_one_of_the_bundle(self):
        self.write({"goondan.yaml": PACKAGE + HEAD + "kind: Model\nmetadata: { name: m }\nspec: { provider: scripted, model: ./script.yaml }\n",
                    "script.yaml": "replies:\n  - text: hello\n    tims: 3\n"})
        done = self.gdn("validate", ".")
        self.assertEqual(done.code, 4)
        self.assertIn("script.yaml:3:5: error: the field `tims` is not known here [E_SCRIPT]", done.out)
        self.assertIn("Did you mean `times`?", done.out)

    def test_a_missing_bundle_is_named(self):
        done = self.gdn("validate", "nowhere")
        self.assertEqual(done.code, 4)
        self.assertIn("FILE_NOT_FOUND", done.out)

    def test_every_problem_is_reported_with_its_place(self):
        self.write({"goondan.yaml": HEAD + "kind: Tool\nmetadata: { name: t }\nspec:\n  entry: ./none.so\n  exports:\n    - name: a__b\n    - name: x y\n"})
        text = self.gdn("validate")
        self.assertEqual(text.code, 4)
        self.assertIn("goondan.yaml:5:10", text.out)
        self.assertIn("^", text.out)
        report = self.gdn("validate", "--format", "json").json
        codes = [error["code"] for error in report["errors"]]
        self.assertIn("E_CONFIG_ENTRY_NOT_FOUND", codes)
        self.assertIn("E_CONFIG_SCHEMA_INVALID", codes)
        self.assertIn("E_CONFIG_INVALID_NAME", codes)
        for error in report["errors"]:
            self.assertGreater(error["line"], 0)
            self.assertTrue(error["path"].startswith("goondan.yaml#0."), error)
            self.assertTrue(error["suggestion"], error)
        github = self.gdn("validate", "--format", "github").out
        self.assertIn("::error file=goondan.yaml,line=5,col=10", github)


class Tools(GdnTest):
    def setUp(self):
        super().setUp()
        self.write({
            "goondan.yaml": AGENT.replace("{ modelConfig: { modelRef: Model/m } }",
                                          "{ modelConfig: { modelRef: Model/m }, tools: [ { ref: Tool/one } ] }"),
            "tool.yaml": HEAD + "kind: Tool\nmetadata: { name: one }\nspec: { entry: ./one.cc, exports: [ { name: x, description: First } ] }\n---\n"
                       + HEAD + "kind: Tool\nmetadata: { name: two }\nspec: { entry: ./one.cc, exports: [ { name: y, parameters: { type: object } } ] }\n---\n"
                       + "apiVersion: agents.example.io/v1alpha1\nkind: Tool\nmetadata: { name: old }\nspec: { runtime: node, entry: ./one.cc, exports: [ { name: old.say } ] }\n",
            "one.cc": "",
        })

    def test_lists_all_or_those_of_an_agent(self):
        names = self.gdn("tools", "--names").out.split()
        self.assertEqual(names[:3], ["one__x", "two__y", "old.say"])
        self.assertIn("bash__exec", names)
        self.assertEqual(self.gdn("tools", "--agent", "a", "--names").out, "one__x\n")
        wrong = self.gdn("tools", "--agent", "b")
        self.assertEqual(wrong.code, 3)
        self.assertIn("Agents: a", wrong.err)

    def test_items_have_the_fields_of_the_specification(self):  # REQ: CAT-5
        items = self.gdn("tools", "--json").json
        self.assertEqual(items[0], {"name": "one__x", "description": "First", "source": {"type": "config", "name": "one"}})
        self.assertEqual(items[2]["tool"]["metadata"]["name"], "old")
        self.assertEqual(items[2]["export"], {"name": "old.say"})

    def test_maps_dotted_names_for_providers_only(self):  # REQ: NAME-3
        names = [item["function"]["name"] for item in self.gdn("tools", "--format", "openai").json]
        self.assertEqual(names[:3], ["one__x", "two__y", "old_say"])
        anthropic = self.gdn("tools", "--format", "anthropic").json
        self.assertEqual(anthropic[1], {"name": "two__y", "input_schema": {"type": "object"}})
        self.assertEqual([item["name"] for item in self.gdn("tools", "--format", "mcp").json][:3], ["one__x", "two__y", "old.say"])

    def test_shows_one_and_suggests_for_a_slip(self):
        self.assertIn('"type": "object"', self.gdn("tools", "two__y").out)
        slip = self.gdn("tools", "two__yy")
        self.assertEqual(slip.code, 1)
        self.assertIn("Did you mean two__y?", slip.err)


class OtherSpelling(GdnTest):
    def test_goondan_yml_is_a_bundle_too(self):
        self.write({"goondan.yml": HEAD + "kind: Tool\nmetadata: { name: t }\nspec: { entry: ./t.cc, exports: [ { name: x } ] }\n", "t.cc": ""})
        self.assertEqual(self.gdn("validate").code, 0)
        self.assertEqual(self.gdn("tools", "--names").out.split()[0], "t__x")


class InitAndNew(GdnTest):
    def test_init_writes_a_bundle_that_validates(self):
        done = self.gdn("init", "proj", "--no-git")
        self.assertEqual(done.code, 0)
        self.assertIn("goondan.yaml", done.out)
        for name in ("goondan.yaml", "prompts/default.system.md", "scripts/assistant.yaml", ".env", ".gitignore"):
            self.assertTrue((self.folder / "proj" / name).exists(), name)
        strict = self.gdn("validate", "proj", "--strict")
        self.assertEqual(strict.code, 0, strict.out)

    def test_init_takes_a_name_and_refuses_a_bad_one(self):
        self.assertEqual(self.gdn("init", "a", "--name", "@me/pkg").code, 0)
        self.assertEqual(self.gdn("validate", "a", "--strict").code, 0)
        for name in ("a: b", "a b", "", "@x", "날씨"):
            self.assertEqual(self.gdn("init", "b", "--name", name).code, 2, name)
        self.assertFalse((self.folder / "b").exists())

    def test_init_never_overwrites_unless_forced(self):
        self.write({"goondan.yaml": "mine"})
        done = self.gdn("init", ".")
        self.assertEqual(done.code, 3)
        self.assertEqual((self.folder / "goondan.yaml").read_text(), "mine")
        self.assertFalse((self.folder / ".env").exists())
        self.assertEqual(self.gdn("init", ".", "--force").code, 0)

    def test_init_can_make_a_repository(self):
        self.assertEqual(self.gdn("init", "it's here", "--git").code, 0)
        self.assertTrue((self.folder / "it's here" / ".git").is_dir())

    def test_new_tool_works_at_once(self):
        self.assertEqual(self.gdn("init").code, 0)
        self.assertEqual(self.gdn("new", "tool", "hello").code, 0)
        strict = self.gdn("validate", "--strict")
        self.assertEqual(strict.code, 0, strict.out)
        done = self.gdn("call", "hello__greet", "name=Mina", "--json")
        self.assertEqual(done.json["output"], {"greeting": "Hello, Mina!"}, done.err)
        again = self.gdn("new", "tool", "hello")
        self.assertEqual(again.code, 3)

    def test_new_tool_refuses_bad_names_and_a_missing_bundle(self):
        self.assertEqual(self.gdn("new", "tool", "hello").code, 3)
        self.gdn("init")
        for name in ("a__b", "A", "a b", "../x", "날씨", "", "x" * 60, "-x"):
            self.assertEqual(self.gdn("new", "tool", "--", name).code, 2, name)
        self.assertFalse((self.folder / "tools").exists())


class Help(GdnTest):
    def test_explains_every_code(self):
        codes = self.gdn("explain", "--names").out.split()
        self.assertGreater(len(codes), 50)
        for code in codes:
            self.assertIn("What to do:", self.gdn("explain", code).out, code)
        self.assertEqual(self.gdn("explain", "tool_timeout").code, 0)
        slip = self.gdn("explain", "E_TOOL_TIMEOUTS")
        self.assertEqual(slip.code, 2)
        self.assertIn("E_TOOL_TIMEOUT", slip.err)

    def test_completion_scripts_are_valid_shell(self):
        script = self.gdn("completion", "bash").out
        subprocess.run(["bash", "-n"], input=script.encode(), check=True)
        names = subprocess.run(
            ["bash", "-c", f'PATH={GDN.parent}:$PATH\n{script}\nCOMP_WORDS=(gdn val)\nCOMP_CWORD=1\n_gdn\necho "${{COMPREPLY[@]}}"'],
            stdout=subprocess.PIPE, check=True)
        self.assertEqual(names.stdout.decode(), "validate\n")
        for shell in ("zsh", "fish"):
            self.assertIn("gdn", self.gdn("completion", shell).out)

    def test_doctor_reports_each_check(self):
        checks = self.gdn("doctor", "--json").json["checks"]
        self.assertIn("compiler", [check["name"] for check in checks])
        for check in checks:
            self.assertIn(check["status"], ("ok", "warn", "fail"))
            if check["status"] != "ok":
                self.assertTrue(check["hint"], check)
        self.assertEqual(self.gdn("doctor").code, 0)

    def test_doctor_says_what_runs_scripts(self):
        def scripts(version):
            program = self.folder / "runtime"
            program.write_text(f"#!/bin/sh\necho {version}\n")
            program.chmod(0o755)
            done = self.gdn("doctor", "--json", GOONDAN_SCRIPT_RUNTIME=str(program))
            self.assertEqual(done.code, 0, "without scripts nothing is amiss")
            return next(check for check in done.json["checks"] if check["name"] == "scripts")

        for version, status, words in (("v24.1.0", "ok", "Node 24.1.0"), ("1.4.4", "ok", "Bun 1.4.4"),
                                       ("v20.20.2", "warn", "no TypeScript"), ("v16.0.0", "warn", "too old"),
                                       ("nonsense", "warn", "does not answer")):
            found = scripts(version)
            self.assertEqual(found["status"], status, found)
            self.assertIn(words, found["detail"])
            if status == "warn":
                self.assertIn("Bun", found["hint"])


if __name__ == "__main__":
    main()
