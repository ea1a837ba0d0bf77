// mcp_sdk_client.mjs MODULES TOOL ARGUMENTS COMMAND...: the same as mcp_bench with the client of the official SDK.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [modules, tool, args, command, ...rest] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${modules}/`));
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

const client = new Client({ name: 'bench', version: '1' });
await client.connect(new StdioClientTransport({ command, args: rest, stderr: 'ignore' }));
const times = [];
for (let i = 0; i < 8000; ++i) {
  const begin = process.hrtime.bigint();
  await client.callTool({ name: tool, arguments: JSON.parse(args) });
  if (i >= 3000) times.push(Number(process.hrtime.bigint() - begin));
}
times.sort((a, b) => a - b);
console.log(JSON.stringify({ ns: times[2500] }));
await client.close();
