// `api.pipelines` of the dialect v1alpha1, in terms of the middleware of today. All `toolCall.pre`
// run first, then the onion of `toolCall.exec`, then all `toolCall.post` of an extension in order.

const PRE = -2;
const POST = -1;

export function oldPipelines(api) {
  const posts = [];
  const mutators = {
    'toolCall.pre': (mutate) =>
      api.pipeline.register('toolCall', async (ctx) => {
        const changed = (await mutate(oldCall(ctx))) ?? oldCall(ctx);
        ctx.args = changed.toolCall.arguments ?? changed.toolCall.args;
        return ctx.next();
      }, { priority: PRE }),
    'toolCall.post': (mutate) => {
      if (posts.push(mutate) > 1) return;
      api.pipeline.register('toolCall', (ctx) => runPosts(ctx, posts), { priority: POST });
    },
    'step.tools': (mutate) =>
      api.pipeline.register('step', async (ctx) => {
        const changed = await mutate(oldStep(ctx));
        ctx.toolCatalog = changed?.toolCatalog ?? ctx.toolCatalog;
        return ctx.next();
      }),
  };
  return {
    mutate: (point, mutate) => known(mutators, point)(mutate),
    wrap: (point, wrap) => known({ 'toolCall.exec': registerWrap }, point)(wrap),
  };

  function registerWrap(wrap) {
    api.pipeline.register('toolCall', (ctx) => {
      const old = oldCall(ctx);
      return wrap(old, async (changed = old) => {
        ctx.args = changed.toolCall.arguments ?? ctx.args;
        old.toolResult = await ctx.next();
        return old.toolResult;
      });
    });
  }
}

async function runPosts(ctx, posts) {
  let old = { ...oldCall(ctx), toolResult: await ctx.next() };
  for (const mutate of posts) old = (await mutate(old)) ?? old;
  return old.toolResult;
}

function known(points, point) {
  if (Object.hasOwn(points, point)) return points[point];
  throw new TypeError(`there is no point '${String(point)}' here; there are ${Object.keys(points).join(', ')}`);
}

function oldCall(ctx) {
  return { ...oldFields(ctx), toolCall: { id: ctx.toolCallId, name: ctx.toolName, arguments: ctx.args } };
}

// Tools that were registered at run time are in the catalog already.
function oldStep(ctx) {
  return { ...oldFields(ctx), toolCatalog: ctx.toolCatalog, instance: { key: ctx.instanceKey, dynamicTools: [] } };
}

function oldFields(ctx) {
  return { agent: { name: ctx.agentName }, turn: { id: ctx.turnId }, step: { index: ctx.stepIndex }, metadata: ctx.metadata };
}
