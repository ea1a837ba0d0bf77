"""Cases of the script host: extensions, middleware, state and events."""
from script_host_rig import CONTEXT, LAYER_CONTEXT, Refusal

RESULT = {"toolCallId": "call", "toolName": "t__x", "status": "ok", "output": 1}
RAN = {"next": {"outcome": RESULT, "metadata": {}}}
CALL = {"toolName": "t__x", "toolCallId": "call", "args": {"a": 1}}

# A toolCall middleware and the reply it makes: (outcome, next), or the beginning of the error's message.
ENDS = [
    ("(ctx) => ctx.next()", (RESULT, "ran")),
    ("async (ctx) => { await ctx.next(); }", (None, "ran")),
    ("async (ctx) => { ctx.next(); }", (None, "ran")),
    ("async (ctx) => ({ ...(await ctx.next()), output: 2 })", (RESULT | {"output": 2}, "ran")),
    ("() => {}", (None, "none")),
    ("async () => null", (None, "none")),
    ("() => ({ toolCallId: 'call', toolName: 't__x', status: 'ok', output: 3 })", (RESULT | {"output": 3}, "instead")),
    ("() => ({ output: 4 })", (RESULT | {"output": 4}, "instead")),
    ("() => ({ error: { message: 'no' } })",
     ({"toolCallId": "call", "toolName": "t__x", "status": "error", "error": {"message": "no"}}, "instead")),
    ("() => 'text'", "the toolCall middleware returned a string"),
    ("() => [{ output: 4 }]", "the toolCall middleware returned a list"),
    ("async (ctx) => [await ctx.next()]", "the toolCall middleware returned a list"),
    ("async (ctx) => { await ctx.next(); return false; }", "the toolCall middleware returned a boolean"),
    ("() => { throw new Error('stop'); }", "stop"),
    ("async (ctx) => { ctx.next(); throw new Error('after'); }", "after"),
]

MESSAGE = {"id": "m1", "data": {"role": "user", "content": "x"}, "metadata": {}, "source": {"type": "user"},
           "createdAt": "2026-01-02T03:04:05.678Z"}
EVENT = {"id": "e", "type": "user.input", "input": "hi", "source": {"kind": "user", "name": "cli"}, "metadata": {"m": 1},
         "createdAt": "2026-01-02T03:04:05.678Z"}


def raising(**error):
    def refuse(_):
        raise Refusal(**error)
    return refuse


class ExtensionCases:
    def test_register_is_awaited_and_says_what_it_adds(self):
        done = self.extension("""await null; api.pipeline.register('turn', () => {});
            await new Promise((resolve) => setTimeout(resolve, 5));
            api.pipeline.register('toolCall', () => {}, { priority: -3 });
            api.tools.register({ name: 'a__b', description: 'd', parameters: { type: 'object' } }, () => 1);
            api.tools.register({ name: 'a__c', handler: () => 2 });
            api.logger.info(api.extension.metadata.name, config.x, api.agent.workdir);""", config={"x": 7})
        self.assertEqual(done, {"ok": None})
        self.assertEqual([one["params"] for one in self.host.of("pipeline.register")], [
            {"extension": "x", "layer": 0, "kind": "turn", "priority": 0},
            {"extension": "x", "layer": 1, "kind": "toolCall", "priority": -3}])
        self.assertEqual([one["params"] for one in self.host.of("tools.register")], [
            {"extension": "x", "tool": "a__b", "item": {"name": "a__b", "description": "d", "parameters": {"type": "object"}}},
            {"extension": "x", "tool": "a__c", "item": {"name": "a__c"}}])
        self.assertEqual(self.host.of("log")[0]["params"], {"level": "info", "text": "x 7 /w", "extension": "x"})
        self.assertEqual({one["call"] for one in self.host.seen}, {2})

    def test_a_failing_register_is_told(self):
        for source, message in [("throw new Error('not today');", "not today"),
                                ("api.pipeline.register('steps', () => {});", "there is no middleware 'steps'"),
                                ("api.pipeline.register('step', 1);", "the step middleware must be a function"),
                                ("api.pipeline.register('step', () => {}, { priority: 'high' });", "the priority"),
                                ("api.tools.register({ name: 'a__b' });", "the tool a__b needs a handler"),
                                ("api.tools.register();", "a tool needs a name"),
                                ("api.events.on('x');", "api.events.on takes")]:
            with self.subTest(source):
                error = self.extension(source, name=f"x{abs(hash(source))}")["error"]
                self.assertEqual(error["message"].startswith(message), True, error)
        missing = self.load(self.write("none.mjs", "export const x = 1;"), "extension")
        self.assertEqual(missing["error"]["code"], "E_EXT_LOAD")

    # REQ: MW-4
    def test_a_refused_tool_fails_register_unless_it_is_caught(self):
        refuse = {"tools.register": raising(message="taken", code="E_TOOL_DUPLICATE")}
        tool = "api.tools.register({ name: 'a__b' }, () => 1)"
        self.assertEqual(self.extension(f"{tool};", refuse, name="x1")["error"]["code"], "E_TOOL_DUPLICATE")
        self.assertEqual(self.extension(f"await {tool}.catch(() => {{}});", refuse, name="x2"), {"ok": None})

    def test_tools_of_an_extension_are_called_by_their_number_and_can_be_replaced(self):
        self.extension("""const add = (n) => api.tools.register({ name: 'a__b' }, (ctx, input) => {
            if (input.again) add(n + 1); ctx.logger.info('called'); return { n, input, workdir: ctx.workdir }; }); add(1);""")
        call = {"extension": "x", "tool": "a__b", "input": {"again": True}, "context": CONTEXT}
        self.assertEqual(self.host.call("extensionTool", call)["ok"], {"n": 1, "input": {"again": True}, "workdir": "/"})
        self.assertEqual(self.host.call("extensionTool", call | {"input": {}})["ok"]["n"], 2)
        self.assertEqual([one["call"] for one in self.host.of("tools.register")], [2, None])
        self.assertEqual(self.host.of("log")[0]["params"]["extension"], "x")
        self.assertEqual(self.host.call("extensionTool", call | {"tool": "a__x"})["error"]["code"], "E_TOOL_NOT_FOUND")
        self.assertEqual(self.host.call("extensionTool", call | {"extension": "nobody"})["error"]["code"], "E_NOT_FOUND")

    def test_middleware_is_registered_only_in_register(self):
        self.extension("""api.events.on('go', () => { try { api.pipeline.register('turn', () => {}); }
            catch (error) { api.logger.error(error.message); } });""")
        self.assertEqual(self.host.call("event", {"name": "go", "payload": None}), {"ok": None})
        self.assertIn("only while register() runs", self.host.logged()[0][1])

    # REQ: MW-1, MW-6
    def test_how_middleware_can_end(self):
        self.extension(" ".join(f"api.pipeline.register('toolCall', {source});" for source, _ in ENDS))
        for number, (source, expected) in enumerate(ENDS):
            with self.subTest(source):
                reply = self.run_layer("toolCall", number, RAN, **CALL)
                if isinstance(expected, str):
                    self.assertEqual(reply["error"]["message"].startswith(expected), True, reply)
                else:
                    self.assertEqual((reply["ok"]["outcome"], reply["ok"]["next"]), expected)

    # REQ: MW-6
    def test_a_turn_and_a_step_need_an_object_too(self):
        self.extension("for (const kind of ['turn', 'step']) for (const end of [[], [1], 7, 'done']) "
                       "api.pipeline.register(kind, async (ctx) => { await ctx.next(); return end; });")
        for number in range(8):
            kind, end = ("turn", "step")[number // 4], ("list", "list", "number", "string")[number % 4]
            with self.subTest(kind=kind, end=end):
                error = self.run_layer(kind, number, {"next": {"outcome": {}, "metadata": {}}}, toolCatalog=[], messages=[])["error"]
                self.assertIn(f"the {kind} middleware returned a {end}, not a result", error["message"])

    # REQ: CAT-4
    def test_what_a_layer_registers_is_there_before_next_and_before_its_end(self):
        self.extension("""api.pipeline.register('step', (ctx) => { api.tools.register({ name: 'a__one' }, () => 1);
              const ran = ctx.next(); api.tools.register({ name: 'a__two' }, () => 2); return ran; });
            api.pipeline.register('step', () => { api.tools.register({ name: 'a__three' }, () => 3); throw new Error('no'); });""")
        for number, expected in [(0, ["tools.register", "tools.register", "next"]), (1, ["tools.register"])]:
            call = self.host.start("layer", {"extension": "x", "layer": number, "kind": "step",
                                             "context": LAYER_CONTEXT | {"toolCatalog": [], "messages": []}})
            self.answers_only_when_asked(call, expected)

    def answers_only_when_asked(self, call, expected):
        """Each request is answered only when a call behind it shows that nothing else was sent before the answer."""
        waiting, methods = [], []
        while True:
            self.host.start("ping", {})
            message = self.host.receive()
            while message["type"] == "request":
                waiting.append(message)
                methods.append(message["method"])
                message = self.host.receive()
            self.assertEqual(message["type"], "reply", message)
            if message["id"] == call:
                break
            if waiting:
                self.host.answer(waiting.pop(0), {"next": {"outcome": {}, "metadata": {}}})
        self.assertEqual((methods, waiting), (expected, []))

    # REQ: MW-4
    def test_a_refused_tool_of_a_layer_is_told_and_the_layer_goes_on(self):
        self.extension("""api.pipeline.register('step', (ctx) => { api.tools.register({ name: 'a__b' }, () => 1);
            return ctx.next(); });""")
        answers = {"tools.register": raising(message="taken"), "next": {"outcome": {"status": "completed"}, "metadata": {}}}
        reply = self.run_layer("step", 0, answers, toolCatalog=[], messages=[])
        self.assertEqual((reply["ok"]["next"], reply["ok"]["outcome"]), ("ran", {"status": "completed"}))
        self.assertTrue(any("taken" in text for _, text, _ in self.host.logged()))

    # REQ: MW-6
    def test_a_second_next_is_refused_by_the_runtime(self):
        self.extension("api.pipeline.register('toolCall', async (ctx) => { await ctx.next(); return ctx.next(); });"
                       "api.pipeline.register('toolCall', async (ctx) => { ctx.next(); ctx.next(); });")
        for number in (0, 1):
            runs = []

            def once(_):
                runs.append(1)
                if len(runs) > 1:
                    raise Refusal(message="twice", code="E_MIDDLEWARE_NEXT_TWICE")
                return RAN["next"]
            error = self.run_layer("toolCall", number, {"next": once}, **CALL)["error"]
            self.assertEqual((error["code"], len(runs)), ("E_MIDDLEWARE_NEXT_TWICE", 2))

    # REQ: MW-1
    def test_changed_arguments_and_metadata_travel(self):
        self.extension("""api.pipeline.register('toolCall', async (ctx) => { const kept = ctx.metadata;
            ctx.args = { ...ctx.args, b: NaN }; ctx.metadata.mine = 1; const result = await ctx.next();
            api.logger.info(kept === ctx.metadata, JSON.stringify(kept), ctx.toolName, ctx.runtime.agent.prompt.system,
              ctx.runtime.swarm.callableAgents[0], ctx.turnId, typeof ctx.agents);
            ctx.metadata.last = 2; return result; });""")
        reply = self.run_layer("toolCall", 0, {"next": {"outcome": RESULT, "metadata": {"inner": 1}}}, **CALL,
                               metadata={"outer": 1})
        self.assertEqual(self.host.of("next")[0]["params"], {"metadata": {"outer": 1, "mine": 1}, "args": {"a": 1, "b": "NaN"}})
        self.assertEqual(reply["ok"]["metadata"], {"inner": 1, "last": 2})
        self.assertEqual(self.host.logged()[0][1], 'true {"inner":1} t__x Be brief. b turn undefined')

    # REQ: MW-2
    def test_a_renamed_tool_keeps_its_handler_and_items_look_as_documented(self):
        self.extension("""api.pipeline.register('step', (ctx) => { api.logger.info(JSON.stringify(ctx.toolCatalog), ctx.stepIndex);
            ctx.toolCatalog = [...ctx.toolCatalog.map((item) => ({ ...item, name: 'new__name' })), { name: 'extra__one' }];
            return ctx.next(); });""")
        item = {"name": "a__b", "description": "d", "parameters": {"type": "object"}, "source": {"type": "config", "name": "a"}}
        self.run_layer("step", 0, {"next": {"outcome": {}, "metadata": {}}}, stepIndex=1, messages=[], inputEvent=EVENT,
                       toolCatalog=[item | {"registeredName": "a__b"}])
        self.assertEqual(self.host.of("next")[0]["params"]["toolCatalog"],
                         [item | {"name": "new__name", "registeredName": "a__b"}, {"name": "extra__one"}])
        self.assertNotIn("registeredName", self.host.logged()[0][1])

    def test_the_conversation_changes_at_once_and_keeps_what_the_runtime_says(self):
        self.extension("""api.pipeline.register('turn', async (ctx) => { const state = ctx.conversationState;
            const ids = () => state.nextMessages.map((message) => message.id).join();
            const data = { role: 'user', content: 'new' };
            ctx.emitMessageEvent({ type: 'append', message: { id: 'mine', data } });
            api.logger.info(ids(), state.baseMessages.length, state.nextMessages[0].createdAt.getTime());
            await ctx.emitMessageEvent({ type: 'replace', targetId: 'mine', message: { id: 'two', data } });
            api.logger.info(ids(), state.events.length);
            ctx.emitMessageEvent({ type: 'remove', targetId: 'm1' });
            api.logger.info(ids());
            await ctx.next();
            api.logger.info(ids(), ctx.inputEvent.createdAt.getTime(), ctx.runtime.inbound.sourceKind);
            ctx.emitMessageEvent({ type: 'truncate' });
            api.logger.info(ids(), state.nextMessages.length); });""")
        answers = {"conversation": lambda params: params.get("message") and params["message"] | {"id": "kept"},
                   "next": {"outcome": {"turnId": "turn"}, "metadata": {}, "messages": [MESSAGE, MESSAGE | {"id": "m2"}]}}
        reply = self.run_layer("turn", 0, answers, messages=[MESSAGE], inputEvent=EVENT)
        self.assertEqual(reply, {"ok": {"outcome": None, "next": "ran", "metadata": {}}})
        self.assertEqual([text for _, text, _ in self.host.logged()], [
            "m1,mine 1 1767323045678", "m1,kept 2", "kept", "m1,m2 1767323045678 user", " 0"])
        self.assertEqual([one["params"]["change"] for one in self.host.of("conversation")],
                         ["append", "replace", "remove", "truncate"])
        message = self.host.of("conversation")[0]["params"]["message"]
        self.assertEqual(message["source"], {"type": "extension", "extensionName": "x"})

    def test_a_refused_change_is_undone_and_fails_the_middleware_unless_caught(self):
        self.extension("""for (const wait of [0, 1]) api.pipeline.register('turn', async (ctx) => {
            const change = ctx.emitMessageEvent({ type: 'truncate' });
            if (wait) await change.catch(() => {});
            await ctx.next(); api.logger.info(ctx.conversationState.nextMessages.length); });
            api.pipeline.register('turn', (ctx) => { ctx.emitMessageEvent({ type: 'forget' }); });""")
        answers = {"conversation": raising(message="full"), "next": {"outcome": {}, "metadata": {}}}
        self.assertEqual(self.run_layer("turn", 0, answers, messages=[MESSAGE])["error"]["message"], "full")
        self.assertEqual(self.run_layer("turn", 1, answers, messages=[MESSAGE])["ok"]["next"], "ran")
        self.assertEqual([text for _, text, _ in self.host.logged()], ["1", "1"])
        self.assertIn("append, replace, remove or truncate", self.run_layer("turn", 2, answers)["error"]["message"])

    def test_middleware_can_ask_other_agents(self):
        self.extension("""api.pipeline.register('step', async (ctx) => { await ctx.agents.request('b', { input: 'hi' });
            await ctx.agents.send({ target: 'b', input: 'hi' }); await ctx.next(); });""")
        self.run_layer("step", 0, {"runtime": {}, "next": {"outcome": {}, "metadata": {}}}, toolCatalog=[], messages=[])
        self.assertEqual([one["params"]["method"] for one in self.host.of("runtime")], ["agents.request", "agents.send"])

    # REQ: MW-5
    def test_state_is_there_at_once_and_sent(self):
        self.extension("""api.logger.info(JSON.stringify(api.state.get())); const kept = { n: 2, when: new Date(0) };
            const done = api.state.set(kept); kept.n = 3; api.logger.info(api.state.get().n); await done;""", state={"n": 1})
        self.assertEqual([text for _, text, _ in self.host.logged()], ['{"n":1}', "2"])
        self.assertEqual(self.host.of("state.set")[0]["params"],
                         {"extension": "x", "state": {"n": 2, "when": "1970-01-01T00:00:00.000Z"}})
        refused = {"state.set": raising(message="too large", code="E_LIMIT")}
        self.extension("""try { await api.state.set({ n: 9 }); } catch (error) { api.logger.info(error.code, api.state.get()); }""",
                       refused, name="y")
        self.assertEqual(self.host.logged()[-1][1], "E_LIMIT null")

    # REQ: MW-5
    def test_events_reach_the_extensions_of_the_process_and_the_runtime(self):
        self.extension("""const off = api.events.on('tick', (payload) => { api.logger.info('heard', payload.n); });
            api.events.on('tick', () => { throw new Error('deaf'); }); api.events.on('tick', async () => { throw new Error('late'); });
            api.events.on('stop', off);""", name="x")
        self.extension("api.events.emit('tick', { n: 1 });", name="y")
        self.assertEqual(self.host.of("events.emit")[0]["params"], {"extension": "y", "name": "tick", "payload": {"n": 1}})
        self.host.call("event", {"name": "tick", "payload": {"n": 2}})
        self.host.call("event", {"name": "stop", "payload": None})
        self.host.call("event", {"name": "tick", "payload": {"n": 3}})
        texts = [text for _, text, _ in self.host.logged()]
        self.assertEqual([text for text in texts if text.startswith("heard")], ["heard 1", "heard 2"])
        self.assertTrue(any("deaf" in text for text in texts) and any("late" in text for text in texts))

    def test_cancelled_middleware_is_not_answered(self):
        self.extension("api.pipeline.register('toolCall', (ctx) => ctx.next());")
        params = {"extension": "x", "layer": 0, "kind": "toolCall", "context": CALL | {"metadata": {}}}
        call = self.host.start("layer", params)
        self.host.until(lambda message: message.get("method") == "next")
        self.host.send({"type": "cancel", "id": call})
        self.assertEqual(self.run_layer("toolCall", 5)["error"]["code"], "E_NOT_FOUND")
        self.assertEqual([message for message in self.host.seen if message["type"] == "reply"], [])
