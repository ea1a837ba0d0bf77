#!/usr/bin/env python3
"""The types of @goondan/types, checked by the TypeScript compiler over the seeds' examples and over right and wrong
uses."""
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from npm_packages import NODE, ROOT, TSC, needed

TYPES = ROOT / "script-host" / "types"
SEEDS = ROOT / "tests" / "data" / "seeds"
TYPESCRIPT = ROOT / "tests" / "data" / "typescript"
DEADLINE = 120

COMPILER_OPTIONS = {
    "strict": True,
    "noEmit": True,
    "target": "ES2023",
    "module": "ESNext",
    "moduleResolution": "Bundler",
    "allowImportingTsExtensions": True,
    "lib": ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    "types": [],
    "skipLibCheck": False,
    "paths": {"@goondan/types": [str(TYPES / "index.d.ts")], "@goondan/core": [str(TYPES / "index.d.ts")]},
}


class Types(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def tsc(self, files, **options):
        config = {"compilerOptions": COMPILER_OPTIONS | options, "files": [str(file) for file in files]}
        (self.folder / "tsconfig.json").write_text(json.dumps(config))
        return self.compile()

    def compile(self):
        done = subprocess.run([needed(NODE), needed(TSC), "--project", self.folder], stdout=subprocess.PIPE, timeout=DEADLINE)
        return done.returncode, done.stdout.decode()

    def assert_compiles(self, files, **options):
        code, text = self.tsc(files, **options)
        self.assertEqual((code, text), (0, ""))

    def test_the_types_themselves_compile(self):
        self.assert_compiles(sorted(TYPES.glob("*.d.ts")))

    # REQ: RES-10, MW-1, MW-4
    def test_the_seeds_examples_compile_as_they_are(self):
        examples = sorted(SEEDS.glob("**/*.ts"))
        self.assertGreaterEqual(len(examples), 9)
        self.assert_compiles([*examples, TYPES / "bun.d.ts", TYPES / "global.d.ts", TYPESCRIPT / "node_path.d.ts"])

    def test_right_uses_compile_and_every_wrong_one_is_found(self):
        self.assert_compiles(sorted(TYPESCRIPT.glob("*.ts")), noUncheckedIndexedAccess=True,
                             noPropertyAccessFromIndexSignature=True, exactOptionalPropertyTypes=True)

    def test_what_gdn_new_tool_writes_compiles(self):
        templates = ROOT / "src" / "cli" / "templates"
        options = (templates / "tsconfig.json").read_text().replace("@NAME@", str(TYPES))
        (self.folder / "tsconfig.json").write_text(options)
        (self.folder / "index.ts").write_text((templates / "index.ts").read_text())
        self.assertEqual(self.compile(), (0, ""))

    def test_without_the_expectations_the_wrong_uses_do_not_compile(self):
        wrong = (TYPESCRIPT / "mistakes.ts").read_text()
        marks = wrong.count("// @ts-expect-error")
        file = self.folder / "mistakes.ts"
        file.write_text(wrong.replace("// @ts-expect-error", "//"))
        code, text = self.tsc([file])
        self.assertEqual((code, len(re.findall(r"\berror TS\d+", text)) >= marks), (2, True), text)

    def test_every_name_has_its_empty_value_for_imports_without_the_word_type(self):
        index = (TYPES / "index.d.ts").read_text()
        declared = set()
        for module in re.findall(r"from './(\w+)'", index):
            text = (TYPES / f"{module}.d.ts").read_text()
            declared |= set(re.findall(r"^export (?:type|interface) (\w+)", text, re.M))
        given = set(re.findall(r"none as (\w+)", (TYPES / "index.mjs").read_text()))
        self.assertEqual(given, declared)


if __name__ == "__main__":
    unittest.main()
