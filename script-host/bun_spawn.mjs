// `Bun.spawn` for Node.
import { spawn as start } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { Readable } from 'node:stream';

// Code reads standard output to its end and then asks for `exitCode`, which the system tells a moment
// later. The end of the output waits for it, but not for a program that closed its output and goes on.
const WAIT_FOR_EXIT_MS = 200;

export function spawn(first, second) {
  const options = Array.isArray(first) ? (second ?? {}) : first;
  const [program, ...words] = Array.isArray(first) ? first : first.cmd;
  const [stdin, stdout, stderr] = options.stdio ?? [options.stdin, options.stdout, options.stderr];
  const child = start(program, words, {
    cwd: options.cwd === undefined ? undefined : String(options.cwd),
    env: options.env ?? process.env,
    argv0: options.argv0,
    signal: options.signal,
    timeout: options.timeout,
    killSignal: options.killSignal,
    stdio: [inputKind(stdin), outputKind(stdout ?? 'pipe'), outputKind(stderr ?? 'inherit')],
  });
  if (child.pid === undefined) throw notStarted(program, options);
  feed(child.stdin, stdin);
  return new Subprocess(child, options);
}

class Subprocess {
  #child;
  #killed = false;

  constructor(child, options) {
    this.#child = child;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve(codeOf(code, signal));
        options.onExit?.(this, code, signal === null ? null : os.constants.signals[signal]);
      });
    });
    child.on('error', () => {});  // an abort by the caller's signal; the exit tells of it
    this.stdin = child.stdin === null ? undefined : new Input(child.stdin);
    this.stdout = outputOf(child, child.stdout, this.exited);
    this.stderr = outputOf(child, child.stderr, this.exited);
  }

  get pid() {
    return this.#child.pid;
  }

  get readable() {
    return this.stdout;
  }

  get exitCode() {
    return this.#child.exitCode;
  }

  get signalCode() {
    return this.#child.signalCode;
  }

  get killed() {
    return this.#killed || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  kill(signal = 'SIGTERM') {
    this.#killed = true;
    this.#child.kill(signal);
  }

  ref() {
    this.#child.ref();
  }

  unref() {
    this.#child.unref();
  }

  async [Symbol.asyncDispose ?? Symbol.for('asyncDispose')]() {
    if (this.exitCode === null && this.signalCode === null) this.kill();
    await this.exited;
  }
}

// What Bun calls a file sink.
class Input {
  #pipe;
  constructor(pipe) {
    this.#pipe = pipe;
    pipe.on('error', () => {});  // a program need not read its input
  }
  write(data) {
    const bytes = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer ?? data, data.byteOffset, data.byteLength);
    this.#pipe.write(bytes);
    return bytes.length;
  }
  flush() {
    return 0;
  }
  end() {
    this.#pipe.end();
  }
}

const codeOf = (code, signal) => code ?? 128 + os.constants.signals[signal];

function inputKind(given) {
  if (given === undefined || given === null || given === 'ignore') return 'ignore';
  if (given === 'inherit' || typeof given === 'number') return given;
  return 'pipe';
}

function outputKind(given) {
  if (given === null || given === 'ignore') return 'ignore';
  if (given === 'pipe' || given === 'inherit' || typeof given === 'number') return given;
  if (typeof given?.name === 'string') return fs.openSync(given.name, 'w');
  throw new TypeError("Bun.spawn on Node takes 'pipe', 'inherit', 'ignore', a descriptor or a Bun.file for output");
}

function feed(pipe, given) {
  if (pipe === null || given === 'pipe') return;
  const input = typeof given?.stream === 'function' ? given.stream() : (given?.body ?? given);
  if (typeof input?.getReader === 'function') {
    Readable.fromWeb(input).on('error', () => pipe.end()).pipe(pipe);
  } else {
    pipe.end(typeof input === 'string' ? input : Buffer.from(input.buffer ?? input, input.byteOffset, input.byteLength));
  }
}

function outputOf(child, pipe, exited) {
  if (pipe === null) return undefined;
  const whole = new ReadableStream({
    async start(controller) {
      try {
        for await (const chunk of pipe) controller.enqueue(new Uint8Array(chunk));
      } catch {
        // cut off with the process; what came is what there is
      }
      const late = new Promise((resolve) => setTimeout(resolve, WAIT_FOR_EXIT_MS).unref());
      if (child.exitCode === null && child.signalCode === null) await Promise.race([exited, late]);
      controller.close();
    },
    cancel: () => void pipe.destroy(),
  });
  for (const kind of ['text', 'json', 'arrayBuffer', 'bytes', 'blob']) {
    Object.defineProperty(whole, kind, { value: () => new Response(whole)[kind]() });
  }
  return whole;
}

function notStarted(program, options) {
  const cwd = options.cwd === undefined || fs.existsSync(options.cwd);
  const message = cwd ? `cannot start '${program}': there is no such program` : `cannot start '${program}': the folder ${options.cwd} is not there`;
  return Object.assign(new Error(message), { code: 'ENOENT' });
}
