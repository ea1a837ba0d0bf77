// Types for tools and extensions of `apiVersion: agents.example.io/v1alpha1`. In tsconfig.json, `paths` lets
// `@goondan/core` be this file; docs/v1alpha1.md explains it.
import type { ExtensionApi as TodaysApi, MiddlewareOptions } from '../extension';
import type { JsonLike, JsonObject, JsonSchemaObject, JsonValue } from '../json';
import type { ToolContext as TodaysContext } from '../tool';
import type {
  EffectiveConfig, EventBus, ObjectRef, Resource, Step, SwarmInstance, ToolCall, ToolCatalogItem, ToolResult, Turn,
} from './turn';

export * from '../json';
export * from './turn';
export type { MiddlewareOptions };

/**
 * One export of a tool. The input has been checked against the export's `parameters`, so a handler may name a narrower
 * type for it.
 */
export type ToolHandler = {
  // As a method, whose parameters may be narrower.
  handle(ctx: ToolContext, input: Record<string, any>): Promise<JsonLike | void> | JsonLike | void;
}['handle'];

/** All that the context of today has, too. */
export interface ToolContext extends TodaysContext {
  readonly instance: SwarmInstance;
  /** Null where no agent runs, e.g. with `gdn call`. */
  readonly swarm: Resource | null;
  readonly agent: Resource | null;
  readonly turn: Turn;
  readonly step: Step;
  readonly toolCatalog: ToolCatalogItem[];
  readonly swarmBundle: SwarmBundleApi;
  readonly oauth: OAuthApi;
  readonly events: EventBus;
}

export interface SwarmBundleApi {
  /** Rejected where no agent runs. */
  openChangeset(options?: { reason?: string }): Promise<OpenedChangeset>;
  commitChangeset(options: { changesetId: string; message?: string }): Promise<CommittedChangeset>;
}

export type OpenedChangeset = {
  changesetId: string;
  baseRef: string;
  workdir: string;
  [field: string]: JsonValue;
};

export type CommittedChangeset = {
  status: string;
  changesetId: string;
  [field: string]: JsonValue;
};

export interface OAuthApi {
  /** Never rejected but by the end of the call: what goes wrong is a result. */
  getAccessToken(request: OAuthTokenRequest): Promise<OAuthTokenResult>;
}

export interface OAuthTokenRequest {
  oauthAppRef: ObjectRef;
  /** Some of the application's; default: all of them. */
  scopes?: string[];
  /** How long the token must still be good for. */
  minTtlSeconds?: number;
}

export type OAuthTokenResult = OAuthTokenReady | OAuthAuthorizationRequired | OAuthTokenError;

export interface OAuthTokenReady {
  status: 'ready';
  accessToken: string;
  tokenType: string;
  expiresAt?: string;
  scopes: string[];
}

export interface OAuthAuthorizationRequired {
  status: 'authorization_required';
  authSessionId: string;
  authorizationUrl: string;
  expiresAt: string;
  message: string;
}

export interface OAuthTokenError {
  status: 'error';
  error: { code: string; message: string };
}

/** The runtime, as an extension sees it. May be kept. All that the one of today has, too. */
export interface ExtensionApi extends Omit<TodaysApi, 'extension' | 'pipelines' | 'tools'> {
  /** The extension's resource as it is written. */
  readonly extension: Resource;
  readonly pipelines: PipelinesApi;
  readonly tools: { register(definition: DynamicToolDefinition): Promise<void> };
}

/** Only while `register` runs. A mutator changes its context, or returns a changed one. */
export interface PipelinesApi {
  mutate(point: 'toolCall.pre' | 'toolCall.post', mutate: Mutator<ToolCallExecContext>): void;
  mutate(point: 'step.tools' | 'step.blocks', mutate: Mutator<StepPipelineContext>): void;
  /** What is returned is the result; nothing: the one that `next` gave. */
  wrap(point: 'toolCall.exec', wrap: ToolCallWrap): void;
}

export type Mutator<Context> = (ctx: Context) => Promise<Context | void> | Context | void;

export type ToolCallWrap = (
  ctx: ToolCallExecContext,
  next: (ctx?: ToolCallExecContext) => Promise<ToolResult>,
) => Promise<ToolResult | void> | ToolResult | void;

export interface PipelineContext {
  readonly instance: SwarmInstance & { readonly dynamicTools: DynamicToolDefinition[] };
  readonly swarm: Resource | null;
  readonly agent: Resource | null;
  readonly turn: Turn;
  readonly step: Step;
  readonly effectiveConfig: EffectiveConfig;
}

export interface ToolCallExecContext extends PipelineContext {
  /** Its `arguments` may be changed before the call. */
  toolCall: ToolCall;
  /** From the end of the call on. */
  toolResult?: ToolResult;
  readonly toolCatalog: ToolCatalogItem[];
}

export interface StepPipelineContext extends PipelineContext {
  /** What the model is shown. */
  toolCatalog: ToolCatalogItem[];
  /** What the model is told in this step beyond the conversation. */
  blocks: JsonObject[];
}

export interface DynamicToolDefinition {
  name: string;
  description?: string;
  parameters?: JsonSchemaObject;
  handler: ToolHandler;
}
