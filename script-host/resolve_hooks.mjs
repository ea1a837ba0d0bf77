// Loaded by Node into the thread of its import hooks.
export { resolve } from './resolve.mjs';
