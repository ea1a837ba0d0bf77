// `Bun.file` and `Bun.write` for Node.
import { Blob } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const TYPES = {
  css: 'text/css;charset=utf-8',
  csv: 'text/csv;charset=utf-8',
  gif: 'image/gif',
  html: 'text/html;charset=utf-8',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript;charset=utf-8',
  json: 'application/json;charset=utf-8',
  md: 'text/markdown;charset=utf-8',
  mjs: 'text/javascript;charset=utf-8',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  ts: 'text/javascript;charset=utf-8',
  txt: 'text/plain;charset=utf-8',
  webp: 'image/webp',
  xml: 'application/xml',
  zip: 'application/zip',
};

// A blob, so that `new Response(Bun.file(…))` works. Nothing is read before it is asked for.
class BunFile extends Blob {
  #place;  // a path or a descriptor
  #type;

  constructor(place, options = {}) {
    super([]);
    this.#place = place instanceof URL ? fileURLToPath(place) : typeof place === 'number' ? place : String(place);
    this.#type = options.type ?? TYPES[path.extname(String(this.#place)).slice(1).toLowerCase()];
  }

  get name() {
    return typeof this.#place === 'string' ? this.#place : undefined;
  }

  get type() {
    return this.#type ?? 'application/octet-stream';
  }

  get size() {
    return this.#stat()?.size ?? 0;
  }

  get lastModified() {
    return this.#stat()?.mtimeMs ?? 0;
  }

  async exists() {
    const found = this.#stat();
    return found !== undefined && !found.isDirectory();
  }

  text() {
    return fs.promises.readFile(...this.#toRead('utf8'));
  }

  async json() {
    return JSON.parse(await this.text());
  }

  async bytes() {
    return new Uint8Array(await this.arrayBuffer());
  }

  async arrayBuffer() {
    const bytes = await fs.promises.readFile(...this.#toRead());
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  }

  slice(begin, end, type = this.type) {
    return new Blob([fs.readFileSync(this.#place)]).slice(begin, end, type);
  }

  stream() {
    const given = typeof this.#place === 'number' ? { fd: this.#place, autoClose: false } : {};
    return Readable.toWeb(fs.createReadStream(this.name ?? '', given));
  }

  async stat() {
    return typeof this.#place === 'number' ? fs.fstatSync(this.#place) : fs.promises.stat(this.#place);
  }

  async delete() {
    await fs.promises.unlink(this.#place);
  }

  unlink() {
    return this.delete();
  }

  async write(data) {
    return write(this.name ?? this.#place, data);
  }

  // A descriptor is only known to the callback interface.
  #toRead(encoding) {
    return typeof this.#place === 'number' ? [`/proc/self/fd/${this.#place}`, encoding] : [this.#place, encoding];
  }

  #stat() {
    if (typeof this.#place === 'number') return fs.fstatSync(this.#place);
    return fs.statSync(this.#place, { throwIfNoEntry: false });
  }
}

export const file = (place, options) => new BunFile(place, options);

// Writes all of it and makes the folders on the way, as Bun does; gives the number of bytes.
export async function write(place, data, { createPath = true, mode } = {}) {
  const bytes = await bytesOf(data);
  if (typeof place === 'number') {
    fs.writeFileSync(place, bytes);
    return bytes.length;
  }
  const name = place instanceof BunFile ? place.name : place instanceof URL ? fileURLToPath(place) : String(place);
  try {
    await fs.promises.writeFile(name, bytes, { mode });
  } catch (error) {
    if (error.code !== 'ENOENT' || !createPath) throw error;
    await fs.promises.mkdir(path.dirname(name), { recursive: true });
    await fs.promises.writeFile(name, bytes, { mode });
  }
  return bytes.length;
}

async function bytesOf(data) {
  if (typeof data === 'string') return Buffer.from(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer) return new Uint8Array(data);
  if (typeof data?.arrayBuffer === 'function') return new Uint8Array(await data.arrayBuffer());
  if (Array.isArray(data)) return Buffer.concat(await Promise.all(data.map(bytesOf)));
  throw new TypeError('Bun.write takes text, bytes, a Blob or a Response');
}
