// The part of the global `Bun` that tools are usually written with, for Node. Not loaded by Bun.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { file, write } from './bun_file.mjs';
import { spawn } from './bun_spawn.mjs';
import { failure } from './errors.mjs';

function which(command, { PATH = process.env.PATH ?? '', cwd = process.cwd() } = {}) {
  const candidates = command.includes('/')
    ? [path.resolve(cwd, command)]
    : PATH.split(path.delimiter).map((folder) => path.resolve(cwd, folder, command));
  return candidates.find(isProgram) ?? null;
}

function isProgram(name) {
  try {
    fs.accessSync(name, fs.constants.X_OK);
    return fs.statSync(name).isFile();
  } catch {
    return false;
  }
}

const offered = {
  argv: process.argv,
  env: process.env,
  file,
  nanoseconds: () => Math.round(performance.now() * 1e6),
  sleep: (time) => sleep(Math.max(0, time instanceof Date ? time.getTime() - Date.now() : time)),
  spawn,
  version: undefined,  // a question, not a use: packages ask it to find out where they run
  which,
  write,
};

// A member that is not there says so by its name, which "is not a function" would not.
globalThis.Bun ??= new Proxy(offered, {
  get(target, key) {
    if (key in target || typeof key === 'symbol' || key === 'then' || key === 'toJSON') return target[key];
    throw failure(`Bun.${key} is not there: this is Node, for which goondan offers only a part of Bun`, {
      suggestion: `Use Bun.${Object.keys(target).filter((name) => target[name]).join(', Bun.')} or what Node has, or install Bun.`,
    });
  },
});
