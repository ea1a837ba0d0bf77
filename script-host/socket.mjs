// The one socket to the runtime. Neither of the two programs can use the other's way: Bun does not
// take a descriptor in `net.Socket`, Node has no `Bun.connect`.
import fs from 'node:fs';
import net from 'node:net';

const READ_BYTES = 64 * 1024;

// `onBytes(chunk, length)`: the chunk may be used again afterwards. `onEnd()` is called once.
// What is returned: `write(bytes, length)`, which does not keep the bytes, and `queued()`, how many
// bytes the runtime has not taken yet.
export function openSocket(fd, onBytes, onEnd) {
  return process.versions.bun ? openWithBun(fd, onBytes, onEnd) : openWithNode(fd, onBytes, onEnd);
}

function openWithNode(fd, onBytes, onEnd) {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const callback = (length, chunk) => {
    onBytes(chunk, length);
    return true;
  };
  const socket = new net.Socket({ fd, readable: true, writable: true, onread: { buffer, callback } });
  socket.on('error', onEnd);
  socket.on('end', onEnd);
  socket.on('close', onEnd);
  return {
    queued: () => socket.writableLength,
    // Writing at once saves the event loop's turn; what does not fit goes the ordinary way.
    write(bytes, length) {
      const written = socket.writableLength === 0 ? writeNow(fd, bytes, length) : 0;
      if (written < length) socket.write(Buffer.from(bytes.subarray(written, length)));
    },
  };
}

function writeNow(fd, bytes, length) {
  try {
    return fs.writeSync(fd, bytes, 0, length);
  } catch (error) {
    if (error.code === 'EAGAIN' || error.code === 'EPIPE' || error.code === 'ECONNRESET') return 0;
    throw error;
  }
}

async function connectWithBun(fd, handlers) {
  return Bun.connect({ fd, socket: handlers });
}

async function openWithBun(fd, onBytes, onEnd) {
  const queue = [];
  let queued = 0;
  const flush = (socket) => {
    while (queue.length > 0) {
      const written = Math.max(0, socket.write(queue[0], 0, queue[0].length));
      queued -= written;
      if (written < queue[0].length) {
        queue[0] = queue[0].subarray(written);
        return;
      }
      queue.shift();
    }
  };
  const socket = await connectWithBun(fd, {
    data: (_, chunk) => onBytes(chunk, chunk.length),
    drain: flush,
    end: onEnd,
    close: onEnd,
    error: onEnd,
  });
  return {
    queued: () => queued,
    write(bytes, length) {
      const written = queue.length === 0 ? Math.max(0, socket.write(bytes, 0, length)) : 0;
      if (written === length) return;
      queue.push(Buffer.from(bytes.subarray(written, length)));
      queued += length - written;
    },
  };
}
