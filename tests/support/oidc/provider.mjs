// A real OAuth provider (oidc-provider) on loopback, for tests.
//
//   node provider.mjs '{"packages": "build/npm", "issuer": "http://127.0.0.1:4000", "settings": {...}}'
//
// prints one line {"port", "issuer"} when it answers, and ends when its input ends. Without `issuer`, that is its own
// address; with a proxy in front it is the proxy's. Whoever signs in is who they say they are. What tests may ask for
// besides is in rig.mjs.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { configuration } from './configuration.mjs';
import { Rig } from './rig.mjs';

console.info = console.warn = console.error; // the output is for the one line

const options = JSON.parse(process.argv[2] ?? '{}');
const modules = resolve(options.packages ?? 'build/npm', 'node_modules');
const load = (file) => import(pathToFileURL(resolve(modules, file)));

function signingKeys() {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  return [
    { ...rsa.export({ format: 'jwk' }), kid: 'rsa-1', alg: 'RS256', use: 'sig' },
    { ...ec.export({ format: 'jwk' }), kid: 'ec-1', alg: 'ES256', use: 'sig' },
  ];
}

const { Provider } = await load('oidc-provider/lib/index.js');
const server = createServer();
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const { port } = server.address();
const issuer = options.issuer ?? `http://127.0.0.1:${port}`;

const keys = signingKeys();
const rig = new Rig(keys, options.settings ?? {});
const provider = new Provider(issuer, configuration(options, rig.settings, keys));
rig.watch(provider);

const answer = provider.callback();
server.on('request', (request, response) => {
  if (request.url.startsWith('/_rig/')) rig.answer(request, response);
  else answer(request, response);
});

process.stdout.write(`${JSON.stringify({ port, issuer })}\n`);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
