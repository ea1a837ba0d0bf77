// What authors of tools write, with everything that `ctx` has.
import type {
  AgentToolRuntime, JsonObject, JsonValue, Message, ToolCallResult, ToolContext, ToolHandler, ToolHandlers,
} from '@goondan/types';
import type { ToolHandler as SameHandler } from '@goondan/core';

const narrow: ToolHandler = async (ctx, input: { path: string; depth?: number }) => ({
  path: input.path,
  depth: input.depth ?? 0,
  by: ctx.agentName,
});
const plain: SameHandler = (_ctx: ToolContext, input: JsonObject): JsonValue => input['x'] ?? null;

const everything: ToolHandler = async (ctx) => {
  const words: string[] = [ctx.agentName, ctx.instanceKey, ctx.turnId, ctx.traceId, ctx.toolCallId, ctx.workdir];
  const message: Message = ctx.message;
  const created: number = message.createdAt.getTime();
  ctx.logger.info('%s', words.join(), created);
  ctx.logger.table([1]);
  ctx.progress(1, 2, 'half');
  ctx.progress(3);
  ctx.signal.throwIfAborted();
  if (ctx.runtime === undefined) throw Object.assign(new Error('no agents'), { code: 'E_X', suggestion: 'gdn run' });
  return agents(ctx.runtime);
};

async function agents(runtime: AgentToolRuntime): Promise<JsonValue> {
  const answer = await runtime.request('coder', { input: 'hello' }, { timeoutMs: 5000 });
  const sent = await runtime.send('coder', { type: 'note', input: 'hello', instanceKey: 'k', metadata: { a: 1 } });
  const spawned = await runtime.spawn('coder', { instanceKey: 'k', cwd: 'x' });
  const list = await runtime.list({ includeAll: true });
  const catalog = await runtime.catalog();
  return {
    response: answer.response ?? null,
    correlation: answer.correlationId,
    accepted: sent.accepted,
    spawned: spawned.spawned,
    owners: list.agents.map((agent) => agent.ownerAgent),
    callable: catalog.callableAgents,
  };
}

export const result: ToolCallResult = { toolCallId: 'c', toolName: 'a__b', status: 'ok', output: null };
export const handlers: ToolHandlers = { narrow, plain, everything };

interface User {
  name: string;
  born?: Date;
}
const user = (): User => ({ name: 'Mina' });
const natural: ToolHandlers = {
  anInterface: async () => user(),
  inside: () => ({ users: [user()], when: new Date(), maybe: undefined, big: 1n }),
  aMap: () => new Map([['a', user()]]),
  nothing: async (ctx) => { ctx.logger.info('done'); },
  nothingAtOnce: () => {},
  fetched: async (ctx) => (await fetch('http://localhost/', { signal: ctx.signal })).json(),
};
export { natural };
