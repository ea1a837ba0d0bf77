// What authors of extensions write.
import type { ExtensionApi, ToolCatalogItem, ToolCallMiddleware } from '@goondan/types';

const upper: ToolCallMiddleware = async (ctx) => {
  ctx.args['name'] = String(ctx.args['name']).toUpperCase();
  const result = await ctx.next();
  return { ...result, output: { wrapped: result.output ?? null } };
};

export async function register(api: ExtensionApi, config: { limit?: number }): Promise<void> {
  api.pipeline.register('toolCall', upper, { priority: 5 });
  api.pipeline.register('step', async (ctx) => {
    ctx.toolCatalog = ctx.toolCatalog
      .filter((item: ToolCatalogItem) => item.source?.type !== 'mcp')
      .map((item) => ({ ...item, name: `x__${item.name.length}`, description: 'short' }));
    ctx.metadata['stepIndex'] = ctx.stepIndex;
    if (ctx.conversationState.nextMessages.length > (config.limit ?? 10)) {
      ctx.emitMessageEvent({ type: 'remove', targetId: ctx.conversationState.nextMessages[0]!.id });
    }
    const result = await ctx.next();
    return { ...result, shouldContinue: false };
  });
  api.pipeline.register('turn', async (ctx) => {
    await ctx.emitMessageEvent({ type: 'append', message: { data: { role: 'system', content: 'Be brief.' } } });
    await ctx.agents.send('audit', { input: ctx.inputEvent.input });
    await ctx.agents.request({ target: 'audit', input: String(ctx.runtime.inbound?.createdAt.getTime()) });
    await ctx.next();
  });
  api.pipeline.register('turn', (ctx) => ({ turnId: ctx.turnId, finishReason: 'text_response' as const }));
  api.tools.register({ name: 'a__b', parameters: { type: 'object' } }, async (_ctx, input) => input);
  await api.tools.register({ name: 'a__c', handler: (ctx) => ctx.workdir });
  interface Kept {
    seen: number;
    since?: Date;
  }
  const kept: Kept = api.state.get<Kept>() ?? { seen: 0 };
  await api.state.set(kept);
  const seen = api.state.get<{ seen: number }>()?.seen ?? 0;
  await api.state.set({ seen: seen + 1 });
  const off = api.events.on<{ n: number }>('tick', (payload) => api.logger.debug(payload.n));
  api.events.emit('tick', { n: 1 });
  off();
  api.logger.info(api.extension.metadata.name, api.agent.bundleRoot);
}
