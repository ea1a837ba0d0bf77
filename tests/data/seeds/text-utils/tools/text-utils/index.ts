import type { ToolHandler, ToolContext, JsonObject, JsonValue } from '@goondan/types';
// 참고: ctx.runtime (AgentToolRuntime)은 Runtime이 주입하며, @goondan/types에서 import하지 않습니다.

export const handlers: Record<string, ToolHandler> = {
  uppercase: async (ctx: ToolContext, input: JsonObject): Promise<JsonValue> => {
    const text = String(input.text);
    ctx.logger.info(`Converting "${text}" to uppercase`);
    return { result: text.toUpperCase() };
  },
};
