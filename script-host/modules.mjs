// Modules of the bundle: loading them, and finding the handlers of a tool in them.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

import { failure } from './errors.mjs';

export class Modules {
  #loaded = new Map();

  async load({ module, path, kind }) {
    const exports = await importFile(path);
    const found = kind === 'tool' ? handlersOf(exports, path) : registerOf(exports, path);
    this.#loaded.set(module, found);
    return kind === 'tool' ? { handlers: [...found.keys()] } : {};
  }

  handler(module, name) {
    const found = this.#get(module).get(name);
    if (found !== undefined) return found;
    throw failure(`the module has no handler '${name}'`, { code: 'E_TOOL_NOT_FOUND', name: 'ToolNotFoundError' });
  }

  register(module) {
    return this.#get(module);
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
    throw notLoaded(`cannot load ${path}: ${first?.message ?? first}${placeOf(first, path)}`, adviceFor(first));
  }
}

// Where in the author's own code it happened, if that can be told.
function placeOf(thrown, path) {
  const { file, line: number } = thrown?.position ?? {}; // Bun, of wrong syntax: there is no stack
  if (number !== undefined) return file === path ? ` (line ${number})` : ` (${file}:${number})`;
  const line = String(thrown?.stack ?? '').split('\n').find((text) => text.includes(path) && /:\d+/.test(text));
  const found = line?.slice(line.indexOf(path) + path.length).match(/^(?::\d+){1,2}/);
  if (found) return ` (line ${found[0].slice(1)})`;
  return thrown?.name === 'SyntaxError' ? placeByChecking(path) : '';
}

// Node says where wrong syntax is only to whoever starts it with the file.
function placeByChecking(path) {
  const checked = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8', timeout: 5_000 });
  const line = checked.stderr?.split('\n').find((text) => text.startsWith(`${path}:`) || text.startsWith(`file://${path}:`));
  return line ? ` (line ${line.slice(line.lastIndexOf(':') + 1)})` : '';
}

const ADVICE = {
  ERR_UNKNOWN_FILE_EXTENSION: 'Install Bun, or Node 22.6 or later, to run TypeScript.',
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: 'Node only takes types away. Write it without enum, namespace and parameter properties, or install Bun.',
  ERR_INVALID_TYPESCRIPT_SYNTAX: 'Correct the syntax; `tsc --noEmit` shows more.',
  ERR_MODULE_NOT_FOUND: 'Correct the import, or install the package into the bundle: npm install NAME',
  MODULE_NOT_FOUND: 'Correct the import, or install the package into the bundle: npm install NAME',
};

function adviceFor(thrown) {
  if (ADVICE[thrown?.code]) return ADVICE[thrown.code];
  if (thrown?.name === 'BuildMessage') return 'Correct the syntax.';
  if (thrown?.name === 'ResolveMessage') return ADVICE.MODULE_NOT_FOUND;
  if (thrown?.name === 'SyntaxError' && /does not provide an export named/.test(thrown.message)) {
    return 'If it is a type, write: import type { … }';
  }
  return undefined;
}

function notLoaded(message, suggestion) {
  return failure(message, { name: 'ExtensionError', code: 'E_EXT_LOAD', suggestion });
}
