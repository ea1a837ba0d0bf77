import type { JsonLike, JsonObject, JsonSchemaObject } from './json';
import type { StepMiddleware, SwarmInfo, ToolCallMiddleware, TurnMiddleware } from './middleware';
import type { ToolCatalogItem, ToolHandler } from './tool';

/** What an extension's module exports under the name `register`. A failure stops the agent. */
export type ExtensionRegister<Config = JsonObject> = (api: ExtensionApi, config: Config) => Promise<void> | void;

/** The runtime, as an extension sees it. May be kept. */
export interface ExtensionApi {
  readonly pipeline: PipelineApi;
  readonly tools: ToolsApi;
  readonly state: StateApi;
  readonly events: EventsApi;
  readonly logger: Console;
  readonly extension: { readonly metadata: { readonly name: string } };
  readonly agent: ExtensionAgent;
  /** Of `agents.example.io/v1alpha1`; new extensions use `pipeline`. */
  readonly pipelines: OldPipelinesApi;
}

export interface MiddlewareOptions {
  /** A lower one is further outside; default 0. Equal ones keep their order. */
  priority?: number;
}

/** Only while `register` runs. */
export interface PipelineApi {
  register(kind: 'turn', middleware: TurnMiddleware, options?: MiddlewareOptions): void;
  register(kind: 'step', middleware: StepMiddleware, options?: MiddlewareOptions): void;
  register(kind: 'toolCall', middleware: ToolCallMiddleware, options?: MiddlewareOptions): void;
}

export interface ToolsApi {
  /**
   * Adds a tool `<something>__<export>`, in the catalog from the next step on; one's own tool of the
   * same name is replaced. At any time. Need not be awaited: a refusal while `register` runs fails it.
   */
  register(item: ToolCatalogItem, handler: ToolHandler): Promise<void>;
  register(definition: DynamicToolDefinition): Promise<void>;
}

export interface DynamicToolDefinition {
  name: string;
  description?: string;
  parameters?: JsonSchemaObject;
  handler: ToolHandler;
}

/** What the extension keeps for this instance of the agent, also when that is started again. */
export interface StateApi {
  /** Null at first. */
  get<State = any>(): State | null;
  /** Fulfilled once it is on disk; `get` gives it at once. */
  set(state: JsonLike): Promise<void>;
}

/** Between the extensions of the agent. */
export interface EventsApi {
  /** Returns what takes the listener out again. */
  on<Payload = any>(name: string, listener: (payload: Payload) => unknown): () => void;
  emit(name: string, payload?: unknown): void;
}

export interface ExtensionAgent {
  readonly name: string;
  readonly instanceKey: string;
  readonly workdir: string;
  readonly bundleRoot: string;
  readonly swarm: SwarmInfo;
}

export interface OldPipelinesApi {
  mutate(point: 'toolCall.pre' | 'toolCall.post' | 'step.tools' | 'step.blocks', mutate: (ctx: any) => unknown): void;
  wrap(point: 'toolCall.exec', wrap: (ctx: any, next: (ctx?: any) => Promise<any>) => unknown): void;
}
