// Both directions of the protocol: calls of the runtime, and what is asked and said meanwhile.
import { AsyncLocalStorage } from 'node:async_hooks';

import { failure, fromWire, toWire } from './errors.mjs';
import { writeFrame } from './frames.mjs';
import { toJson } from './json.mjs';
import { settled } from './tracked.mjs';

// More than so much in the queue means that the runtime does not read; what may be lost is lost then.
const MAX_QUEUED_FOR_NOTES = 8 * 1024 * 1024;

// One call of the runtime while it runs.
export class Call {
  over = false;
  #abort = null;
  asked = null;  // numbers of its requests without an answer yet
  registrations = null;  // what its code has registered, answered or not

  constructor(id, method) {
    this.id = id;
    this.method = method;
  }

  get signal() {
    if (this.#abort === null) {
      this.#abort = new AbortController();
      if (this.cancelled !== undefined) this.#abort.abort(this.cancelled);
    }
    return this.#abort.signal;
  }

  cancel(reason) {
    this.cancelled = reason;
    this.#abort?.abort(reason);
  }
}

export class Link {
  #socket;
  #methods;
  #calls = new Map();
  #requests = new Map();
  #lastRequest = 0;
  #lost = 0;
  // The call on whose behalf code runs; undefined outside of any.
  current = new AsyncLocalStorage();

  #write = (bytes, length) => this.#socket.write(bytes, length);

  constructor(methods) {
    this.#methods = methods;
  }

  open(socket, runtime) {
    this.#socket = socket;
    this.#send(`{"type":"hello","version":1,"runtime":${JSON.stringify(runtime)}}`);
  }

  receive(message) {
    if (message.type === 'call') this.#start(message);
    else if (message.type === 'answer') this.#answered(message);
    else if (message.type === 'cancel') this.#cancelled(message.id);
    // Anything else is of a later version.
  }

  // Asks the runtime something on behalf of a call, or of none.
  request(call, method, params) {
    if (call?.over) {
      return Promise.reject(call.cancelled ?? failure(`the call that asks for ${method} is over`, { code: 'E_TOOL' }));
    }
    return new Promise((resolve, reject) => {
      const id = ++this.#lastRequest;
      const text = toJson(params, `what was given to ${method}`);
      this.#send(`{"type":"request","id":${id},"call":${idOf(call)},"method":"${method}","params":${text}}`);
      this.#requests.set(id, { resolve, reject, call });
      if (call) (call.asked ??= new Set()).add(id);
    });
  }

  // Says something that has no answer.
  notify(call, method, params) {
    this.#send(`{"type":"notify","call":${idOf(call)},"method":"${method}","params":${toJson(params, method)}}`);
  }

  // The same for what may be lost if the runtime does not keep up.
  note(call, method, params) {
    if (this.#socket.queued() > MAX_QUEUED_FOR_NOTES) {
      ++this.#lost;
      return;
    }
    if (this.#lost > 0) {
      const text = `${this.#lost} lines were lost because they came faster than they could be taken`;
      this.#lost = 0;
      this.notify(null, 'log', { level: 'warn', text });
    }
    this.notify(call, method, params);
  }

  #start({ id, method, params }) {
    const call = new Call(id, method);
    this.#calls.set(id, call);
    this.current.run(call, this.#run, this, call, params);
  }

  async #run(link, call, params) {
    let result;
    try {
      const run = link.#methods[call.method];
      if (run === undefined) throw failure(`there is no method ${call.method}`, { code: 'E_NOT_FOUND' });
      result = `"ok":${toJson(await run(call, params), 'the result')}`;
    } catch (thrown) {
      result = `"error":${toJson(toWire(thrown), 'the error')}`;
    }
    // Whatever comes after the reply shall find what was registered.
    if (call.registrations) await settled(call.registrations);
    link.#finish(call, result);
  }

  #finish(call, result) {
    const cancelled = call.over;
    call.over = true;
    this.#calls.delete(call.id);
    if (cancelled) return;
    try {
      this.#send(`{"type":"reply","id":${call.id},${result}}`);
    } catch (thrown) {
      this.#send(`{"type":"reply","id":${call.id},"error":${JSON.stringify(toWire(thrown))}}`);
    }
  }

  #answered({ id, ok, error }) {
    const request = this.#requests.get(id);
    if (request === undefined) return;  // its call was cancelled
    this.#requests.delete(id);
    request.call?.asked.delete(id);
    if (error) request.reject(fromWire(error));
    else request.resolve(ok ?? null);
  }

  #cancelled(id) {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    call.over = true;
    const reason = failure('the call was cancelled', { name: 'AbortError', code: 'E_TOOL_CANCELLED' });
    for (const request of call.asked ?? []) {
      this.#requests.get(request).reject(reason);
      this.#requests.delete(request);
    }
    this.current.run(call, () => call.cancel(reason));
  }

  #send(text) {
    writeFrame(text, this.#write);
  }
}

const idOf = (call) => (call && !call.over ? call.id : null);
