"""Bad input of every kind: a clear error, nothing lost, no crash, no hang."""
import os
import pathlib
import shutil

from support import AGENT, HEAD, GdnTest, main

TOOL = HEAD + "kind: Tool\nmetadata: {{ name: {name} }}\nspec: {{ entry: {entry}, exports: [ {{ name: {export}, parameters: {parameters} }} ] }}\n"


def tool(name="t", entry="./t.cc", export="x", parameters="{ type: object }"):
    return TOOL.format(name=name, entry=entry, export=export, parameters=parameters)


class Bundles(GdnTest):
    def check(self, code, *words):
        done = self.gdn("validate", *words, "--format", "json")
        self.assertEqual(done.code, 4, done.out)
        self.assertIn(code, [error["code"] for error in done.json["errors"]], done.out)
        for command in (["tools"], ["call", "t__x"]):
            other = self.gdn(*command, *(["--bundle", words[0]] if words else []))
            self.assertIn(other.code, (3, 1), other.err)
            self.assertTrue(other.err.startswith("error:"), other.err)
            self.assertEqual(other.out, "")

    def test_yaml_that_is_none(self):
        cases = {
            "empty": (b"", "E_CONFIG_KIND_MISSING"),
            "only comments": (b"# nothing\n---\n", "E_CONFIG_KIND_MISSING"),
            "binary": (bytes(range(256)) * 20, "E_CONFIG_PARSE_ERROR"),
            "invalid utf-8": (b"kind: \xff\xfe\n", "E_CONFIG_PARSE_ERROR"),
            "nul": (b"kind: a\0b\n", "E_CONFIG_PARSE_ERROR"),
            "10 MB": (b"a: " + b"x" * 10_000_000, "E_CONFIG_FILE_TOO_LARGE"),
            "deep flow": (b"a: " + b"[" * 50_000 + b"]" * 50_000, "E_CONFIG_TOO_DEEP"),
            "deep block": ("\n".join(" " * i + "a:" for i in range(500)).encode(), "E_CONFIG_TOO_DEEP"),
            "half-written": (b"apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: { name: t", "E_CONFIG_PARSE_ERROR"),
            "half a string": (b"kind: \"Tool\nmetadata: x\n", "E_CONFIG_PARSE_ERROR"),
            "tab": (b"kind:\n\t- a\n", "E_CONFIG_PARSE_ERROR"),
            "duplicate key": (b"kind: Tool\nkind: Model\n", "E_CONFIG_DUPLICATE_KEY"),
            "many documents": (b"---\na: 1\n" * 101, "E_CONFIG_TOO_MANY_DOCUMENTS"),
            "laughs": (b"a: &a [x,x,x,x,x,x,x,x,x,x]\n" + b"".join(
                b"%c: &%c [%s]\n" % (98 + i, 98 + i, b",".join([b"*" + bytes([97 + i])] * 10)) for i in range(9)), "E_CONFIG_ALIAS_LIMIT"),
        }
        for name, (content, code) in cases.items():
            with self.subTest(name):
                (self.folder / "goondan.yaml").write_bytes(content)
                self.check(code)

    def test_a_place_that_is_no_bundle(self):
        self.check("E_CONFIG_FILE_NOT_FOUND", "missing")
        (self.folder / "dir").mkdir()
        self.check("E_CONFIG_FILE_NOT_FOUND", "dir")
        (self.folder / "file.txt").write_text("hello")
        done = self.gdn("validate", "file.txt")
        self.assertEqual(done.code, 4)
        (self.folder / "dir" / "goondan.yaml").mkdir()
        self.check("E_CONFIG_FILE_UNREADABLE", "dir")

    def test_entries_that_lead_out_of_the_bundle(self):  # REQ: RES-4
        self.write({"outside.cc": "", "b/t.cc": ""})
        os.symlink("../outside.cc", self.folder / "b" / "link.cc")
        for entry in ("../outside.cc", str(self.folder / "outside.cc"), "./link.cc", "./sub/../../outside.cc"):
            with self.subTest(entry):
                self.write({"b/goondan.yaml": tool(entry=entry)})
                self.check("E_CONFIG_ENTRY_OUTSIDE_BUNDLE", "b")
        self.write({"b/goondan.yaml": tool(entry="./none.cc")})
        self.check("E_CONFIG_ENTRY_NOT_FOUND", "b")
        self.write({"b/goondan.yaml": tool(entry="./t.py"), "b/t.py": ""})
        self.check("E_CONFIG_SCHEMA_INVALID", "b")

    def test_names(self):  # REQ: RES-6, RES-7, RES-8, DEC-12
        self.write({"t.cc": ""})
        for text, code in ((tool(name="a__b"), "E_CONFIG_SCHEMA_INVALID"), (tool(export="x__y"), "E_CONFIG_SCHEMA_INVALID"),
                           (tool(name="'a b'"), "E_CONFIG_INVALID_NAME"), (tool(name="날씨"), "E_CONFIG_INVALID_NAME"),
                           (tool(export="'x y'"), "E_CONFIG_INVALID_NAME"), (tool(name="a_"), "E_CONFIG_INVALID_NAME"), (tool(name="n" * 65), "E_CONFIG_NAME_TOO_LONG"),
                           (tool() + "---\n" + tool(), "E_CONFIG_DUPLICATE_NAME")):
            with self.subTest(text[:80]):
                self.write({"goondan.yaml": text})
                self.check(code)

    def test_parameters_that_are_no_schema(self):  # REQ: RES-11
        self.write({"t.cc": ""})
        for parameters in ("12", "[a]", "{ type: string }", "{ type: object, properties: [] }", "{ type: object, required: name }",
                           "{ type: object, properties: { a: { type: 12 } } }", "{ type: object, properties: { a: { $ref: 'https://example.com/x' } } }",
                           "{ type: object, properties: { a: { pattern: '(?=x)y' } } }", "{ type: object, properties: { a: { pattern: '[' } } }"):
            with self.subTest(parameters):
                self.write({"goondan.yaml": tool(parameters=parameters)})
                self.check("E_CONFIG_PARAMETERS_INVALID")


class Arguments(GdnTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.write_tool("t", [("x", {"type": "object", "properties": {"s": {"type": "string"}}})],
                        'Result<Json> x(ToolContext&, const JsonObject& input) { return Json(input.size()); }\nGDN_PLUGIN({"x", x})\n')

    def test_arguments_that_are_no_object(self):  # REQ: CALL-5
        for text in ("nope", "[1]", "5", "null", '"text"', "{", '{"a":1}x', '{"a":1,"a":2}', '{"s":5}', "[" * 100_000, "\xff"):
            with self.subTest(text[:20]):
                done = self.gdn("call", "t__x", "--input", "-", "--json", stdin=text.encode("latin-1"))
                self.assertEqual(done.code, 1, done.err)
                self.assertEqual(done.json["error"]["code"], "E_TOOL_INVALID_ARGS")

    def test_a_hundred_megabytes_are_refused(self):
        done = self.gdn("call", "t__x", "--input", "-", "--json", stdin=b'{"s":"' + b"x" * 100_000_000 + b'"}')
        self.assertEqual(done.json["error"]["code"], "E_TOOL_INVALID_ARGS")
        self.assertIn("limit", done.json["error"]["message"])

    def test_large_arguments_within_the_limit_are_fine(self):
        done = self.gdn("call", "t__x", "--input", "-", "--json", stdin=b'{"s":"' + b"x" * 10_000_000 + b'"}')
        self.assertEqual(done.json["output"], 1, done.err)


class Plugins(GdnTest):
    def failure(self, content):
        self.write({"goondan.yaml": tool(entry="./t.so")})
        (self.folder / "t.so").write_bytes(content)
        done = self.gdn("call", "t__x")
        self.assertEqual(done.code, 3, done.err)
        return done.err

    def test_files_that_are_no_plugin(self):
        self.assertIn("E_PLUGIN_LOAD", self.failure(b""))
        self.assertIn("E_PLUGIN_LOAD", self.failure(b"#!/bin/sh\n"))
        self.assertIn("E_PLUGIN_LOAD", self.failure(b"\x7fELF\x02\x01\x01" + b"\0" * 9))

    def test_another_architecture_is_named(self):
        library = bytearray(pathlib.Path(shutil.which("true")).read_bytes())
        library[18:20] = (183).to_bytes(2, "little")  # e_machine: aarch64
        text = self.failure(bytes(library))
        self.assertIn("E_PLUGIN_ARCHITECTURE", text)
        self.assertIn("aarch64", text)

    def test_an_unreadable_bundle_does_not_run_half(self):
        self.write_tool("t", ["x"], 'Result<Json> x(ToolContext&, const JsonObject&) { return Json(1); }\nGDN_PLUGIN({"x", x})\n')
        self.write({"more/tool.yaml": "kind: [broken"})
        done = self.gdn("call", "t__x")
        self.assertEqual(done.code, 3)
        self.assertIn("more/tool.yaml", done.err)


if __name__ == "__main__":
    main()
