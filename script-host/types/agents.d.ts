import type { JsonValue } from './json';

/** What is sent to another agent. */
export interface AgentEvent {
  /** Default: `agent.request` or `agent.send`. */
  type?: string;
  input: string;
  /** Which conversation of the target; default: the one of the sender. */
  instanceKey?: string;
  metadata?: Record<string, JsonValue>;
}

/** Other agents of the swarm. */
export interface AgentToolRuntime {
  /** Waits for the answer, 60 seconds if nothing else is said. */
  request(target: string, event: AgentEvent, options?: AgentRuntimeRequestOptions): Promise<AgentRuntimeRequestResult>;
  send(target: string, event: AgentEvent): Promise<AgentRuntimeSendResult>;
  spawn(target: string, options?: AgentRuntimeSpawnOptions): Promise<AgentRuntimeSpawnResult>;
  list(options?: AgentRuntimeListOptions): Promise<AgentRuntimeListResult>;
  catalog(): Promise<AgentRuntimeCatalogResult>;
}

export interface AgentRuntimeRequestOptions {
  timeoutMs?: number;
  /** Do not wait: the answer comes as a message in a later step. */
  async?: boolean;
}

export interface AgentRuntimeRequestResult {
  eventId: string;
  target: string;
  response?: JsonValue;
  correlationId: string;
  accepted?: boolean;
  async?: boolean;
}

export interface AgentRuntimeSendResult {
  eventId: string;
  target: string;
  accepted: boolean;
}

export interface AgentRuntimeSpawnOptions {
  instanceKey?: string;
  cwd?: string;
}

export interface AgentRuntimeSpawnResult {
  target: string;
  instanceKey: string;
  /** False: there was such an instance already. */
  spawned: boolean;
  cwd?: string;
}

export interface AgentRuntimeListOptions {
  /** All instances of the swarm, not only one's own. */
  includeAll?: boolean;
}

export interface AgentRuntimeListResult {
  agents: SpawnedAgentInfo[];
}

export interface SpawnedAgentInfo {
  target: string;
  instanceKey: string;
  ownerAgent: string;
  ownerInstanceKey: string;
  createdAt: string;
  cwd?: string;
}

export interface AgentRuntimeCatalogResult {
  swarmName: string;
  entryAgent: string;
  selfAgent: string;
  availableAgents: string[];
  callableAgents: string[];
}
