// What the provider offers. `settings` may change while it runs, so they are read when they are needed.
import { randomBytes } from 'node:crypto';

const scopes = ['openid', 'offline_access', 'profile', 'chat:write', 'channels:read', 'files:read', 'files:write'];

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

// A client that can keep no secret, with any port of loopback, and one that can.
export const clients = [
  {
    client_id: 'native',
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback', 'http://127.0.0.1/oauth/callback', 'http://127.0.0.1/other/callback'],
    grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    response_types: ['code'],
  },
  {
    client_id: 'confidential',
    client_secret: 'confidential-secret-0123456789abcdef',
    token_endpoint_auth_method: 'client_secret_basic',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback', 'http://127.0.0.1/oauth/callback'],
    grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    response_types: ['code'],
  },
  {
    client_id: 'posting',
    client_secret: 'posting-secret-0123456789abcdef',
    token_endpoint_auth_method: 'client_secret_post',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback', 'http://127.0.0.1/oauth/callback'],
    grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    response_types: ['code'],
  },
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
