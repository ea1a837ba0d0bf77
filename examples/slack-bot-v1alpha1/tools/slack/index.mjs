// The tool of §8.2 of the specification v0.8, in JavaScript. It never keeps a token: it asks for one
// with each call, and the runtime renews what is too old.
export const handlers = {
  'slack.postMessage': async (ctx, input) => {
    const token = await ctx.oauth.getAccessToken({
      oauthAppRef: { kind: 'OAuthApp', name: 'slack-bot' },
      scopes: ['chat:write'],
    });

    // Nobody has agreed yet: the model passes the link on.
    if (token.status === 'authorization_required') {
      const { status, message, authorizationUrl } = token;
      return { status, message, authorizationUrl };
    }
    if (token.status === 'error') {
      throw new Error(token.error.message);
    }

    const response = await fetch('https://slack.com/api/chat.postMessage', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token.accessToken}`,
        'Content-Type': 'application/json; charset=utf-8',
      },
      body: JSON.stringify({ channel: input.channel, text: input.text }),
      signal: ctx.signal,
    });
    const result = await response.json();
    if (!result.ok) {
      throw new Error(`Slack refused the message: ${result.error}`);
    }
    return { ok: true, channel: result.channel, ts: result.ts, message: result.message };
  },
};
