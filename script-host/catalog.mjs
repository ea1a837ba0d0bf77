// Items of the tool catalog. Under which name a tool's handler is found travels in a symbol, so that
// `{...item, name}` keeps it and items look as they are documented.

const REGISTERED = Symbol.for('goondan.registeredName');

export function catalogFromWire(items) {
  return items.map(({ registeredName, ...item }) => {
    if (registeredName !== undefined) item[REGISTERED] = registeredName;
    return item;
  });
}

export function catalogToWire(items) {
  if (!Array.isArray(items)) throw new TypeError('ctx.toolCatalog must be a list of tools');
  return items.map((item) =>
    item?.[REGISTERED] === undefined ? item : { ...item, registeredName: item[REGISTERED] });
}
