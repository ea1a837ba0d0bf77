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
from seed_blocks import code

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

# What the examples use of Node, whose own types are not here.
NODE_MODULES = """
type BufferEncoding = 'utf8' | 'base64' | 'hex';
declare const process: { cwd(): string };
declare module 'fs/promises' {
  export function stat(path: string): Promise<{ isFile(): boolean; size: number }>;
  export function readFile(path: string, encoding: BufferEncoding): Promise<string>;
  export function writeFile(path: string, text: string, encoding: BufferEncoding): Promise<void>;
  export function mkdir(path: string, options: { recursive: boolean }): Promise<void>;
}
declare module 'path' {
  export function isAbsolute(path: string): boolean;
  export function join(...parts: string[]): string;
  export function dirname(path: string): string;
}
"""


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
        self.assert_compiles(sorted((TYPES / "v1alpha1").glob("*.d.ts")))

    # REQ: RES-10, MW-1, MW-4
    def test_the_seeds_examples_compile_as_they_are(self):
        examples = sorted(SEEDS.glob("**/*.ts"))
        self.assertGreaterEqual(len(examples), 6)
        self.assert_compiles([*examples, TYPES / "bun.d.ts", TYPES / "global.d.ts", TYPESCRIPT / "node_path.d.ts"])

    # REQ: CTX-3, MW-3, MW-4
    def test_the_examples_of_the_first_dialect_compile_as_they_are(self):
        files = []
        for section in ("4.2", "5.4", "6.3", "7.3", "8.2", "9.2", "9.3", "11.1", "11.2", "12.2"):
            head = "declare function startBuildAsync(project: string): Promise<string>;\n" if section == "6.3" else ""
            files.append(self.folder / f"section-{section}.ts")
            files[-1].write_text(head + code(section))
        (self.folder / "node.d.ts").write_text(NODE_MODULES)
        first = TYPES / "v1alpha1"
        self.assert_compiles([*files, first / "global.d.ts", self.folder / "node.d.ts"],
                             paths={"@goondan/core": [str(first / "index.d.ts")]})

    # REQ: CTX-3
    def test_wrong_uses_of_the_first_dialect_are_found(self):
        wrong = ["ctx.oauth.getAccessToken({ scopes: [] })", "ctx.turn.toolResults.c1", "ctx.swarmBundle.open()", "ctx.step.number"]
        file = self.folder / "wrong.ts"
        file.write_text("import type { ToolContext } from '@goondan/core';\n"
                        + "".join(f"export const w{i} = (ctx: ToolContext) => {text};\n" for i, text in enumerate(wrong)))
        code_, text = self.tsc([file], paths={"@goondan/core": [str(TYPES / "v1alpha1" / "index.d.ts")]})
        found = {int(line) - 2 for line in re.findall(r"wrong\.ts\((\d+),", text)}
        self.assertEqual((code_, found), (2, set(range(len(wrong)))), text)

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
        for module in [*re.findall(r"from './(\w+)'", index), "v1alpha1/index", "v1alpha1/turn"]:
            text = (TYPES / f"{module}.d.ts").read_text()
            declared |= set(re.findall(r"^export (?:type|interface) (\w+)", text, re.M))
        given = set(re.findall(r"none as (\w+)", (TYPES / "index.mjs").read_text()))
        self.assertEqual(given, declared)


if __name__ == "__main__":
    unittest.main()
