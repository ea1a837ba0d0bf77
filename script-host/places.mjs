// Where in an author's own code something went wrong, for errors of loading.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { resolvedFiles } from './resolve.mjs';

const OWN_FOLDER = path.dirname(fileURLToPath(import.meta.url));
const CHECK_MS = 5_000;  // all together
const MAX_CHECKED = 20;

// ' (line 3:7)' of `entry`, ' (/path/of/another:3)', or nothing if it cannot be told.
export function placeOf(thrown, entry) {
  const { file, line } = thrown?.position ?? {};  // Bun, of wrong syntax: there is no stack
  if (line !== undefined) return said(file, line, entry);
  for (const frame of String(thrown?.stack ?? '').split('\n')) {
    const found = frame.match(/(?:^|\(|at |async )(file:\/\/\/.+?|\/.+?):(\d+(?::\d+)?)\)?$/);
    const where = found && pathOf(found[1]);
    if (where && !isForeign(where)) return said(where, found[2], entry);
  }
  return thrown?.name === 'SyntaxError' && !process.versions.bun ? placeByChecking(entry) : '';
}

const said = (file, line, entry) => (file === entry ? ` (line ${line})` : ` (${file}:${line})`);

const isForeign = (file) => file.startsWith(OWN_FOLDER + path.sep) || file.includes('/node_modules/');

function pathOf(text) {
  try {
    return text.startsWith('file:') ? fileURLToPath(text) : text;
  } catch {
    return undefined;
  }
}

// Node says where wrong syntax is only to whoever starts it with the file.
function placeByChecking(entry) {
  const until = performance.now() + CHECK_MS;
  const imported = [...resolvedFiles].map(pathOf).filter((file) => /\.[cm]?[jt]s$/.test(file) && !isForeign(file));
  for (const file of [entry, ...imported.filter((one) => one !== entry).slice(-MAX_CHECKED)]) {
    const timeout = Math.floor(until - performance.now());
    if (timeout <= 0) break;
    const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout });
    const found = stderr?.match(/^(file:\/\/\/.*|\/.*):(\d+)$/m);
    if (found && pathOf(found[1]) === file) return said(file, found[2], entry);
  }
  return '';
}
