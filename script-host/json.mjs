// JSON text of whatever a handler returned. Values that JSON does not have become what a reader
// would expect; those for which nothing can be expected are refused with their place.
import { types } from 'node:util';

export const MAX_DEPTH = 64;  // the runtime refuses more
// Characters that the text has at least, counted while the value is walked: the same list in a list
// again and again, or a list with nothing in it but a length, would be walked for ever.
const MAX_TEXT = 64 * 1024 * 1024;
const LEAST_TEXT = 2;  // of a value: itself and what parts it from the next

export class NotJson extends Error {
  name = 'ToolBadReplyError';
  code = 'E_TOOL_BAD_REPLY';
  constructor(message, suggestion) {
    super(message);
    this.suggestion = suggestion;
  }
}

// `what` names the value in messages, e.g. "the result".
export function toJson(value, what) {
  const walk = { what, keys: [], above: [], text: 0 };
  const normal = normalize(value, walk);
  if (normal === undefined && value !== undefined) refuse(walk, `is a ${typeof value}`, 'Return a JSON value.');
  return wellFormed(JSON.stringify(normal === undefined ? null : normal));
}

// A copy without anything of the original, as the other side would see it.
export const copyOf = (value, what) => JSON.parse(toJson(value, what));

// Half of a pair of surrogates is no character. `JSON.stringify` writes it as an escape, which the
// runtime refuses.
function wellFormed(text) {
  if (!text.includes('\\ud')) return text;
  return text.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === '\\\\' ? found : '\ufffd'));
}

// Undefined where there is nothing to write. Returns the value itself if nothing had to be changed.
function normalize(value, walk) {
  if ((walk.text += LEAST_TEXT) > MAX_TEXT) refuseSize(walk);
  switch (typeof value) {
    case 'string':
      if ((walk.text += value.length) > MAX_TEXT) refuseSize(walk);
      return value;
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? null : normalizeObject(value, walk);
    default:
      return undefined;
  }
}

function normalizeObject(value, walk) {
  if (walk.above.length >= MAX_DEPTH) refuseDepth(value, walk);
  walk.above.push(value);
  const prototype = Object.getPrototypeOf(value);
  let result;
  if (Array.isArray(value)) result = normalizeArray(value, walk);
  else if (typeof value.toJSON === 'function' || (prototype !== Object.prototype && prototype !== null)) {
    result = normalizeExotic(value, walk);
  } else result = normalizeFields(value, walk);
  walk.above.pop();
  return result;
}

function normalizeArray(array, walk) {
  if (walk.text + array.length * LEAST_TEXT > MAX_TEXT) refuseSize(walk);
  let copy = null;
  for (let i = 0; i < array.length; ++i) {
    walk.keys.push(i);
    const item = normalize(array[i], walk) ?? null;
    walk.keys.pop();
    if (copy === null && item !== array[i]) copy = array.slice(0, i);
    if (copy !== null) copy[i] = item;
  }
  return copy ?? array;
}

function normalizeFields(object, walk) {
  let copy = null;
  const keys = Object.keys(object);
  for (let i = 0; i < keys.length; ++i) {
    const before = object[keys[i]];
    walk.keys.push(keys[i]);
    const field = normalize(before, walk);
    walk.keys.pop();
    if (copy === null && field !== before) copy = firstFields(object, keys, i);
    if (copy !== null && field !== undefined) copy[keys[i]] = field;
  }
  return copy ?? object;
}

function firstFields(object, keys, count) {
  const copy = Object.create(null);  // `__proto__` is a field like any other in it
  for (let i = 0; i < count; ++i) copy[keys[i]] = object[keys[i]];
  return copy;
}

function normalizeExotic(value, walk) {
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (types.isMap(value)) {
    const fields = Object.create(null);
    for (const [key, item] of value) fields[String(key)] = item;
    return normalizeFields(fields, walk);
  }
  if (types.isSet(value)) return normalizeArray([...value], walk);
  if (types.isRegExp(value) || types.isSymbolObject(value)) return String(value);
  if (types.isBoxedPrimitive(value)) return normalize(value.valueOf(), walk);
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) {
    refuse(walk, 'holds bytes', "Return text, e.g. Buffer.from(bytes).toString('base64').");
  }
  if (types.isPromise(value)) refuse(walk, 'is a promise', 'Await it.');
  if (typeof value.toJSON === 'function') return normalize(value.toJSON(), walk) ?? null;
  if (value instanceof Error) return normalizeFields({ name: value.name, message: value.message, ...value }, walk);
  return normalizeFields(value, walk);
}

function refuseDepth(value, walk) {
  const first = walk.above.indexOf(value);
  if (first >= 0) refuse(walk, 'contains itself', 'Return a copy without the reference back.');
  refuse(walk, `is nested deeper than ${MAX_DEPTH} levels`, 'Return something flatter.');
}

function refuseSize(walk) {
  walk.keys.length = 0;  // no single place is to blame
  refuse(walk, `is larger than ${MAX_TEXT / 1024 / 1024} MiB`, 'Write it to a file in ctx.workdir and return its path.');
}

function refuse(walk, how, suggestion) {
  const keys = walk.keys.slice(0, 8).map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
  const place = keys.join('') + (walk.keys.length > 8 ? '…' : '');
  throw new NotJson(place === '' ? `${walk.what} ${how}` : `${walk.what} ${how} at ${place}`, suggestion);
}
