// What code of the dialect v1alpha1 finds around it: `instance`, `swarm`, `agent`, `turn`, `step` and the like, made of
// what the runtime tells. Where no agent runs, or code of today uses the pipelines of yesterday, there are stand-ins:
// nothing that the dialect promises is undefined.

const TOLD = Symbol('v1alpha1');

export const FIRST_DIALECT = 'v1alpha1';

// Keeps what the runtime told of a layer's surroundings with the context, but out of its author's sight.
export function keepTold(context, told, place) {
  Object.defineProperty(context, TOLD, { value: { told, place } });
}

export const toldOf = (context) => context[TOLD] ?? {};

// `given`: the ids of the call or layer. `dynamicTools()`: what the extensions of this process have registered.
export function oldSurroundings(given, { told, place }, dynamicTools) {
  const { agent, swarm } = place ?? { agent: namedAgent(given.agentName), swarm: null };
  return {
    instance: {
      ...(place?.instance ?? { id: '', key: given.instanceKey ?? '' }),
      get dynamicTools() {
        return dynamicTools();
      },
    },
    swarm,
    agent,
    turn: turnOf(told?.turn ?? { id: given.turnId ?? '', agentName: given.agentName ?? '' }),
    step: { id: '', index: given.stepIndex ?? 0, turnId: given.turnId ?? '', pendingToolCalls: [], ...told?.step },
    toolCatalog: told?.toolCatalog ?? [],
    effectiveConfig: place?.effectiveConfig ?? { swarm, agent, model: null, tools: [], extensions: [] },
  };
}

const namedAgent = (name) => (name ? { name, metadata: { name } } : null);

function turnOf(told) {
  return {
    instanceId: '',
    messages: [],
    metadata: {},
    ...told,
    toolResults: new Map(Object.entries(told.toolResults ?? {})),
  };
}

// Makes the context of a handler one of the dialect. It has all that the context of today has, too.
export function addOldParts(context, link, call, { given, place, events, dynamicTools }) {
  const ask = (method, params) => link.request(call, 'runtime', { method, params: params ?? {} });
  const { effectiveConfig, ...parts } = oldSurroundings(given, { told: given.v1alpha1, place }, dynamicTools);
  return Object.assign(context, parts, {
    swarmBundle: {
      openChangeset: (options) => ask('swarmBundle.openChangeset', options),
      commitChangeset: (options) => ask('swarmBundle.commitChangeset', options),
    },
    oauth: { getAccessToken: (request) => ask('oauth.getAccessToken', request).catch((thrown) => noToken(call, thrown)) },
    events,
  });
}

// That there is no token is an answer, as its type says. That the call is over is none.
function noToken(call, thrown) {
  if (call.over) throw thrown;
  return { status: 'error', error: { code: thrown.code ?? 'E_OAUTH', message: String(thrown.message) } };
}
