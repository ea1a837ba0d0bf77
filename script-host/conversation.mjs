// The conversation as middleware of turns and steps sees and changes it.
import { randomUUID } from 'node:crypto';

import { reviveMessage } from './messages.mjs';
import { Tracked } from './tracked.mjs';

const NEEDS_MESSAGE = { append: true, replace: true, remove: false, truncate: false };
const NEEDS_TARGET = { append: false, replace: true, remove: true, truncate: false };

export class Conversation {
  #ask;
  #extension;
  #base;
  #events = [];
  #next = null;

  // `ask(params)` tells the runtime of a change and gives its answer.
  constructor(messages, extension, ask) {
    this.#ask = ask;
    this.#extension = extension;
    this.reset(messages);
    const conversation = this;
    this.state = {
      get baseMessages() { return conversation.#base; },
      get events() { return conversation.#events; },
      get nextMessages() { return (conversation.#next ??= fold(conversation.#base, conversation.#events)); },
    };
  }

  // What the runtime says the conversation is now.
  reset(messages) {
    this.#base = messages.map(reviveMessage);
    this.#events = [];
    this.#next = null;
  }

  // Takes effect here at once, so that it need not be awaited; undone if the runtime refuses it.
  emit(given) {
    const event = checked(given, this.#extension);
    this.#events.push(event);
    this.#next = null;
    const { type: change, message, targetId } = event;
    return Tracked.of(this.#ask({ change, message, targetId }).then(
      (kept) => {
        if (kept !== null && event.message) event.message = reviveMessage(kept);
        this.#next = null;
      },
      (thrown) => {
        this.#events = this.#events.filter((one) => one !== event);
        this.#next = null;
        throw thrown;
      }));
  }
}

function checked(event, extension) {
  const type = event?.type;
  if (!Object.hasOwn(NEEDS_MESSAGE, String(type))) {
    throw new TypeError(`a message event has the type append, replace, remove or truncate, not ${String(type)}`);
  }
  if (NEEDS_TARGET[type] && typeof event.targetId !== 'string') throw new TypeError(`${type} needs a targetId`);
  if (!NEEDS_MESSAGE[type]) return { type, targetId: event.targetId };
  if (typeof event.message?.data !== 'object') throw new TypeError(`${type} needs a message {data: {role, content}}`);
  return { type, targetId: event.targetId, message: completed(event.message, extension) };
}

function completed(message, extension) {
  return {
    id: `msg_${randomUUID()}`,
    metadata: {},
    createdAt: new Date(),
    source: { type: 'extension', extensionName: extension },
    ...message,
  };
}

function fold(base, events) {
  let messages = [...base];
  for (const { type, targetId, message } of events) {
    const at = messages.findIndex((one) => one.id === targetId);
    if (type === 'append') messages.push(message);
    else if (type === 'truncate') messages = [];
    else if (at >= 0) messages.splice(at, 1, ...(type === 'replace' ? [message] : []));
  }
  return messages;
}
