import type { AgentEvent, AgentRuntimeRequestOptions, AgentRuntimeRequestResult, AgentRuntimeSendResult } from './agents';
import type { JsonObject, JsonValue } from './json';
import type { ConversationState, Message, MessageEvent } from './message';
import type { ExecutionContext, ToolCall, ToolCallResult, ToolCallResultError, ToolCatalogItem } from './tool';

/**
 * Middleware runs around what is inside of it: it calls `ctx.next()` once, and what it returns is the
 * result. Returning nothing after `next()` leaves the result as it is.
 */
export type Middleware<Context, Outcome> = (ctx: Context) => Promise<Outcome | void> | Outcome | void;

export type TurnMiddleware = Middleware<TurnMiddlewareContext, TurnResult>;
export type StepMiddleware = Middleware<StepMiddlewareContext, StepResult>;
export type ToolCallMiddleware = Middleware<ToolCallMiddlewareContext, ToolCallResult>;

export interface MiddlewareContext<Outcome> extends ExecutionContext {
  /** Shared with the layers inside and outside. */
  metadata: Record<string, JsonValue>;
  readonly runtime: MiddlewareRuntime;
  /** Aborted when the turn or the call is cancelled. */
  readonly signal: AbortSignal;
  /** Runs everything inside. A second call is an error. */
  next(): Promise<Outcome>;
}

export interface ToolCallMiddlewareContext extends MiddlewareContext<ToolCallResult> {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly stepIndex?: number;
  /** What the handler will get. */
  args: JsonObject;
}

export interface ConversationContext<Outcome> extends MiddlewareContext<Outcome> {
  readonly inputEvent: InputEvent;
  readonly conversationState: ConversationState;
  readonly agents: MiddlewareAgents;
  /** Changes the conversation. Need not be awaited; a failure then fails the middleware. */
  emitMessageEvent(event: MessageEvent): Promise<void>;
}

export interface StepMiddlewareContext extends ConversationContext<StepResult> {
  /** From 1. */
  readonly stepIndex: number;
  /** What the model sees and may call. `{...item, name}` offers a tool under another name. */
  toolCatalog: ToolCatalogItem[];
  /** What the model is told in this step beyond the conversation, e.g. of logins that are waited for; often not there. */
  blocks?: JsonObject[];
}

export interface TurnMiddlewareContext extends ConversationContext<TurnResult> {}

export interface StepResult {
  status: 'completed' | 'failed';
  /** Whether another step follows. */
  shouldContinue: boolean;
  toolCalls: ToolCall[];
  toolResults: ToolCallResult[];
  error?: ToolCallResultError;
}

export interface TurnResult {
  turnId: string;
  responseMessage?: Message | string;
  finishReason: 'text_response' | 'max_steps' | 'error' | 'interrupted';
  error?: ToolCallResultError;
}

/** What started the turn. */
export interface InputEvent {
  readonly id: string;
  readonly type: string;
  readonly input: string;
  readonly source: { kind: 'user' | 'agent' | 'system'; name: string; instanceKey?: string };
  readonly metadata: JsonObject;
  readonly createdAt: Date;
}

export interface MiddlewareAgents {
  request(target: string, event: AgentEvent, options?: AgentRuntimeRequestOptions): Promise<AgentRuntimeRequestResult>;
  request(call: AgentEvent & AgentRuntimeRequestOptions & { target: string }): Promise<AgentRuntimeRequestResult>;
  send(target: string, event: AgentEvent): Promise<AgentRuntimeSendResult>;
  send(call: AgentEvent & { target: string }): Promise<AgentRuntimeSendResult>;
}

export interface MiddlewareRuntime {
  readonly agent: { readonly name: string; readonly bundleRoot: string; readonly prompt?: { readonly system?: string } };
  readonly swarm: SwarmInfo;
  /** Not in `toolCall`. */
  readonly inbound?: InboundInfo;
}

export interface SwarmInfo {
  readonly swarmName: string;
  readonly entryAgent: string;
  readonly selfAgent: string;
  readonly availableAgents: readonly string[];
  readonly callableAgents: readonly string[];
}

export interface InboundInfo {
  readonly eventId: string;
  readonly eventType: string;
  readonly sourceKind: string;
  readonly sourceName: string;
  readonly createdAt: Date;
  readonly instanceKey?: string;
  readonly eventMetadata?: JsonObject;
}
