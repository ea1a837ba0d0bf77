import type { AgentToolRuntime } from './agents';
import type { JsonLike, JsonObject, JsonSchemaObject, JsonValue } from './json';
import type { Message } from './message';

/**
 * One export of a tool. The input has been checked against the export's `parameters`, so a handler
 * may name a narrower type for it: `async (ctx, input: { path: string }) => …`.
 */
export type ToolHandler = {
  // As a method, whose parameters may be narrower.
  handle(ctx: ToolContext, input: JsonObject): Promise<JsonLike | void> | JsonLike | void;
}['handle'];

/** What a tool's module exports under this name: a handler for each export of its resource. */
export type ToolHandlers = Record<string, ToolHandler>;

export interface ExecutionContext {
  readonly agentName: string;
  readonly instanceKey: string;
  readonly turnId: string;
  readonly traceId: string;
}

export interface ToolContext extends ExecutionContext {
  readonly toolCallId: string;
  /** The message of the model that holds this call. */
  readonly message: Message;
  /** The instance's own folder: paths in arguments are relative to it. */
  readonly workdir: string;
  /** Goes to the log of the call. */
  readonly logger: Console;
  /** Other agents; not there where none run, e.g. with `gdn call`. */
  readonly runtime?: AgentToolRuntime;
  /** Aborted when the call is cancelled or its time is over: give it to `fetch` and the like. */
  readonly signal: AbortSignal;
  /** How long the call may take, if that is limited. */
  readonly timeoutMs?: number;
  /** Tells whoever watches how far it is. A total of 0 is unknown. */
  progress(done: number, total?: number, text?: string): void;
}

export interface ToolCall {
  id: string;
  name: string;
  args: JsonObject;
}

export interface ToolCallResult {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output?: JsonValue;
  /** `pending`: a handler returned `{__async: true, handle, …}`; the result comes later. */
  readonly status: 'ok' | 'error' | 'pending';
  readonly handle?: string;
  readonly error?: ToolCallResultError;
}

/** Throw an `Error` with these fields to set them. */
export interface ToolCallResultError {
  readonly name?: string;
  readonly message: string;
  readonly code?: string;
  /** What the model, or whoever reads it, can do about it. */
  readonly suggestion?: string;
  readonly helpUrl?: string;
}

export type ToolError = ToolCallResultError;
export type ToolResult = Pick<ToolCallResult, 'status' | 'output' | 'handle' | 'error'>;

/** A tool as the model sees it in one step. */
export interface ToolCatalogItem {
  name: string;
  description?: string;
  parameters?: JsonSchemaObject;
  source?: ToolSource;
}

export interface ToolSource {
  type: 'config' | 'extension' | 'mcp';
  name: string;
  mcp?: { extensionName: string; serverName?: string };
}

/** `spec` of a Tool resource. */
export interface ToolSpec {
  entry: string;
  errorMessageLimit?: number;
  exports: ToolExportSpec[];
}

export interface ToolExportSpec {
  name: string;
  description?: string;
  parameters?: JsonSchemaObject;
}

export type ToolIdentity = `Tool/${string}`;
