// Calls of tools: those of modules, and those that extensions have registered.
import { toolContext } from './context.mjs';
import { failure, isErrorLike } from './errors.mjs';
import { addOldParts, FIRST_DIALECT } from './old_context.mjs';

export function toolMethods(link, modules, extensions) {
  // `author`: the module or extension that the handler is of.
  const contextOf = (call, given, { name, dialect, place }) => {
    const context = toolContext(link, call, given, name);
    if (dialect !== FIRST_DIALECT) return context;
    const dynamicTools = () => extensions.dynamicTools();
    return addOldParts(context, link, call, { given, place, events: extensions.eventsFor(name), dynamicTools });
  };
  const run = async (call, handler, params, author) => {
    const context = contextOf(call, params.context, author);
    try {
      return await handler(context, params.input);
    } catch (thrown) {
      // The model is told of errors only, and not where they come from; the log shows both.
      if (call.over) throw thrown;  // nobody asked for it any more
      if (isErrorLike(thrown)) context.logger.debug(thrown);
      else context.logger.warn('thrown, but no Error:', thrown);
      throw author.dialect === FIRST_DIALECT ? asError(thrown) : thrown;
    }
  };
  return {
    ping: () => null,
    load: (_, params) => modules.load(params),
    tool: (call, params) => run(call, modules.handler(params.module, params.export), params, modules.author(params.module)),
    extensionTool: (call, params) =>
      run(call, extensions.tool(params.extension, params.tool), params, extensions.get(params.extension)),
  };
}

// The first dialect tells the model of whatever was thrown.
function asError(thrown) {
  if (isErrorLike(thrown)) return thrown;
  const text = typeof thrown === 'object' ? JSON.stringify(thrown) : String(thrown);
  return failure(text, { name: 'UnknownError' });
}
