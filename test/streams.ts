import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { storeRemoteAccount } from '../server/accounts/remote/index.ts';
import { transaction } from '../server/platform/write/transaction.ts';
import type { AccountId } from '../server/platform/ids.ts';
import { deliveries } from '../server/streaming/deliver/deliveries.ts';
import { feedsTouched } from '../server/streaming/open-stream.ts';
import type { TestServer, TestUser } from './server.ts';

/** An event as a client receives it. */
export interface ReceivedEvent {
  /** Name and parameter of the stream; undefined for server-sent events, which do not name it. */
  readonly stream?: readonly string[] | undefined;
  readonly event: string;
  readonly payload: string;
}

const ports = new WeakMap<TestServer, Promise<number>>();

/** Returns the port of a server, which starts to listen with the first call. */
export function portOf(server: TestServer): Promise<number> {
  const known = ports.get(server);
  if (known !== undefined) return known;
  const listening = server.http.listen({ port: 0, host: '127.0.0.1' }).then(() => {
    const { port } = server.http.server.address() as AddressInfo;
    return port;
  });
  ports.set(server, listening);
  return listening;
}

/** A stream that a test reads. */
export interface OpenStream {
  /** All events since the last call. Waits until everything that happened was sent. */
  take(): Promise<ReceivedEvent[]>;
  /** Resolves when the server ends it; with the close code of a WebSocket. */
  readonly ended: Promise<number | undefined>;
  close(): void;
}

/** A WebSocket of a test. */
export class TestSocket implements OpenStream {
  readonly socket: WebSocket;
  readonly ended: Promise<number>;
  readonly #server: TestServer;
  readonly #received: unknown[] = [];

  constructor(server: TestServer, socket: WebSocket) {
    this.#server = server;
    this.socket = socket;
    socket.on('message', (data: Buffer) => this.#received.push(JSON.parse(data.toString())));
    this.ended = once(socket, 'close').then(([code]) => code as number);
  }

  /** Opens a socket with a query such as `stream=user`. */
  static async open(
    server: TestServer,
    user: Pick<TestUser, 'token'>,
    query = '',
    options: { readonly headers?: Record<string, string>; readonly protocols?: string[]; readonly path?: string } = {},
  ): Promise<TestSocket> {
    const headers = { ...(user.token !== undefined && { authorization: `Bearer ${user.token}` }), ...options.headers };
    const address = `ws://127.0.0.1:${await portOf(server)}/api/v1/streaming${options.path ?? ''}${query === '' ? '' : `?${query}`}`;
    const socket = new WebSocket(address, options.protocols ?? [], { headers });
    const opened = new TestSocket(server, socket);
    await once(socket, 'open');
    await opened.flush();
    return opened;
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Subscribes to a stream and waits until the server has answered. */
  async subscribe(stream: string, parameters: object = {}): Promise<void> {
    this.send({ type: 'subscribe', stream, ...parameters });
    await this.flush();
  }

  /** Waits until the server has handled what was sent, and has sent what it had to. */
  async flush(): Promise<void> {
    // The server handles messages in order and sends the error of a message before it reads the next.
    this.send({ type: 'unsubscribe', stream: 'list' });
    while (!this.#received.some(isFlushed)) await once(this.socket, 'message');
    this.#received.splice(this.#received.findIndex(isFlushed), 1);
  }

  async take(): Promise<ReceivedEvent[]> {
    await settle(this.#server);
    return this.takeSent();
  }

  /** Like `take`, without running the jobs that are due. */
  async takeSent(): Promise<ReceivedEvent[]> {
    await deliveries(this.#server.app).settled();
    await this.flush();
    return this.#received.splice(0) as ReceivedEvent[];
  }

  close(): void {
    this.socket.terminate();
  }
}

/** The error of the message that `flush` sends, which names no list. */
const isFlushed = (message: unknown): boolean =>
  (message as { error?: string }).error === 'Error unsubscribing from channel';

/** A response of server-sent events. */
export class TestEventSource implements OpenStream {
  readonly response: IncomingMessage;
  readonly ended: Promise<undefined>;
  readonly #server: TestServer;
  #text = '';

  constructor(server: TestServer, response: IncomingMessage) {
    this.#server = server;
    this.response = response;
    response.on('data', (chunk: Buffer) => (this.#text += chunk.toString()));
    response.on('error', () => {});
    this.ended = once(response, 'close').then(() => undefined);
  }

  /** All lines received so far. */
  get text(): string {
    return this.#text;
  }

  /** Opens a stream by its path below `/api/v1/streaming/`. */
  static async open(server: TestServer, user: Pick<TestUser, 'token'>, path: string): Promise<TestEventSource> {
    const response = await requestStream(server, path, user.token);
    const source = new TestEventSource(server, response);
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
    return source;
  }

  async take(): Promise<ReceivedEvent[]> {
    await settle(this.#server);
    // Comments are sent in order with events.
    const { streamHub } = await import('../server/streaming/connections/hub.ts');
    const before = this.#text.split(':thump').length;
    for (const connection of streamHub(this.#server.app).connections()) connection.heartbeat(false);
    while (this.#text.split(':thump').length === before) await once(this.response, 'data');
    const events = [...this.#text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)];
    this.#text = '';
    return events.map(([, event = '', payload = '']) => ({ event, payload }));
  }

  close(): void {
    this.response.destroy();
  }
}

/**
 * Requests a path below `/api/v1/streaming/` and returns the response when its headers have arrived and its feed is
 * touched.
 */
export async function requestStream(
  server: TestServer,
  path: string,
  token?: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const response = await requestOpening(server, path, token, headers);
  await feedsTouched(server.app);
  return response;
}

/** Like `requestStream`, without waiting for the feed. */
export async function requestOpening(
  server: TestServer,
  path: string,
  token?: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const request = get({
    port: await portOf(server),
    host: '127.0.0.1',
    path: `/api/v1/streaming${path}`,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Creates remote accounts for the rows of a table that must be large. Returns their ids. */
export async function createCrowd({ app }: TestServer, size: number): Promise<AccountId[]> {
  return transaction(app, async (tx) => {
    const ids: AccountId[] = [];
    for (let index = 0; index < size; index += 1) {
      const username = `crowd${index}`;
      const uri = `https://crowd.test/users/${username}`;
      ids.push(await storeRemoteAccount(tx, app, { uri, username, domain: 'crowd.test', inboxUrl: `${uri}/inbox` }));
    }
    return ids;
  });
}

/** Waits until the server has done its jobs and sent all events. */
export async function settle(server: TestServer): Promise<void> {
  await feedsTouched(server.app);
  await server.drain();
  await deliveries(server.app).settled();
}
