// The interface of `console` for whatever takes lines of a log.
import { fileURLToPath } from 'node:url';
import { formatWithOptions, inspect } from 'node:util';

const MAX_TEXT = 64 * 1024;
const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url));
const INDENT = '  ';

// `write(level, text)` gets whole texts. The functions work without their object, as console's do.
export function makeConsole(write) {
  let indent = '';
  let counts = null;
  let timers = null;
  const put = (level, text) => {
    const whole = indent === '' ? text : indent + text.replaceAll('\n', '\n' + indent);
    write(level, whole.length > MAX_TEXT ? whole.slice(0, MAX_TEXT) + '… (cut)' : whole);
  };
  const say = (level) => (...values) => put(level, format(values));
  const elapsed = (label) => {
    const since = timers?.get(String(label));
    return since === undefined ? null : `${label}: ${(performance.now() - since).toFixed(3)}ms`;
  };
  const info = say('info');
  const group = (...values) => {
    if (values.length > 0) info(...values);
    indent += INDENT;
  };
  const nothing = () => {};
  return {
    log: info,
    info,
    debug: say('debug'),
    warn: say('warn'),
    error: say('error'),
    trace: (...values) => put('debug', `Trace: ${format(values)}\n${stackOf(new Error())}`),
    dir: (value, options) => put('info', inspect(value, options)),
    dirxml: info,
    table: (value) => put('info', inspect(value, { compact: false })),
    assert: (condition, ...values) => {
      if (!condition) put('error', values.length > 0 ? `Assertion failed: ${format(values)}` : 'Assertion failed');
    },
    count: (label = 'default') => {
      counts ??= new Map();
      counts.set(label, (counts.get(label) ?? 0) + 1);
      put('info', `${label}: ${counts.get(label)}`);
    },
    countReset: (label = 'default') => void counts?.delete(label),
    time: (label = 'default') => void (timers ??= new Map()).set(String(label), performance.now()),
    timeLog: (label = 'default', ...values) => info(elapsed(label) ?? `${label}: no such timer`, ...values),
    timeEnd: (label = 'default') => {
      info(elapsed(label) ?? `${label}: no such timer`);
      timers?.delete(String(label));
    },
    group,
    groupCollapsed: group,
    groupEnd: () => void (indent = indent.slice(INDENT.length)),
    clear: nothing,
    profile: nothing,
    profileEnd: nothing,
    timeStamp: nothing,
  };
}

// A value whose inspection throws must not make its logging do so.
function format(values) {
  try {
    return withoutOwnFrames(formatWithOptions({ colors: false }, ...values));
  } catch (thrown) {
    return `(a value that cannot be shown: ${String(thrown?.message)})`;
  }
}

// Of a stack, authors want to see their own code, not what called it.
function withoutOwnFrames(text) {
  if (!text.includes('\n    at ') || !text.includes(OWN_FOLDER)) return text;
  return text.split('\n').filter((line) => !/^ +at /.test(line) || !line.includes(OWN_FOLDER)).join('\n');
}

const stackOf = (error) => error.stack.split('\n').slice(2).join('\n');

// From now on `console` of any code writes to the log of the call it belongs to.
export function replaceConsole(write) {
  Object.assign(globalThis.console, makeConsole(write));
}
