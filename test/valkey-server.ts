import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A server that speaks as much of Valkey's protocol (RESP 3) as the bus needs: publish and subscribe. It can stop and
 * start again on its port.
 */
export class ValkeyServer implements AsyncDisposable {
  readonly #connections = new Set<Socket>();
  readonly #subscribers = new Map<Socket, Set<string>>();
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Number of subscriptions to channels. */
  get subscriptions(): number {
    return [...this.#subscribers.values()].reduce((sum, channels) => sum + channels.size, 0);
  }

  async start(): Promise<void> {
    const server = createServer((socket) => this.#accept(socket));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    for (const socket of this.#connections) socket.destroy();
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #accept(socket: Socket): void {
    this.#connections.add(socket);
    socket
      .on('error', () => {})
      .once('close', () => {
        this.#connections.delete(socket);
        this.#subscribers.delete(socket);
      });
    let waiting = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk]);
      for (let command = takeCommand(waiting); command !== undefined; command = takeCommand(waiting)) {
        waiting = waiting.subarray(command.length);
        this.#run(socket, command.words);
      }
    });
  }

  #run(socket: Socket, [name = '', ...args]: readonly string[]): void {
    switch (name.toLowerCase()) {
      case 'hello':
        socket.write(`%1\r\n${bulk('proto')}:3\r\n`);
        return;
      case 'info':
        socket.write(bulk('redis_version:7.0.0\r\nloading:0\r\nused_memory:1048576\r\n'));
        return;
      case 'subscribe': {
        const channels = this.#subscribers.get(socket) ?? new Set();
        this.#subscribers.set(socket, channels);
        for (const channel of args) {
          channels.add(channel);
          socket.write(`>3\r\n${bulk('subscribe')}${bulk(channel)}:${channels.size}\r\n`);
        }
        return;
      }
      case 'publish': {
        const [channel = '', message = ''] = args;
        const receivers = [...this.#subscribers].filter(([, channels]) => channels.has(channel));
        for (const [receiver] of receivers) receiver.write(`>3\r\n${bulk('message')}${bulk(channel)}${bulk(message)}`);
        socket.write(`:${receivers.length}\r\n`);
        return;
      }
      default:
        socket.write('+OK\r\n');
    }
  }
}

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/** Returns the first whole command in a buffer, an array of bulk strings, with its length. */
function takeCommand(buffer: Buffer): { words: string[]; length: number } | undefined {
  let at = 0;
  const takeNumber = (): number | undefined => {
    const end = buffer.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const number = Number(buffer.toString('latin1', at + 1, end));
    at = end + 2;
    return number;
  };
  const count = takeNumber();
  if (count === undefined) return undefined;
  const words: string[] = [];
  while (words.length < count) {
    const length = takeNumber();
    if (length === undefined || buffer.length < at + length + 2) return undefined;
    words.push(buffer.toString('utf8', at, at + length));
    at += length + 2;
  }
  return { words, length: at };
}
