// Modules of the bundle: loading them, and finding the handlers of a tool in them.
import { pathToFileURL } from 'node:url';

import { failure } from './errors.mjs';
import { placeOf } from './places.mjs';

export class Modules {
  #loaded = new Map();

  async load({ module, path, kind, dialect, place }) {
    const exports = await importFile(path);
    const found = kind === 'tool' ? handlersOf(exports, path) : registerOf(exports, path);
    this.#loaded.set(module, { found, author: { dialect, place: place ?? undefined } });
    return kind === 'tool' ? { handlers: [...found.keys()] } : {};
  }

  handler(module, name) {
    const found = this.#get(module).found.get(name);
    if (found !== undefined) return found;
    throw failure(`the module has no handler '${name}'`, { code: 'E_TOOL_NOT_FOUND', name: 'ToolNotFoundError' });
  }

  register(module) {
    return this.#get(module).found;
  }

  // Of a tool's module: its dialect, and in which place it runs.
  author(module) {
    return this.#get(module).author;
  }

  #get(module) {
    const found = this.#loaded.get(module);
    if (found !== undefined) return found;
    throw failure(`the module ${module} has not been loaded`, { code: 'E_EXT_LOAD', name: 'ExtensionError' });
  }
}

function handlersOf(exports, path) {
  const handlers = exports.handlers ?? exports.default?.handlers ?? exports.default;
  if (typeof handlers !== 'object' || handlers === null) {
    throw notLoaded(`${path} does not export 'handlers'`, 'Write: export const handlers = { name: async (ctx, input) => … };');
  }
  // A map, so that a call of `constructor` finds nothing.
  return new Map(Object.entries(handlers).filter(([, handler]) => typeof handler === 'function'));
}

function registerOf(exports, path) {
  const register = exports.register ?? exports.default?.register ?? exports.default;
  if (typeof register === 'function') return register;
  throw notLoaded(`${path} does not export a function 'register'`, 'Write: export function register(api, config) { … }');
}

async function importFile(path) {
  try {
    return await import(pathToFileURL(path).href);
  } catch (thrown) {
    const first = thrown?.errors?.[0] ?? thrown; // Bun gathers wrong syntax
    const advice = /[?\\\ufffd]/.test(path) ? UNUSUAL_PATH : adviceFor(first);
    throw notLoaded(`cannot load ${path}: ${first?.message ?? first}${placeOf(first, path)}`, advice);
  }
}

const UNUSUAL_PATH = "Move it: not every runtime imports from paths with '?', '\\' or bytes that are no UTF-8.";

const ADVICE = {
  ERR_UNKNOWN_FILE_EXTENSION: 'Install Bun, or Node 22.6 or later, to run TypeScript.',
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: 'Node only takes types away. Write it without enum, namespace and parameter properties, or install Bun.',
  ERR_INVALID_TYPESCRIPT_SYNTAX: 'Correct the syntax; `tsc --noEmit` shows more.',
  ERR_MODULE_NOT_FOUND: 'Correct the import, or install the package into the bundle: npm install NAME',
  MODULE_NOT_FOUND: 'Correct the import, or install the package into the bundle: npm install NAME',
  ERR_IMPORT_ATTRIBUTE_MISSING: "Write: import data from './data.json' with { type: 'json' };",
  ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING: 'Node runs packages as JavaScript only. Install Bun, or the package in a form that is compiled.',
};

function adviceFor(thrown) {
  if (ADVICE[thrown?.code]) return ADVICE[thrown.code];
  if (thrown?.name === 'BuildMessage') return 'Correct the syntax.';
  if (thrown?.name === 'ResolveMessage') return ADVICE.MODULE_NOT_FOUND;
  if (thrown?.name !== 'SyntaxError') return undefined;
  if (/does not provide an export named/.test(thrown.message)) return 'If it is a type, write: import type { … }';
  if (/^Unexpected token 'export'|^Cannot use import statement/.test(thrown.message)) {
    return 'A package.json says "type": "commonjs". Write "module" there, or let the name end in .mjs or .mts.';
  }
  return undefined;
}

function notLoaded(message, suggestion) {
  return failure(message, { name: 'ExtensionError', code: 'E_EXT_LOAD', suggestion });
}
