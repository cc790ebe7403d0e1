import { connect } from 'node:net';
import type pg from 'pg';

/** Of the request in PostgreSQL's protocol (CancelRequest). */
const cancelCode = 80_877_102;
/** For the server to take the request. */
const cancelMs = 5_000;

interface Cancellable {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Cancels the statement that runs on a connection, by the request of PostgreSQL's protocol for it. It needs no session, and
 * a pooler, which invents process ids, passes it on to the session that it lent. Resolves when it has arrived, or could not
 * be sent.
 */
export async function cancelStatement(client: pg.ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Cancellable;
  const numbers = [16, cancelCode, processID, secretKey];
  const request = Buffer.alloc(16);
  for (const [at, number] of numbers.entries()) request.writeInt32BE(number, at * 4);
  // Without TLS, as by most clients: the key is valid for this connection only.
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {}).setTimeout(cancelMs, () => socket.destroy());
  // The server closes it when it has sent the signal.
  socket.resume().write(request);
  await closed;
}
