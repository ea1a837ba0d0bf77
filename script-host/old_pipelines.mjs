// `api.pipelines` of the dialect v1alpha1, in terms of the middleware of today. One for all extensions of this process:
// all `toolCall.pre` run in the order of their registration, then the onion of `toolCall.exec`, then all
// `toolCall.post`, again in the order of their registration; before the model is asked, all `step.tools`, then all
// `step.blocks`.
import { failure } from './errors.mjs';
import { PASS } from './layers.mjs';
import { oldSurroundings, toldOf } from './old_context.mjs';

const OUTSIDE_OF_EXEC = -1;

export class OldPipelines {
  #points = { 'toolCall.pre': [], 'toolCall.post': [], 'step.tools': [], 'step.blocks': [] };
  // The extensions whose middleware runs the mutators of all: the first of each kind.
  #carriers = { toolCall: null, step: null };
  #dynamicTools;

  constructor(dynamicTools) {
    this.#dynamicTools = dynamicTools;
  }

  of(extension, api) {
    return {
      mutate: (point, mutate) => this.#mutate(extension, api, checked(Object.keys(this.#points), point, mutate), mutate),
      wrap: (point, wrap) => this.#wrap(api, checked(['toolCall.exec'], point, wrap), wrap),
    };
  }

  // An extension begins anew: what it had registered counts no more.
  forget(name) {
    for (const point of Object.keys(this.#points)) {
      this.#points[point] = this.#points[point].filter(({ extension }) => extension.name !== name);
    }
    for (const [kind, carrier] of Object.entries(this.#carriers)) {
      if (carrier?.name === name) this.#carriers[kind] = null;
    }
  }

  #mutate(extension, api, point, mutate) {
    const kind = kindOf(point);
    if (this.#carriers[kind] === null) {
      const run = { toolCall: (ctx) => this.#aroundCall(ctx), step: (ctx) => this.#beforeStep(ctx) }[kind];
      api.pipeline.register(kind, run, { priority: kind === 'toolCall' ? OUTSIDE_OF_EXEC : 0 });
      this.#carriers[kind] = extension;
    } else if (extension.registering === null) {
      throw new Error('mutators can be registered only while register() runs; await what it waits for');
    }
    this.#points[point].push({ extension, mutate });
  }

  async #aroundCall(ctx) {
    const before = await this.#mutated('toolCall.pre', this.#callOf(ctx));
    ctx.args = before.toolCall.arguments;
    if (this.#points['toolCall.post'].length === 0) return PASS;
    const toolResult = await ctx.next();
    const after = await this.#mutated('toolCall.post', Object.assign(before, { toolResult }));
    return after.toolResult ?? toolResult;
  }

  async #beforeStep(ctx) {
    const { toolCatalog, blocks } = await this.#mutated('step.blocks', await this.#mutated('step.tools', this.#stepOf(ctx)));
    ctx.toolCatalog = toolCatalog;
    ctx.blocks = blocks;
    return PASS;
  }

  // A mutator changes the context, or returns another with what it has changed.
  async #mutated(point, ctx) {
    for (const { extension, mutate } of this.#points[point]) {
      try {
        ctx = withChanges(ctx, await mutate(ctx));
      } catch (thrown) {
        throw this.#named(point, extension, thrown);
      }
    }
    return ctx;
  }

  // The runtime names the carrier; whose mutator it was is said here.
  #named(point, { name }, thrown) {
    if (this.#carriers[kindOf(point)]?.name === name) return thrown;
    const { code, suggestion } = thrown ?? {};
    return failure(`'${point}' of '${name}': ${thrown?.message ?? thrown}`, { code, suggestion });
  }

  #wrap(api, _, wrap) {
    api.pipeline.register('toolCall', async (ctx) => {
      const old = this.#callOf(ctx);
      const next = async (changed) => {
        const given = changed ?? old;
        ctx.args = given.toolCall?.arguments ?? old.toolCall.arguments;
        old.toolResult = await ctx.next();
        if (given !== old) given.toolResult = old.toolResult;
        return old.toolResult;
      };
      const returned = await wrap(old, next);
      const isContext = returned?.toolCall !== undefined && returned.status === undefined;
      return (isContext ? returned.toolResult : returned) ?? old.toolResult;
    });
  }

  #callOf(ctx) {
    const toolCall = { id: ctx.toolCallId, name: ctx.toolName, arguments: ctx.args };
    return { ...this.#fields(ctx), toolCall };
  }

  #stepOf(ctx) {
    const toolCatalog = ctx.toolCatalog.map(withOrigin);
    return { ...this.#fields(ctx), toolCatalog, blocks: [...(ctx.blocks ?? [])] };
  }

  #fields(ctx) {
    return { ...oldSurroundings(ctx, toldOf(ctx), this.#dynamicTools), metadata: ctx.metadata };
  }
}

const kindOf = (point) => point.slice(0, point.indexOf('.'));

function checked(points, point, given) {
  if (!points.includes(point)) throw new TypeError(`there is no point '${String(point)}' here; there are ${points.join(', ')}`);
  if (typeof given !== 'function') throw new TypeError(`what runs at ${point} must be a function`);
  return point;
}

function withChanges(ctx, returned) {
  if (returned === undefined || returned === null || returned === ctx) return ctx;
  if (typeof returned !== 'object' || Array.isArray(returned)) throw new TypeError('a mutator returns its context or nothing');
  return Object.assign(ctx, returned);
}

// Items of the dialect have both, null for tools without a resource.
function withOrigin(item) {
  return { ...item, tool: item.tool ?? null, export: item.export ?? null };
}
