// What the provider offers. `settings` may change while it runs, so they are read when they are needed.
import { randomBytes } from 'node:crypto';

const scopes = ['openid', 'offline_access', 'profile', 'chat:write', 'channels:read', 'files:read', 'files:write'];

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

// May come back to any port of loopback.
function client(name, method, secret) {
  return {
    client_id: name,
    token_endpoint_auth_method: method,
    ...(secret ? { client_secret: secret } : {}),
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback', 'http://127.0.0.1/other/callback'],
    grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    response_types: ['code'],
  };
}

// One that can keep no secret, and two that can.
const clients = [
  client('native', 'none'),
  client('basic', 'client_secret_basic', 'basic-secret-0123456789abcdef'),
  client('posting', 'client_secret_post', 'posting-secret-0123456789abcdef'),
];

function lives(settings) {
  return {
    AccessToken: () => settings.accessTokenTtl,
    AuthorizationCode: () => settings.codeTtl,
    DeviceCode: () => settings.deviceTtl,
    RefreshToken: () => settings.refreshTokenTtl,
    IdToken: () => 3600,
    Interaction: () => 3600,
    Session: () => 3600,
    Grant: () => 86400,
  };
}

// Every resource offers every scope; tokens are for it alone.
function resourceServer(settings, resource) {
  return {
    scope: scopes.join(' '),
    audience: resource,
    accessTokenFormat: 'opaque',
    accessTokenTTL: settings.accessTokenTtl,
  };
}

function features(settings) {
  return {
    devInteractions: { enabled: true },
    deviceFlow: { enabled: true },
    revocation: { enabled: true },
    introspection: { enabled: true },
    userinfo: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      useGrantedResource: () => true,
      getResourceServerInfo: (context, resource) => resourceServer(settings, resource),
    },
  };
}

export function configuration(options, settings, keys) {
  return {
    clients: options.clients ?? clients,
    jwks: { keys },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    scopes: options.scopes ?? scopes,
    findAccount: (context, login) => ({
      accountId: login,
      claims: () => ({ sub: login, name: `The person ${login}` }),
    }),
    pkce: { required: () => true },
    rotateRefreshToken: () => settings.rotate,
    issueRefreshToken: () => settings.refreshTokens,
    expiresWithSession: () => false,
    ttl: lives(settings),
    features: features(settings),
  };
}
