import type { ToolHandler } from '@goondan/types';

// The input has been checked against the parameters in tool.yaml before this runs.
const greet: ToolHandler = async (ctx, input: { name: string; times?: number }) => {
  const times = input.times ?? 1;
  const greetings: string[] = [];
  for (let i = 1; i <= times; ++i) {
    greetings.push(`Hello, ${input.name}!`);
    ctx.progress(i, times);
  }
  return { greeting: greetings.join(' ') };
};

export const handlers: Record<string, ToolHandler> = { greet };
