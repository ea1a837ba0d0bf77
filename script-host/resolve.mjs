// Imports in a bundle that the runtime's own rules do not find: the types' packages, which have no
// code, and, on Node, files named as TypeScript and Bun allow it (`./other`, `./other.js` for
// `other.ts`).
import nodeModule from 'node:module';

const EMPTY = new URL('./types/index.mjs', import.meta.url).href;
const TYPES = /^@goondan\/(types|core)(\/|$)/;
const MAX_KEPT = 1000;

// Addresses of what has been imported so far, to find the one that is wrong. Only kept by Node from
// 22.15 on.
export const resolvedFiles = new Set();

export async function prepareImports() {
  if (process.versions.bun) {
    prepareBun(await import(EMPTY));
    return;
  }
  await import('./bun_on_node.mjs');
  if (nodeModule.registerHooks) nodeModule.registerHooks({ resolve: resolveNow });
  else nodeModule.register?.('./resolve_hooks.mjs', import.meta.url);
}

function prepareBun(exports) {
  Bun.plugin({
    name: 'goondan',
    setup(build) {
      for (const name of ['@goondan/types', '@goondan/core']) build.module(name, () => ({ exports, loader: 'object' }));
    },
  });
}

function resolveNow(specifier, context, next) {
  if (TYPES.test(specifier)) return { url: EMPTY, shortCircuit: true };
  const found = resolveOrGuess(specifier, context, next);
  if (found.url.startsWith('file:') && resolvedFiles.size < MAX_KEPT) resolvedFiles.add(found.url);
  return found;
}

function resolveOrGuess(specifier, context, next) {
  try {
    return next(specifier, context);
  } catch (error) {
    for (const other of otherSpellings(specifier, error)) {
      try {
        return next(other, context);
      } catch {
        // the first error says it best
      }
    }
    throw error;
  }
}

// The same for Node before 22.15, which runs hooks in a thread of their own.
export async function resolve(specifier, context, next) {
  if (TYPES.test(specifier)) return { url: EMPTY, shortCircuit: true };
  try {
    return await next(specifier, context);
  } catch (error) {
    for (const other of otherSpellings(specifier, error)) {
      try {
        return await next(other, context);
      } catch {
        // the first error says it best
      }
    }
    throw error;
  }
}

const NOT_FOUND = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_UNSUPPORTED_DIR_IMPORT']);
const ENDINGS = ['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js'];

function otherSpellings(specifier, error) {
  if (!NOT_FOUND.has(error?.code) || !/^(\.|\/|file:)/.test(specifier)) return [];
  if (/\.[cm]?js$/.test(specifier)) return [specifier.replace(/js$/, 'ts')];
  return ENDINGS.map((ending) => specifier + ending);
}
