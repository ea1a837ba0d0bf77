// Extensions: `register(api, config)`, and what they have put in place.
import { EventBus, eventsApi } from './events.mjs';
import { copyOf } from './json.mjs';
import { extensionApi } from './extension_api.mjs';
import { failure } from './errors.mjs';
import { OldPipelines } from './old_pipelines.mjs';
import { settle } from './tracked.mjs';

// One extension of the agent, as this process knows it.
export class Extension {
  layers = [];
  pending = [];  // registrations without an answer yet
  registering = null;  // the call of `register` while it runs
  #tools = new Map();  // `{item, handler}` by name

  constructor({ extension, agent, state, dialect, place, resource }) {
    this.name = extension;
    this.agent = agent ?? {};
    this.state = state ?? null;
    this.dialect = dialect;
    this.place = place ?? undefined;
    this.resource = resource ?? { metadata: { name: extension } };
  }

  layer(index) {
    const layer = this.layers[index];
    if (layer !== undefined) return layer;
    throw failure(`the extension ${this.name} has no middleware number ${index}`, { code: 'E_NOT_FOUND' });
  }

  tool(toolName) {
    const known = this.#tools.get(toolName);
    if (known !== undefined) return known.handler;
    throw failure(`the extension ${this.name} has no tool ${toolName}`, { code: 'E_TOOL_NOT_FOUND' });
  }

  // Returns what puts back the one before.
  setTool(item, handler) {
    const before = this.#tools.get(item.name);
    const tool = { item, handler };
    this.#tools.set(item.name, tool);
    return () => {
      if (this.#tools.get(item.name) !== tool) return;
      if (before === undefined) this.#tools.delete(item.name);
      else this.#tools.set(item.name, before);
    };
  }

  // As they were registered. The handler is no part of a copy, which may become an item of a catalog.
  dynamicTools() {
    return [...this.#tools.values()].map(({ item, handler }) => Object.defineProperty({ ...item }, 'handler', { value: handler }));
  }
}

export class Extensions {
  #link;
  #modules;
  #events;
  #known = new Map();
  #pipelines = new OldPipelines(() => this.dynamicTools());

  constructor(link, modules) {
    this.#link = link;
    this.#modules = modules;
    this.#events = new EventBus();
  }

  methods() {
    return {
      register: (call, params) => this.#register(call, params),
      // Not on behalf of the call, which is over before a listener that waits for something is.
      event: (_, { name, payload }) => void this.#link.current.run(undefined, () => this.#events.emit(name, payload)),
    };
  }

  get(name) {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    throw failure(`the extension ${name} has not been registered`, { code: 'E_NOT_FOUND' });
  }

  tool(name, toolName) {
    return this.get(name).tool(toolName);
  }

  // What all extensions of this process have registered.
  dynamicTools() {
    return [...this.#known.values()].flatMap((extension) => extension.dynamicTools());
  }

  // The bus, for an extension or, without a name, for a tool.
  eventsFor(name) {
    return eventsApi(this.#link, this.#events, name);
  }

  async #register(call, params) {
    const extension = new Extension(params);
    this.#known.set(extension.name, extension);
    this.#pipelines.forget(extension.name);
    extension.registering = call;
    try {
      const register = this.#modules.register(params.module);
      const api = extensionApi(this.#link, extension, this.eventsFor(extension.name), this.#pipelines);
      await register(api, copyOf(params.config ?? {}, 'the configuration'));
      await settle(extension.pending);
    } finally {
      extension.registering = null;
    }
    return null;
  }
}
