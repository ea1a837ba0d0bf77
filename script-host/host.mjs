// Runs the JavaScript and TypeScript of a bundle for the runtime, which starts this program with a
// socket as descriptor 3. See docs/extension-protocol.md.
import { logLine } from './context.mjs';
import { Extensions } from './extensions.mjs';
import { FrameReader } from './frames.mjs';
import { layerMethods } from './layers.mjs';
import { Link } from './link.mjs';
import { makeConsole, replaceConsole } from './logger.mjs';
import { Modules } from './modules.mjs';
import { prepareImports } from './resolve.mjs';
import { openSocket } from './socket.mjs';
import { toolMethods } from './tools.mjs';

const SOCKET = 3;
const BROKEN_PROTOCOL = 70;

const runtimeName = process.versions.bun ? `bun ${process.versions.bun}` : `node ${process.versions.node}`;
const methods = Object.create(null);
const link = new Link(methods);
const modules = new Modules();
const extensions = new Extensions(link, modules);
Object.assign(methods, toolMethods(link, modules, extensions), extensions.methods(), layerMethods(link, extensions));

const logHere = (level, text) => logLine(link, link.current.getStore(), level, text);

// What goes wrong outside of any call that could report it. The process lives on: other calls run.
// Not on the global console, which code of the bundle may have replaced.
const ownConsole = makeConsole(logHere);
function survive(what, thrown) {
  ownConsole.error(`${what}:`, thrown);
}

function broken(error) {
  process.stderr.write(`the runtime's messages cannot be read: ${error.message}\n`);
  process.exit(BROKEN_PROTOCOL);
}

const reader = new FrameReader((message) => link.receive(message));
const onBytes = (chunk, length) => {
  try {
    reader.push(chunk, length);
  } catch (error) {
    broken(error);
  }
};

process.on('uncaughtException', (thrown) => survive('uncaught exception', thrown));
process.on('unhandledRejection', (thrown) => survive('unhandled rejection', thrown));
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  logHere(warning.name === 'ExperimentalWarning' ? 'debug' : 'warn', `${warning.name}: ${warning.message}`);
});

await prepareImports();
replaceConsole(logHere);
link.open(await openSocket(SOCKET, onBytes, () => process.exit(0)), runtimeName);
