import type { JsonObject, JsonSchemaObject, JsonValue } from '../json';

/** A document of the bundle as it is written. */
export interface Resource<Spec = any> {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; [field: string]: unknown };
  spec: Spec;
}

export interface ObjectRef {
  kind: string;
  name: string;
  apiVersion?: string;
}
export type ObjectRefLike = string | ObjectRef;

export interface SwarmInstance {
  /** Empty where no agent runs. */
  readonly id: string;
  readonly key: string;
}

export interface Turn {
  readonly id: string;
  readonly instanceId: string;
  readonly agentName: string;
  readonly messages: LlmMessage[];
  /** By the ids of their calls. */
  readonly toolResults: Map<string, ToolResult>;
  /** Where the turn came from, in the words of its connector. */
  readonly origin?: { connector?: string; channel?: string; threadTs?: string; [key: string]: JsonValue | undefined };
  readonly auth?: TurnAuth;
  readonly metadata?: JsonObject;
}

/** On whose behalf the turn acts. */
export interface TurnAuth {
  actor?: JsonObject;
  subjects?: { global?: string; user?: string; [kind: string]: string | undefined };
  [field: string]: unknown;
}

export interface Step {
  readonly id: string;
  /** From 1; 0 where no agent runs. */
  readonly index: number;
  readonly turnId: string;
  readonly llmResult?: LlmResult;
  readonly pendingToolCalls?: ToolCall[];
}

export interface LlmResult {
  message: LlmMessage;
  toolCalls: ToolCall[];
}

export type LlmMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content?: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; toolName: string; output: JsonValue };

export interface ToolCall {
  id: string;
  name: string;
  arguments: JsonObject;
}

export interface ToolResult {
  status: 'ok' | 'error' | 'pending';
  output?: JsonValue;
  handle?: string;
  error?: ToolError;
}

export interface ToolError {
  message: string;
  name?: string;
  code?: string;
}

export interface ToolCatalogItem {
  name: string;
  description?: string;
  parameters?: JsonSchemaObject;
  /** The tool's resource; null for one that was registered at run time. */
  tool?: Resource<ToolSpec> | null;
  export?: ToolExportSpec | null;
  source?: ToolSource;
}

export interface ToolSource {
  type: 'config' | 'extension' | 'mcp';
  name: string;
  mcp?: { extensionName: string; serverName?: string };
}

export interface ToolSpec {
  runtime: 'node';
  entry: string;
  errorMessageLimit?: number;
  auth?: { oauthAppRef: ObjectRef; scopes?: string[] };
  exports: ToolExportSpec[];
}

export interface ToolExportSpec {
  name: string;
  description?: string;
  parameters?: JsonSchemaObject;
  auth?: { scopes?: string[] };
}

export type ToolIdentity = `Tool/${string}`;

/** The agent's resources as they are written. */
export interface EffectiveConfig {
  swarm: Resource | null;
  agent: Resource | null;
  model: Resource | null;
  tools: Resource<ToolSpec>[];
  extensions: Resource[];
}

/** Between the tools and extensions of the agent. */
export interface EventBus {
  /** Returns what takes the listener out again. */
  on<Payload = any>(name: string, listener: (payload: Payload) => unknown): () => void;
  emit(name: string, payload?: unknown): void;
}
