// A server that only sends: it writes one frame to every open WebSocket for each POST, and then responds.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { encodeTextFrame } from '../../server/streaming/connections/stream-event.ts';

/** About as long as the event of a short post. */
const frame = encodeTextFrame('x'.repeat(2_500));
const sockets = new Set<Duplex>();

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    for (const socket of sockets) socket.write(frame);
    response.setHeader('content-type', 'application/json').end('{}');
  });
});
server.on('upgrade', (_request, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`is ready on port ${(server.address() as AddressInfo).port}\n`);
});
