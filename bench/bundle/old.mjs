// Handlers of the first dialect.
async function nanoseconds(work) {
  const begin = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - begin);
}

export const handlers = {
  'old.echo': async (ctx, input) => ({ text: input.text, turn: ctx.turn.id }),
  // The median of so many requests for a token, as the handler sees it.
  'old.tokens': async (ctx, { count }) => {
    const times = [];
    for (let i = 0; i < count; ++i) {
      times.push(await nanoseconds(async () => {
        const token = await ctx.oauth.getAccessToken({ oauthAppRef: { kind: 'OAuthApp', name: 'svc' } });
        if (token.status !== 'ready') throw new Error(JSON.stringify(token));
      }));
    }
    return { ns: times.sort((a, b) => a - b)[Math.floor(count / 2)] };
  },
};
