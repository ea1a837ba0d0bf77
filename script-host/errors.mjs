// Errors on their way over the socket: `{message, name?, code?, suggestion?, helpUrl?}`.

const MAX_MESSAGE = 64 * 1024;  // the runtime cuts at the tool's own, lower limit
const NOT_AN_ERROR = 'Unknown tool execution error';

// What was thrown need not be an Error, and reading its fields may throw again.
export function toWire(thrown) {
  try {
    if (!isErrorLike(thrown)) return { message: NOT_AN_ERROR };
    const wire = { message: String(thrown.message).slice(0, MAX_MESSAGE) || NOT_AN_ERROR };
    for (const key of ['name', 'code', 'suggestion', 'helpUrl']) {
      if (typeof thrown[key] === 'string' && thrown[key] !== '') wire[key] = thrown[key].slice(0, MAX_MESSAGE);
    }
    return wire;
  } catch {
    return { message: NOT_AN_ERROR };
  }
}

// Errors of another realm are no instances of ours.
export function isErrorLike(thrown) {
  return thrown instanceof Error || (typeof thrown === 'object' && thrown !== null && typeof thrown.message === 'string');
}

export function fromWire(wire) {
  const error = new Error(wire.message);
  for (const key of ['name', 'code', 'suggestion', 'helpUrl']) {
    if (typeof wire[key] === 'string') error[key] = wire[key];
  }
  return error;
}

export function failure(message, fields) {
  return Object.assign(new Error(message), fields);
}
