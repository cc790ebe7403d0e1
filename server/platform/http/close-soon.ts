import type { Socket } from 'node:net';

/** Time that the other side has to read the rest. */
const graceMs = 1_000;

/** Closes a connection when what was written is sent, or after a second. */
export function closeSoon(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), graceMs);
  socket.once('close', () => clearTimeout(timer));
  socket.destroySoon();
}
