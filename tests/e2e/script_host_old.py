"""Cases of the script host: the dialect v1alpha1, its contexts and its pipelines."""
import json

from script_host_rig import CONTEXT, LAYER_CONTEXT, Refusal, own_host

DIALECT = "v1alpha1"
SWARM = {"apiVersion": "agents.example.io/v1alpha1", "kind": "Swarm", "metadata": {"name": "s"}, "spec": {}}
AGENT = {"apiVersion": "agents.example.io/v1alpha1", "kind": "Agent", "metadata": {"name": "a"}, "spec": {}}
PLACE = {"instance": {"id": "a@k", "key": "k"}, "swarm": SWARM, "agent": AGENT,
         "effectiveConfig": {"swarm": SWARM, "agent": AGENT, "model": None, "tools": [], "extensions": []}}
ITEM = {"name": "calc.add", "tool": {"kind": "Tool"}, "export": {"name": "calc.add"}, "source": {"type": "config", "name": "calc"}}
CALLS = [{"id": "call", "name": "calc.add", "arguments": {"a": 1}}]
TOLD = {"turn": {"id": "turn", "instanceId": "a@k", "agentName": "a", "messages": [{"role": "user", "content": "hi"}],
                 "toolResults": {"c0": {"status": "ok", "output": 7}}, "metadata": {"m": 1},
                 "origin": {"channel": "C1"}, "auth": {"subjects": {"global": "team:T1"}}},
        "step": {"id": "turn-step-1", "index": 1, "turnId": "turn", "pendingToolCalls": CALLS,
                 "llmResult": {"message": {"role": "assistant", "toolCalls": CALLS}, "toolCalls": CALLS}},
        "toolCatalog": [ITEM]}
FIELDS = ["instance", "swarm", "agent", "turn", "step", "toolCatalog", "swarmBundle", "oauth", "events", "logger"]
OLD = {"dialect": DIALECT, "place": PLACE}
CALL = {"toolName": "calc.add", "toolCallId": "call", "args": {"a": 1}}
LOOK = """(ctx) => ({ instance: ctx.instance, swarm: ctx.swarm, agent: ctx.agent,
  turn: { ...ctx.turn, toolResults: [...ctx.turn.toolResults] }, step: ctx.step, toolCatalog: ctx.toolCatalog,
  is: [ctx.turn.toolResults instanceof Map, typeof ctx.events.on, typeof ctx.logger.info] })"""
ORDERED = """const say = (text) => log.push(`${text} ${config.name}`); const log = (globalThis.order ??= []);
  api.pipelines.mutate('toolCall.post', (ctx) => { say(`post ${ctx.toolResult.status}`); });
  api.pipelines.wrap('toolCall.exec', async (ctx, next) => {
    say('in'); const result = await next(ctx); say(`out ${ctx.toolResult?.status}`); return result; });
  api.pipelines.mutate('toolCall.pre', async (ctx) => { say(`pre ${ctx.turn.id} ${ctx.step.index}`); return ctx; });
  api.events.on('tell', () => { api.logger.info(log.join(', ')); });"""
CHANGING = """const withArguments = (ctx, more) => ({ ...ctx, toolCall: { ...ctx.toolCall, arguments: more } });
  api.pipelines.mutate('toolCall.pre', (ctx) => ({ ...withArguments(ctx, { p: 1 }), mine: 'kept' }));
  api.pipelines.mutate('toolCall.pre', (ctx) => { ctx.toolCall.arguments.q = 2; });
  api.pipelines.wrap('toolCall.exec', (ctx, next) => next(withArguments(ctx, { ...ctx.toolCall.arguments, w: 3 })));
  api.pipelines.wrap('toolCall.exec', async (ctx, next) => { await next(); ctx.toolResult.output.x = 4; });
  api.pipelines.mutate('toolCall.post', (ctx) => {
    const { output } = ctx.toolResult; return { ...ctx, toolResult: { ...ctx.toolResult, output: { ...output, post: ctx.mine } } }; });
  api.pipelines.mutate('toolCall.post', (ctx) => { ctx.toolResult.output.more = 5; });"""
SHOWING = """api.pipelines.wrap('toolCall.exec', async (ctx, next) => {
    const { turn, step, toolCatalog, effectiveConfig, agent, instance, swarm, toolCall } = ctx;
    const before = ctx.toolResult === undefined;
    await next(ctx);
    const shown = { step, toolCatalog, effectiveConfig, agent, instance, swarm, toolCall, before, after: ctx.toolResult };
    return { status: 'ok', output: { ...shown, turn: { ...turn, toolResults: turn.toolResults.size } } }; });"""


class OldCases:
    def onion(self, context, core, kind="toolCall"):
        """Runs the layers of all extensions as the runtime would; the reply of the outermost."""
        layers = [one["params"] for one in self.host.of("pipeline.register") if one["params"]["kind"] == kind]
        layers.sort(key=lambda one: one["priority"])

        def run(depth, given):
            if depth == len(layers):
                return core(given)
            params = {"extension": layers[depth]["extension"], "layer": layers[depth]["layer"], "kind": kind, "context": given}

            def inner(changed):
                reply = run(depth + 1, given | changed)
                return reply["ok"] if "ok" in reply else self.fail(reply)

            def failed(changed):
                reply = run(depth + 1, given | changed)
                error = reply.get("error")
                outcome = {"status": "error", "error": error} if error else reply["ok"]["outcome"]
                return {"outcome": outcome, "metadata": {}}

            then = failed if kind == "toolCall" else inner
            reply = self.host.call("layer", params, {"next": then})
            return {"ok": then(reply["ok"])} if reply.get("ok", {}).get("next") == "pass" else reply

        return run(0, LAYER_CONTEXT | {"v1alpha1": TOLD} | context)

    def run_call(self, core=lambda given: {"ok": {"outcome": {"status": "ok", "output": given["args"]}, "metadata": {}}}):
        return self.onion(CALL, core)

    # REQ: CTX-3
    def test_a_handler_gets_the_context_of_its_dialect(self):
        self.tool(f"look: {LOOK}, keys: (ctx) => Object.keys(ctx)", **OLD)
        got = self.run_tool("look", v1alpha1=TOLD)["ok"]
        turn = TOLD["turn"] | {"toolResults": [["c0", {"status": "ok", "output": 7}]]}
        self.assertEqual(got, {"instance": PLACE["instance"] | {"dynamicTools": got["instance"]["dynamicTools"]},
                               "swarm": SWARM, "agent": AGENT, "turn": turn, "step": TOLD["step"],
                               "toolCatalog": [ITEM], "is": [True, "function", "function"]})
        self.assertEqual(set(FIELDS) - set(self.run_tool("keys", v1alpha1=TOLD)["ok"]), set())

    # REQ: CTX-2
    def test_a_handler_of_today_gets_nothing_of_it(self):
        self.tool("keys: (ctx) => Object.keys(ctx)")
        self.assertEqual(set(self.run_tool("keys")["ok"]) & set(FIELDS), {"logger"})

    # REQ: CTX-3
    def test_without_an_agent_there_are_stand_ins(self):
        self.tool(f"look: {LOOK}", dialect=DIALECT, place=None)
        got = self.run_tool("look", agentName="", instanceKey="", turnId="", v1alpha1=None)["ok"]
        self.assertEqual((got["instance"]["id"], got["instance"]["key"], got["swarm"], got["agent"]), ("", "", None, None))
        self.assertEqual(got["turn"], {"id": "", "instanceId": "", "agentName": "", "messages": [], "toolResults": [], "metadata": {}})
        self.assertEqual(got["step"], {"id": "", "index": 0, "turnId": "", "pendingToolCalls": []})
        self.assertEqual((got["toolCatalog"], got["is"][0]), ([], True))

    # REQ: OAUTH-1
    def test_tokens_and_changesets_are_asked_of_the_runtime(self):
        self.tool("""token: (ctx) => ctx.oauth.getAccessToken({ oauthAppRef: { kind: 'OAuthApp', name: 'x' }, scopes: undefined }),
            open: (ctx, input) => ctx.swarmBundle.openChangeset(input),
            commit: (ctx, input) => ctx.swarmBundle.commitChangeset(input)""", **OLD)
        ready = {"status": "ready", "accessToken": "t", "tokenType": "Bearer", "scopes": []}
        self.assertEqual(self.run_tool("token", {}, {"runtime": ready}), {"ok": ready})
        self.assertEqual(self.run_tool("open", {"reason": "r"}, {"runtime": {"changesetId": "cs-1"}}), {"ok": {"changesetId": "cs-1"}})
        self.assertEqual(self.run_tool("commit", {"changesetId": "cs-1"}, {"runtime": {"status": "ok"}}), {"ok": {"status": "ok"}})
        self.assertEqual([one["params"] for one in self.host.of("runtime")],
                         [{"method": "oauth.getAccessToken", "params": {"oauthAppRef": {"kind": "OAuthApp", "name": "x"}}},
                          {"method": "swarmBundle.openChangeset", "params": {"reason": "r"}},
                          {"method": "swarmBundle.commitChangeset", "params": {"changesetId": "cs-1"}}])

        def refuse(_):
            raise Refusal(message="needs a running swarm", code="E_RUNTIME_UNAVAILABLE")
        nobody = {"code": "E_RUNTIME_UNAVAILABLE", "message": "needs a running swarm"}
        self.assertEqual(self.run_tool("token", {}, {"runtime": refuse}), {"ok": {"status": "error", "error": nobody}})
        self.assertEqual(self.run_tool("open", {}, {"runtime": refuse})["error"]["code"], "E_RUNTIME_UNAVAILABLE")

    # REQ: CTX-3, MW-5
    def test_a_handler_speaks_and_listens_on_the_bus(self):
        self.extension("api.events.on('built', (payload) => { api.logger.info('heard', payload.id); });", **OLD)
        self.tool("""emit: (ctx) => { ctx.events.emit('built', { id: 5 }); },
            on: (ctx) => { ctx.events.on('say', (text) => ctx.logger.info('tool heard', text)); }""", **OLD)
        self.run_tool("emit", v1alpha1=TOLD)
        self.assertEqual([(one["call"], one["params"]) for one in self.host.of("events.emit")],
                         [(None, {"name": "built", "payload": {"id": 5}})])
        self.run_tool("on", v1alpha1=TOLD)
        self.host.call("event", {"name": "say", "payload": "hello"})
        self.assertEqual([text for _, text, _ in self.host.logged()], ["heard 5", "tool heard hello"])

    # REQ: CALL-3
    def test_whatever_is_thrown_is_told(self):
        cases = {"'no channel'": "no channel", "404": "404", "{ reason: 1 }": '{"reason":1}', "undefined": "undefined", "null": "null"}
        handlers = ", ".join(f"t{i}: () => {{ throw {text}; }}" for i, text in enumerate(cases))
        handlers += ", real: () => { throw Object.assign(new RangeError('far'), { code: 'E_FAR' }); }"
        self.tool(handlers, **OLD)
        for i, message in enumerate(cases.values()):
            self.assertEqual(self.run_tool(f"t{i}")["error"], {"name": "UnknownError", "message": message})
        self.assertEqual(self.run_tool("real")["error"], {"name": "RangeError", "message": "far", "code": "E_FAR"})
        self.tool(handlers)
        self.assertEqual(self.run_tool("t0")["error"], {"message": "Unknown tool execution error"})

    # REQ: MW-3
    @own_host
    def test_the_pipelines_run_in_their_order_across_extensions(self):
        for name in ("one", "two"):
            self.extension(ORDERED, name=name, config={"name": name}, **OLD)
        layers = [(one["params"]["extension"], one["params"]["priority"]) for one in self.host.of("pipeline.register")]
        self.assertEqual(layers, [("one", -1), ("one", 0), ("two", 0)])
        self.assertEqual(self.run_call()["ok"]["outcome"], CALL_RESULT | {"output": {"a": 1}})
        self.host.call("event", {"name": "tell", "payload": None})
        self.assertEqual(self.host.logged()[0][1], "pre turn 1 one, pre turn 1 two, in one, in two, "
                         "out ok two, out ok one, post ok one, post ok two")

    # REQ: MW-3
    @own_host
    def test_mutators_change_arguments_and_results(self):
        self.extension(CHANGING, **OLD)
        self.assertEqual(self.run_call()["ok"]["outcome"]["output"], {"p": 1, "q": 2, "w": 3, "x": 4, "post": "kept", "more": 5})

    # REQ: MW-3
    @own_host
    def test_the_context_of_a_pipeline(self):
        self.extension(SHOWING, **OLD)
        output = self.run_call()["ok"]["outcome"]["output"]
        self.assertEqual(output, {"turn": TOLD["turn"] | {"toolResults": 1}, "step": TOLD["step"], "toolCatalog": [ITEM],
                                  "effectiveConfig": PLACE["effectiveConfig"], "agent": AGENT, "swarm": SWARM,
                                  "instance": PLACE["instance"] | {"dynamicTools": []},
                                  "toolCall": {"id": "call", "name": "calc.add", "arguments": {"a": 1}}, "before": True,
                                  "after": {"status": "ok", "output": {"a": 1}}})

    # REQ: MW-3, MW-6
    @own_host
    def test_a_mutator_that_fails_is_named(self):
        self.extension("api.pipelines.mutate('toolCall.pre', () => {});", name="one", **OLD)
        self.extension("""api.pipelines.mutate('toolCall.pre', () => {
            throw Object.assign(new Error('not allowed'), { suggestion: 'Ask.' }); });""", name="two", **OLD)
        self.assertEqual(self.run_call()["error"],
                         {"name": "Error", "message": "'toolCall.pre' of 'two': not allowed", "suggestion": "Ask."})
        self.assertEqual(self.host.of("next"), [])

    # REQ: MW-3, MW-6
    @own_host
    def test_what_fails_inside_is_a_result_afterwards(self):
        self.extension("""api.pipelines.mutate('toolCall.post', (ctx) => { api.logger.info('post', ctx.toolResult.error.message); });
            api.pipelines.wrap('toolCall.exec', async () => { throw new Error('broken'); });""", **OLD)
        self.assertEqual(self.run_call()["ok"]["outcome"]["error"]["message"], "broken")
        self.assertEqual([text for _, text, _ in self.host.logged()], ["post broken"])

    @own_host
    def test_wrong_registrations_are_refused(self):
        points = "toolCall.pre, toolCall.post, step.tools, step.blocks"
        cases = {"mutate('toolCall.exec', () => {})": f"there is no point 'toolCall.exec' here; there are {points}",
                 "wrap('step.tools', () => {})": "there is no point 'step.tools' here; there are toolCall.exec",
                 "mutate('step.tools')": "what runs at step.tools must be a function",
                 "wrap('toolCall.exec', 1)": "what runs at toolCall.exec must be a function"}
        for i, (text, message) in enumerate(cases.items()):
            self.assertEqual(self.extension(f"api.pipelines.{text};", name=f"x{i}")["error"]["message"], message)
        self.extension("""api.pipelines.mutate('toolCall.pre', () => {}); api.events.on('late', () => {
            for (const point of ['toolCall.post', 'step.tools'])
              try { api.pipelines.mutate(point, () => {}); } catch (error) { api.logger.info(error.message); } });""")
        self.host.call("event", {"name": "late", "payload": None})
        self.assertEqual([text.split(" can ")[1][:15] for _, text, _ in self.host.logged()], ["be registered o"] * 2)

    def run_step(self, **context):
        def core(given):
            self.offered = given
            return {"ok": {"outcome": {}, "metadata": {}}}
        given = {"stepIndex": 1, "messages": [], "toolCatalog": [{"name": "t__a", "registeredName": "t__a"}]}
        reply = self.onion(given | context, core, "step")
        self.assertIn("ok", reply, reply)
        return self.offered

    # REQ: MW-3, CAT-3
    @own_host
    def test_what_a_step_shows_the_model(self):
        self.extension("""const note = (ctx) => ({ type: 'note', tools: ctx.toolCatalog.map((item) => item.name), turn: ctx.turn.id });
            api.pipelines.mutate('step.blocks', (ctx) => ({ ...ctx, blocks: [...ctx.blocks, note(ctx)] }));
            api.pipelines.mutate('step.blocks', (ctx) => { ctx.blocks.push({ type: 'last' }); });""", name="one", **OLD)
        self.extension("""api.pipelines.mutate('step.tools', async (ctx) =>
            ({ ...ctx, toolCatalog: [...ctx.toolCatalog, { name: 'x.y' }] }));""", name="two", **OLD)
        self.assertEqual(len(self.host.of("pipeline.register")), 1)
        offered = self.run_step(blocks=[{"type": "auth.pending"}])
        self.assertEqual([item["name"] for item in offered["toolCatalog"]], ["t__a", "x.y"])
        self.assertEqual(offered["toolCatalog"][0], {"name": "t__a", "registeredName": "t__a", "tool": None, "export": None})
        note = {"type": "note", "tools": ["t__a", "x.y"], "turn": "turn"}
        self.assertEqual(offered["blocks"], [{"type": "auth.pending"}, note, {"type": "last"}])

    # REQ: MW-4
    @own_host
    def test_tools_registered_at_run_time(self):
        source = """await api.tools.register({ name: 'sky.look', description: 'd', parameters: { type: 'object' },
              handler: (ctx) => ctx.turn?.id ?? Object.keys(ctx) });
            api.pipelines.mutate('step.tools', (ctx) => {
              ctx.toolCatalog = ctx.instance.dynamicTools.map((tool) => ({ ...tool, is: typeof tool.handler })); });"""
        self.extension(source, **OLD)
        self.assertEqual(self.run_step()["toolCatalog"],
                         [{"name": "sky.look", "description": "d", "parameters": {"type": "object"}, "is": "function"}])
        call = {"extension": "x", "tool": "sky.look", "input": {}, "context": CONTEXT | {"v1alpha1": TOLD}}
        self.assertEqual(self.host.call("extensionTool", call), {"ok": "turn"})
        self.extension(source)  # the same, but of today
        self.assertNotIn("oauth", self.host.call("extensionTool", call)["ok"])

    def test_the_extension_knows_its_resource(self):
        resource = SWARM | {"kind": "Extension", "metadata": {"name": "x"}, "spec": {"runtime": "node"}}
        self.extension("api.logger.info(JSON.stringify(api.extension));", resource=resource, **OLD)
        self.extension("api.logger.info(JSON.stringify(api.extension));")
        self.assertEqual([json.loads(text) for _, text, _ in self.host.logged()], [resource, {"metadata": {"name": "x"}}])


CALL_RESULT = {"toolCallId": "call", "toolName": "calc.add", "status": "ok"}
