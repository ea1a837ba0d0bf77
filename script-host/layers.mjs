// Runs middleware: what the extension's function gets, and what its end means.
import { layerAgents } from './agents.mjs';
import { catalogFromWire, catalogToWire } from './catalog.mjs';
import { Conversation } from './conversation.mjs';
import { reviveMessage, toDate } from './messages.mjs';
import { keepTold } from './old_context.mjs';
import { settle, settled, Tracked } from './tracked.mjs';

// What middleware returns that has nothing to do after `next()`: the runtime then goes on without it, also if this
// process ends meanwhile.
export const PASS = Symbol('pass');

export function layerMethods(link, extensions) {
  return {
    layer: (call, params) => new LayerRun(link, call, params, extensions.get(params.extension)).run(),
  };
}

class LayerRun {
  #link;
  #call;
  #kind;
  #given;
  #extension;
  #context;
  #conversation = null;
  #nextCalled = false;
  #pending = [];

  constructor(link, call, { kind, context, layer }, extension) {
    this.#link = link;
    this.#call = call;
    this.#kind = kind;
    this.#given = context;
    this.#extension = extension;
    this.layer = extension.layer(layer);
  }

  async run() {
    this.#context = this.#makeContext();
    let returned;
    try {
      returned = await this.layer(this.#context);
    } catch (thrown) {
      await settle(this.#pending).catch(() => {});  // what the middleware threw says it best
      throw thrown;
    }
    await settle(this.#pending);  // the runtime serves them only while this call lasts
    return { ...this.#end(returned ?? null), metadata: objectOr(this.#context.metadata, {}) };
  }

  #end(returned) {
    if (returned === PASS) return { next: 'pass', ...this.#changes() };
    if (returned === null) return { outcome: null, next: this.#nextCalled ? 'ran' : 'none' };
    if (typeof returned !== 'object' || Array.isArray(returned)) {
      const what = Array.isArray(returned) ? 'list' : typeof returned;
      throw new TypeError(`the ${this.#kind} middleware returned a ${what}, not a result`);
    }
    return { outcome: this.#completed(returned), next: this.#nextCalled ? 'ran' : 'instead' };
  }

  // A result that a middleware made itself may leave out what is known.
  #completed(result) {
    if (this.#kind === 'turn') return { turnId: this.#given.turnId, ...result };
    if (this.#kind !== 'toolCall') return result;
    const { toolCallId, toolName } = this.#given;
    return { toolCallId, toolName, status: result.error ? 'error' : 'ok', ...result };
  }

  #next = () => {
    this.#nextCalled = true;
    return this.#track(this.#askNext(this.#changes()).then((answer) => this.#ran(answer)));
  };

  // What is inside gets.
  #changes() {
    const { metadata, args, toolCatalog, blocks } = this.#context;
    const changes = { metadata: objectOr(metadata, {}) };
    if (this.#kind === 'toolCall') changes.args = args;
    if (this.#kind !== 'step') return changes;
    changes.toolCatalog = catalogToWire(toolCatalog);
    if (blocks !== undefined) changes.blocks = blocks;
    return changes;
  }

  // What is inside this layer shall find what it has registered.
  async #askNext(params) {
    if (this.#call.registrations) await settled(this.#call.registrations);
    return this.#link.request(this.#call, 'next', params);
  }

  #ran({ outcome, metadata, messages }) {
    if (metadata) replaceFields(this.#context.metadata, metadata);
    if (messages) this.#conversation?.reset(messages);
    if (typeof outcome?.responseMessage === 'object') reviveMessage(outcome.responseMessage);
    return outcome;
  }

  #track(promise) {
    const tracked = Tracked.of(promise);
    this.#pending.push(tracked);
    return tracked;
  }

  #makeContext() {
    const call = this.#call;
    const { messages, toolCatalog, inputEvent, v1alpha1, ...given } = this.#given;
    const context = {
      ...given,
      metadata: given.metadata ?? {},
      runtime: this.#runtime(inputEvent),
      next: this.#next,
      get signal() {
        return call.signal;
      },
    };
    keepTold(context, v1alpha1, this.#extension.place);
    if (inputEvent) context.inputEvent = { ...inputEvent, createdAt: toDate(inputEvent.createdAt) };
    if (this.#kind === 'step') context.toolCatalog = catalogFromWire(toolCatalog ?? []);
    if (this.#kind !== 'toolCall') this.#addConversation(context, messages ?? []);
    return context;
  }

  #addConversation(context, messages) {
    const ask = (params) => this.#link.request(this.#call, 'conversation', params);
    const conversation = new Conversation(messages, this.#extension.name, ask);
    this.#conversation = conversation;
    context.conversationState = conversation.state;
    context.agents = layerAgents(this.#link, this.#call);
    context.emitMessageEvent = (event) => {
      const emitted = conversation.emit(event);
      this.#pending.push(emitted);
      return emitted;
    };
  }

  #runtime(inputEvent) {
    const { name, bundleRoot, prompt, swarm } = this.#extension.agent;
    const agent = { name, bundleRoot };
    if (prompt) agent.prompt = typeof prompt === 'string' ? { system: prompt } : prompt;
    return { agent, swarm, inbound: inputEvent ? inbound(inputEvent, this.#given.instanceKey) : undefined };
  }
}

function inbound(event, instanceKey) {
  return {
    eventId: event.id,
    eventType: event.type,
    sourceKind: event.source?.kind,
    sourceName: event.source?.name,
    createdAt: toDate(event.createdAt),
    instanceKey,
    eventMetadata: event.metadata,
  };
}

const objectOr = (value, otherwise) => (typeof value === 'object' && value !== null ? value : otherwise);

// The same object, for those who keep it.
function replaceFields(object, fields) {
  for (const key of Object.keys(object)) if (!Object.hasOwn(fields, key)) delete object[key];
  Object.assign(object, fields);
}
