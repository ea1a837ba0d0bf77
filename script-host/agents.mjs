// Other agents of the swarm, as handlers (`ctx.runtime`) and middleware (`ctx.agents`) see them.

const REQUEST_TIMEOUT_MS = 60_000;

export function agentRuntime(link, call) {
  const ask = (method, params) => link.request(call, 'runtime', { method, params });
  return {
    ...agentMessages(ask),
    spawn: (target, options = {}) =>
      ask('agents.spawn', { target, instanceKey: options.instanceKey, cwd: options.cwd }),
    list: (options = {}) => ask('agents.list', { includeAll: options.includeAll === true }),
    catalog: () => ask('agents.catalog', {}),
  };
}

export function layerAgents(link, call) {
  return agentMessages((method, params) => link.request(call, 'runtime', { method, params }));
}

// Both take (target, event, options), or one object with all of it.
function agentMessages(ask) {
  return {
    request: async (first, second, third) => {
      const { target, event, options } = told(first, second, third);
      const answer = await ask('agents.request', {
        ...message(target, event, 'agent.request'),
        timeoutMs: options.timeoutMs ?? REQUEST_TIMEOUT_MS,
        async: options.async === true,
      });
      return { target, ...answer };
    },
    send: async (first, second) => {
      const { target, event } = told(first, second);
      const answer = await ask('agents.send', message(target, event, 'agent.send'));
      return { target, accepted: true, ...answer };
    },
  };
}

function told(first, second, third) {
  if (typeof first === 'object' && first !== null) return { target: first.target, event: first, options: first };
  return { target: first, event: second ?? {}, options: third ?? {} };
}

function message(target, event, otherwise) {
  if (typeof event === 'string') return { target, input: event, eventType: otherwise };
  return {
    target,
    input: typeof event.input === 'string' ? event.input : JSON.stringify(event.input ?? ''),
    instanceKey: event.instanceKey,
    eventType: event.type ?? event.eventType ?? otherwise,
    metadata: event.metadata,
  };
}
