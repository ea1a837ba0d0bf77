import type { JsonValue } from './json';

/** One message of the conversation. */
export interface Message {
  readonly id: string;
  readonly data: CoreMessage;
  metadata: Record<string, JsonValue>;
  readonly createdAt: Date;
  readonly source: MessageSource;
}

export type MessageSource =
  | { type: 'user' }
  | { type: 'assistant'; stepId: string }
  | { type: 'tool'; toolCallId: string; toolName: string }
  | { type: 'system' }
  | { type: 'extension'; extensionName: string };

/** What the model sees. */
export interface CoreMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | MessagePart[];
}

export type MessagePart =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: JsonValue }
  | { type: 'tool-result'; toolCallId: string; toolName: string; output: JsonValue }
  | { type: string; [field: string]: unknown };

/** A change of the conversation. An appended message needs only `data`. */
export type MessageEvent =
  | { type: 'append'; message: NewMessage }
  | { type: 'replace'; targetId: string; message: NewMessage }
  | { type: 'remove'; targetId: string }
  | { type: 'truncate' };

export type NewMessage = Pick<Message, 'data'> & Partial<Omit<Message, 'data'>>;

export interface ConversationState {
  readonly baseMessages: readonly Message[];
  readonly events: readonly MessageEvent[];
  /** The base with all events applied, those of this middleware included. */
  readonly nextMessages: readonly Message[];
}
