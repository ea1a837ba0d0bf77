// `api`, which an extension's `register` gets and may keep.
import { logLine } from './context.mjs';
import { copyOf } from './json.mjs';
import { makeConsole } from './logger.mjs';
import { Tracked } from './tracked.mjs';

const KINDS = new Set(['turn', 'step', 'toolCall']);

export function extensionApi(link, extension, events, pipelines) {
  const api = {
    extension: extension.resource,
    agent: extension.agent,
    logger: makeConsole((level, text) => logLine(link, link.current.getStore(), level, text, extension.name)),
    pipeline: { register: (kind, layer, options) => registerLayer(link, extension, kind, layer, options) },
    tools: { register: (item, handler) => registerTool(link, extension, item, handler) },
    state: stateApi(link, extension),
    events,
  };
  api.pipelines = pipelines.of(extension, api);
  return api;
}

function registerLayer(link, extension, kind, layer, { priority = 0 } = {}) {
  if (!KINDS.has(kind)) throw new TypeError(`there is no middleware '${String(kind)}'; there are turn, step and toolCall`);
  if (typeof layer !== 'function') throw new TypeError(`the ${kind} middleware must be a function`);
  if (!Number.isSafeInteger(priority)) throw new TypeError('the priority must be a whole number');
  if (extension.registering === null) {
    throw new Error('middleware can be registered only while register() runs; await what it waits for');
  }
  const index = extension.layers.push(layer) - 1;
  link.notify(extension.registering, 'pipeline.register', { extension: extension.name, layer: index, kind, priority });
}

// (item, handler), or one object with both.
function registerTool(link, extension, given, second) {
  const { handler = second, ...item } = given ?? {};
  if (typeof item.name !== 'string') throw new TypeError('a tool needs a name');
  if (typeof handler !== 'function') throw new TypeError(`the tool ${item.name} needs a handler`);
  const tool = item.name;
  const asked = link.request(extension.registering, 'tools.register', { extension: extension.name, tool, item });
  const undo = extension.setTool(item, handler);  // before the answer: a call may come right behind it
  const registered = Tracked.of(asked.catch((thrown) => {
    undo();
    throw thrown;
  }));
  if (extension.registering !== null) {
    extension.pending.push(registered);
    return registered;
  }
  const call = link.current.getStore();  // waits for it before its reply, and before `next()`
  if (call) (call.registrations ??= []).push(registered);
  registered.failure().then((failed) => failed && !registered.observed && console.error(failed.thrown));
  return registered;
}

// `get` answers from memory; what `set` gives is fulfilled once it is on disk.
function stateApi(link, extension) {
  return {
    get: () => extension.state,
    set: async (value) => {
      const before = extension.state;
      const state = copyOf(value ?? null, 'the state');
      extension.state = state;
      try {
        await link.request(ownCall(link, extension), 'state.set', { extension: extension.name, state });
      } catch (thrown) {
        if (extension.state === state) extension.state = before;
        throw thrown;
      }
    },
  };
}

const OF_EXTENSIONS = new Set(['register', 'layer', 'extensionTool']);

function ownCall(link) {
  const call = link.current.getStore();
  return call && !call.over && OF_EXTENSIONS.has(call.method) ? call : null;
}
