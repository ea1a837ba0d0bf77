// Each line after a @ts-expect-error must not compile; `tsc` reports those that do.
import type { ExtensionApi, MessageEvent, ToolContext, ToolHandler } from '@goondan/types';

// @ts-expect-error a function is no JSON
export const returnsFunction: ToolHandler = () => () => 1;
// @ts-expect-error nor is it in a promise
export const promisesFunction: ToolHandler = async () => () => 1;
// @ts-expect-error bytes are refused
export const returnsBytes: ToolHandler = () => new Uint8Array(3);
// @ts-expect-error the input is an object
export const inputIsText: ToolHandler = (_ctx, input: string) => input;
// @ts-expect-error a third parameter is never given
export const threeParameters: ToolHandler = (_ctx, _input, more: string) => more;

export function readOnly(ctx: ToolContext): void {
  // @ts-expect-error the workdir cannot be changed
  ctx.workdir = '/';
  // @ts-expect-error agents run only in a swarm
  ctx.runtime.catalog();
  // @ts-expect-error there is no OAuth in this dialect
  ctx.oauth;
}

export function register(api: ExtensionApi): void {
  // @ts-expect-error there is no such kind
  api.pipeline.register('toolcall', async (ctx) => ctx.next());
  // @ts-expect-error a call has no catalog
  api.pipeline.register('toolCall', async (ctx) => { ctx.toolCatalog = []; return ctx.next(); });
  // @ts-expect-error a step does not end with text
  api.pipeline.register('step', async () => 'done');
  // @ts-expect-error a priority is a number
  api.pipeline.register('turn', async (ctx) => ctx.next(), { priority: 'high' });
  // @ts-expect-error a function cannot be kept
  api.state.set(() => 1);
  // @ts-expect-error a tool needs a handler
  api.tools.register({ name: 'a__b' });
  // @ts-expect-error the name of the called tool cannot be changed
  api.pipeline.register('toolCall', async (ctx) => { ctx.toolName = 'x__y'; return ctx.next(); });
}

// @ts-expect-error replace needs a target
export const replace: MessageEvent = { type: 'replace', message: { data: { role: 'user', content: '' } } };
