import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { inject } from 'vitest';
import type { Connection } from '../server/platform/wire/pool.ts';

/** A TCP proxy for the PostgreSQL of this run that can break connections or stop forwarding. */
export class DatabaseProxy implements AsyncDisposable {
  readonly connection: Connection;
  readonly #server: Server;
  /** Sockets of clients, with those to PostgreSQL that they are connected to. */
  readonly #sockets = new Map<Socket, Socket | undefined>();
  #mode: 'forwarding' | 'refusing' | 'silent' = 'forwarding';
  /** Number of accepted connections. */
  accepted = 0;

  private constructor(server: Server) {
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    const { user } = inject('connection');
    this.connection = { host: '127.0.0.1', port, ...(user !== undefined && { user }) };
  }

  static async start(): Promise<DatabaseProxy> {
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new DatabaseProxy(server);
    server.on('connection', (socket) => proxy.#accept(socket));
    return proxy;
  }

  #accept(socket: Socket): void {
    this.accepted += 1;
    if (this.#mode === 'refusing') {
      socket.destroy();
      return;
    }
    this.#sockets.set(socket, undefined);
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    if (this.#mode === 'silent') return;
    const { host = '', port = 0 } = inject('connection');
    const database = connect(`${host}/.s.PGSQL.${port}`).on('error', () => {});
    this.#sockets.set(socket, database);
    socket.pipe(database).pipe(socket);
    socket.once('close', () => database.destroy());
    database.once('close', () => socket.destroySoon());
  }

  /** Closes all open connections, and each new one immediately. */
  refuse(): void {
    this.#mode = 'refusing';
    this.closeConnections();
  }

  /** Closes all open connections. */
  closeConnections(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  /** Stops forwarding on open and new connections, without closing them. */
  goSilent(): void {
    this.#mode = 'silent';
    for (const pair of this.#sockets) for (const socket of pair) socket?.unpipe().pause();
  }

  /** Goes on forwarding what clients send, and drops the answers. */
  dropAnswers(): void {
    for (const [socket, database] of this.#sockets) database?.unpipe(socket).resume();
  }

  /** Forwards new connections. Silent ones stay silent. */
  recover(): void {
    this.#mode = 'forwarding';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closeConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
