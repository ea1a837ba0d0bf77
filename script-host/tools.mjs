// Calls of tools: those of modules, and those that extensions have registered.
import { toolContext } from './context.mjs';
import { isErrorLike } from './errors.mjs';

export function toolMethods(link, modules, extensions) {
  const run = async (call, handler, params, extension) => {
    const context = toolContext(link, call, params.context, extension);
    try {
      return await handler(context, params.input);
    } catch (thrown) {
      // The model is told of errors only, and not where they come from; the log shows both.
      if (call.over) throw thrown;  // nobody asked for it any more
      if (isErrorLike(thrown)) context.logger.debug(thrown);
      else context.logger.warn('thrown, but no Error:', thrown);
      throw thrown;
    }
  };
  return {
    ping: () => null,
    load: (_, params) => modules.load(params),
    tool: (call, params) => run(call, modules.handler(params.module, params.export), params, undefined),
    extensionTool: (call, params) =>
      run(call, extensions.tool(params.extension, params.tool), params, params.extension),
  };
}
