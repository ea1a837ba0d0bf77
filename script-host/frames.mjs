// Frames of docs/extension-protocol.md: a 4-byte length, least significant byte first, and that many
// bytes of JSON. A frame that lies in one piece is read where it lies; a larger one is gathered in a
// buffer of its own size, so that every byte is copied at most once.

import { failure } from './errors.mjs';

export const MAX_FRAME = 64 * 1024 * 1024;
const HEAD = 4;

export class FrameReader {
  #onMessage;
  #head = Buffer.alloc(HEAD);
  #headFilled = 0;
  #body = null;
  #bodyFilled = 0;

  constructor(onMessage) {
    this.#onMessage = onMessage;
  }

  // The first `end` bytes of `chunk`, which may be used again afterwards. Throws on anything that is
  // no frame: there is no way to find the next one then.
  push(chunk, end) {
    let at = 0;
    while (at < end) {
      if (this.#body !== null) at = this.#continueBody(chunk, at, end);
      else if (this.#headFilled > 0 || end - at < HEAD) at = this.#continueHead(chunk, at, end);
      else at = this.#wholeOrBegin(chunk, at + HEAD, end, chunk.readUInt32LE(at));
    }
  }

  #wholeOrBegin(chunk, at, end, length) {
    if (length > MAX_FRAME) throw new Error(`a frame of ${length} bytes is larger than ${MAX_FRAME}`);
    if (end - at >= length) {
      this.#onMessage(JSON.parse(chunk.utf8Slice(at, at + length)));
      return at + length;
    }
    this.#body = Buffer.allocUnsafe(length);
    this.#bodyFilled = chunk.copy(this.#body, 0, at, end);
    return end;
  }

  #continueHead(chunk, at, end) {
    while (this.#headFilled < HEAD && at < end) this.#head[this.#headFilled++] = chunk[at++];
    if (this.#headFilled < HEAD) return at;
    this.#headFilled = 0;
    return this.#wholeOrBegin(chunk, at, end, this.#head.readUInt32LE(0));
  }

  #continueBody(chunk, at, end) {
    const body = this.#body;
    const copied = chunk.copy(body, this.#bodyFilled, at, end);
    this.#bodyFilled += copied;
    if (this.#bodyFilled === body.length) {
      this.#body = null;
      this.#onMessage(JSON.parse(body.utf8Slice(0, body.length)));
    }
    return at + copied;
  }
}

// Most messages are small: they are put together in a buffer that is used again and again. `write`
// gets (bytes, length) and must not keep the bytes. Throws if the text is too long for a frame.
const SCRATCH = Buffer.allocUnsafe(64 * 1024);
const MOST_BYTES_PER_UNIT = 3;

export function writeFrame(text, write) {
  if (text.length * MOST_BYTES_PER_UNIT + HEAD <= SCRATCH.length) {
    const length = SCRATCH.utf8Write(text, HEAD);
    SCRATCH.writeUInt32LE(length, 0);
    write(SCRATCH, HEAD + length);
    return;
  }
  const length = Buffer.byteLength(text);
  if (length > MAX_FRAME) {
    throw failure(`what is to be sent is larger than ${MAX_FRAME / 1024 / 1024} MiB`, {
      name: 'ToolBadReplyError',
      code: 'E_TOOL_BAD_REPLY',
      suggestion: 'Write it to a file in ctx.workdir and return its path.',
    });
  }
  const frame = Buffer.allocUnsafe(HEAD + length);
  frame.writeUInt32LE(length, 0);
  frame.utf8Write(text, HEAD);
  write(frame, frame.length);
}
