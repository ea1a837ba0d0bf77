// What tests ask of the provider besides OAuth, under /_rig/:
//
//   GET  counts    how many grants were given and refused, by type; revocations
//   POST counts    from zero again
//   POST settings  {accessTokenTtl: 1, ...} from now on; answers all settings
//   POST sign      {header, claims} as a token of the provider's own key: false only in what it says
import { createPrivateKey, sign } from 'node:crypto';

const usual = {
  accessTokenTtl: 3600,
  codeTtl: 60,
  deviceTtl: 600,
  refreshTokenTtl: 86400,
  refreshTokens: true,
  rotate: true,
};

const base64url = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}');
}

export class Rig {
  constructor(keys, settings) {
    this.settings = { ...usual, ...settings };
    this.key = keys.find((key) => key.alg === 'RS256');
    this.forget();
  }

  forget() {
    this.counts = { given: {}, refused: {}, revocations: 0 };
  }

  watch(provider) {
    provider.on('grant.success', (context) => this.count('given', context.oidc.params.grant_type));
    provider.on('grant.error', (context, error) => {
      this.count('refused', `${context.oidc.params?.grant_type} ${error.error}`);
    });
    provider.use(async (context, next) => {
      await next();
      if (context.path === '/token/revocation' && context.status === 200) this.counts.revocations += 1;
    });
  }

  count(what, name) {
    this.counts[what][name] = (this.counts[what][name] ?? 0) + 1;
  }

  sign({ header, claims }) {
    const head = { alg: 'RS256', typ: 'JWT', kid: this.key.kid, ...header };
    const text = `${base64url(head)}.${base64url(claims)}`;
    const key = createPrivateKey({ key: this.key, format: 'jwk' });
    return { token: `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}` };
  }

  async act(what, request) {
    const body = await bodyOf(request);
    if (what === 'sign') return this.sign(body);
    if (what === 'settings') return Object.assign(this.settings, body);
    if (what === 'counts' && request.method === 'POST') this.forget();
    return this.counts;
  }

  async answer(request, response) {
    const result = await this.act(request.url.slice('/_rig/'.length), request);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(result));
  }
}
