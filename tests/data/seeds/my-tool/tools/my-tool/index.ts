// tools/my-tool/index.ts
import type { ToolHandler, ToolContext, JsonValue, JsonObject } from '@goondan/types';
// 참고: ToolContext.runtime (AgentToolRuntime)은 @goondan/types에 정의되어 있지 않습니다.
// Runtime이 실행 시점에 ToolContext에 `runtime` 필드를 주입합니다.
// 핸들러에서 ctx.runtime이 존재할 때 안전하게 접근할 수 있습니다 (optional).

export const handlers: Record<string, ToolHandler> = {
  doSomething: async (ctx: ToolContext, input: JsonObject): Promise<JsonValue> => {
    // 구현
    return { result: 'done' };
  },
};
