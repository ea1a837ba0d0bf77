import type { ExtensionApi } from '@goondan/types';

interface Config {
  slowMs: number;
}

interface Kept {
  calls: number;
}

// Counts the calls of this instance, over restarts too, and warns of slow ones.
export function register(api: ExtensionApi, config: Config): void {
  const kept = (): Kept => (api.state.get() as Kept | null) ?? { calls: 0 };

  api.pipeline.register('toolCall', async (ctx) => {
    const begun = performance.now();
    const result = await ctx.next();
    const elapsed = performance.now() - begun;
    if (elapsed > config.slowMs) api.logger.warn(`${ctx.toolName} took ${Math.round(elapsed)} ms`);
    await api.state.set({ calls: kept().calls + 1 });
    return result;
  });

  api.tools.register(
    { name: 'audit__calls', description: 'How many calls this agent has made so far.' },
    () => kept().calls,
  );
}
