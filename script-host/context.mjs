// `ctx` of a tool's handler.
import { agentRuntime } from './agents.mjs';
import { makeConsole } from './logger.mjs';
import { reviveMessage } from './messages.mjs';

// What is seldom used is made when it is asked for. Everything is an own property, so that a copy
// with `{...ctx}` is complete.
export function toolContext(link, call, given, extension) {
  let logger;
  const context = {
    agentName: given.agentName,
    instanceKey: given.instanceKey,
    turnId: given.turnId,
    traceId: given.traceId,
    toolCallId: given.toolCallId,
    message: reviveMessage(given.message ?? null),
    workdir: given.workdir,
    get logger() {
      return (logger ??= makeConsole((level, text) => logLine(link, call, level, text, extension)));
    },
    get signal() {
      return call.signal;
    },
    progress: (done, total, text) => {
      if (!call.over) link.note(call, 'progress', { done: Number(done), total: Number(total ?? 0), text: String(text ?? '') });
    },
  };
  if (given.timeoutMs !== undefined) context.timeoutMs = given.timeoutMs;
  if (given.agentName) context.runtime = agentRuntime(link, call);
  return context;
}

export function logLine(link, call, level, text, extension) {
  link.note(call, 'log', extension === undefined ? { level, text } : { level, text, extension });
}
