// Opens streams and reports what arrives; a process of its own, so that its cost is not that of the server.
import { connect, type Socket } from 'node:net';

/** What the parent process asks for. */
export type ClientRequest =
  | {
      readonly kind: 'open';
      readonly port: number;
      readonly tokens: readonly string[];
      readonly how: 'websocket' | 'sse';
    }
  | { readonly kind: 'wait'; readonly count: number }
  | { readonly kind: 'close' };

/** What it reports: all streams are open, or the events that it waited for arrived at these times. */
export type ClientReport =
  | { readonly kind: 'opened' }
  | { readonly kind: 'received'; readonly times: readonly number[] }
  | { readonly kind: 'closed' };

/** Connections that are opened at the same time. */
const maxOpening = 50;

const sockets: Socket[] = [];
let times: number[] = [];
let waiting: { readonly count: number } | undefined;

const now = (): number => performance.timeOrigin + performance.now();
const report = (message: ClientReport): void => void process.send?.(message);

process.on('message', (request: ClientRequest) => {
  switch (request.kind) {
    case 'open':
      void openAll(request);
      return;
    case 'wait':
      waiting = { count: request.count };
      reportIfComplete();
      return;
    case 'close':
      for (const socket of sockets.splice(0)) socket.destroy();
      report({ kind: 'closed' });
  }
});

async function openAll({ port, tokens, how }: ClientRequest & { kind: 'open' }): Promise<void> {
  for (let start = 0; start < tokens.length; start += maxOpening) {
    await Promise.all(tokens.slice(start, start + maxOpening).map((token) => open(port, token, how)));
  }
  report({ kind: 'opened' });
}

function open(port: number, token: string, how: 'websocket' | 'sse'): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let isOpen = false;
  socket.on('error', reject);
  socket.write(how === 'websocket' ? webSocketRequest(token) : eventSourceRequest(token));
  const count = how === 'websocket' ? createFrameCounter(socket) : countEvents;
  socket.on('data', (chunk) => {
    if (!isOpen) {
      if (!/^HTTP\/1\.1 (?:101|200) /.test(chunk.toString('latin1', 0, 20))) reject(new Error(chunk.toString()));
      isOpen = true;
      resolve();
      return;
    }
    for (let events = count(chunk); events > 0; events -= 1) times.push(now());
    reportIfComplete();
  });
  return promise;
}

function reportIfComplete(): void {
  if (waiting === undefined || times.length < waiting.count) return;
  report({ kind: 'received', times });
  times = [];
  waiting = undefined;
}

const webSocketRequest = (token: string): string =>
  'GET /api/v1/streaming?stream=user HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer ${token}\r\n\r\n`;

const eventSourceRequest = (token: string): string =>
  `GET /api/v1/streaming/user HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;

/** A masked pong without content. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const pingOpcode = 9;

/** Counts the text frames that end in a chunk, and answers pings. */
function createFrameCounter(socket: Socket): (chunk: Buffer) => number {
  let rest = 0;
  let isText = false;
  let header: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let count = 0;
    let data = header.length > 0 ? Buffer.concat([header, chunk]) : chunk;
    header = Buffer.alloc(0);
    while (data.length > 0) {
      if (rest > 0) {
        const taken = Math.min(rest, data.length);
        rest -= taken;
        data = data.subarray(taken);
        if (rest === 0 && isText) count += 1;
        continue;
      }
      const short = (data[1] ?? 0) & 127;
      const headerLength = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (data.length < headerLength) {
        header = data;
        break;
      }
      const opcode = (data[0] ?? 0) & 15;
      isText = opcode === 1;
      if (opcode === pingOpcode) socket.write(pong);
      rest = short === 126 ? data.readUInt16BE(2) : short === 127 ? Number(data.readBigUInt64BE(2)) : short;
      data = data.subarray(headerLength);
    }
    return count;
  };
}

const countEvents = (chunk: Buffer): number => chunk.toString('latin1').split('event: ').length - 1;
