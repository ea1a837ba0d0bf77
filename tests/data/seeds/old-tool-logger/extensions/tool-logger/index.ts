// extensions/tool-logger/index.ts
export async function register(api: ExtensionApi): Promise<void> {
  // toolCall.pre: 입력 검증/변환
  api.pipelines.mutate('toolCall.pre', async (ctx) => {
    api.logger?.debug?.(`Tool 호출: ${ctx.toolCall.name}`, ctx.toolCall.arguments);
    return ctx;
  });

  // toolCall.exec: 실행 래핑 (타이밍, 재시도 등)
  api.pipelines.wrap('toolCall.exec', async (ctx, next) => {
    const startTime = Date.now();
    try {
      const result = await next(ctx);
      const elapsed = Date.now() - startTime;
      api.logger?.debug?.(`Tool 완료: ${ctx.toolCall.name} (${elapsed}ms)`);
      return result;
    } catch (error) {
      api.logger?.error?.(`Tool 실패: ${ctx.toolCall.name}`, error);
      throw error;
    }
  });

  // toolCall.post: 결과 로깅/변환
  api.pipelines.mutate('toolCall.post', async (ctx) => {
    if (ctx.toolResult?.status === 'error') {
      api.events.emit?.('tool.error', {
        toolName: ctx.toolCall.name,
        error: ctx.toolResult.error,
      });
    }
    return ctx;
  });
}
