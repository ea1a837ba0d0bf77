// Extensions: `register(api, config)`, and what they have put in place.
import { EventBus } from './events.mjs';
import { copyOf } from './json.mjs';
import { extensionApi } from './extension_api.mjs';
import { failure } from './errors.mjs';
import { settle } from './tracked.mjs';

// One extension of the agent, as this process knows it.
export class Extension {
  layers = [];
  pending = [];  // registrations without an answer yet
  registering = null;  // the call of `register` while it runs
  #handlers = new Map();  // by the tool's name

  constructor(name, agent, state) {
    this.name = name;
    this.agent = agent ?? {};
    this.state = state ?? null;
  }

  layer(index) {
    const layer = this.layers[index];
    if (layer !== undefined) return layer;
    throw failure(`the extension ${this.name} has no middleware number ${index}`, { code: 'E_NOT_FOUND' });
  }

  tool(toolName) {
    const handler = this.#handlers.get(toolName);
    if (handler !== undefined) return handler;
    throw failure(`the extension ${this.name} has no tool ${toolName}`, { code: 'E_TOOL_NOT_FOUND' });
  }

  // Returns what puts back the one before.
  setTool(toolName, handler) {
    const before = this.#handlers.get(toolName);
    this.#handlers.set(toolName, handler);
    return () => {
      if (this.#handlers.get(toolName) === handler) this.#handlers.set(toolName, before);
    };
  }
}

export class Extensions {
  #link;
  #modules;
  #events;
  #known = new Map();

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

  async #register(call, { extension: name, module, config, state, agent }) {
    const extension = new Extension(name, agent, state);
    this.#known.set(name, extension);
    extension.registering = call;
    try {
      const register = this.#modules.register(module);
      await register(extensionApi(this.#link, extension, this.#events), copyOf(config ?? {}, 'the configuration'));
      await settle(extension.pending);
    } finally {
      extension.registering = null;
    }
    return null;
  }
}
