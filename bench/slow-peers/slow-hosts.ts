import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import sharp from 'sharp';

/** Both kinds of host listen here, each on an address of its own in 127.0.0.0/8. */
export const hostPort = 8_099;

/** Hosts that accept connections and never answer. */
export class SilentHosts implements AsyncDisposable {
  readonly #servers: { close: () => void }[] = [];
  readonly #sockets = new Set<Socket>();
  #next = 0;

  get openConnections(): number {
    return this.#sockets.size;
  }

  /** Starts hosts and returns their origins. No origin is returned twice. */
  async start(count: number): Promise<string[]> {
    const origins = Array.from({ length: count }, () => this.#address());
    await Promise.all(origins.map((address) => this.#listen(address)));
    return origins.map((address) => `http://${address}:${hostPort}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #address(): string {
    this.#next += 1;
    return `127.${20 + Math.floor(this.#next / 62_500)}.${Math.floor(this.#next / 250) % 250}.${1 + (this.#next % 250)}`;
  }

  async #listen(address: string): Promise<void> {
    const server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.resume();
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#servers.push(server);
    server.listen(hostPort, address);
    await once(server, 'listening');
  }
}

/** A host with any number of actors that share a key; it accepts activities in its inboxes and serves images. */
export class HealthyHost implements AsyncDisposable {
  readonly origin: string;
  readonly publicKeyPem: string;
  readonly #image: Buffer;
  readonly #server: Server;
  readonly #postListeners = new Map<string, () => void>();

  private constructor(address: string, publicKeyPem: string, picture: Buffer) {
    this.origin = `http://${address}:${hostPort}`;
    this.publicKeyPem = publicKeyPem;
    this.#image = picture;
    this.#server = createHttpServer((request, response) => this.#respond(request, response));
  }

  static async start(publicKeyPem: string, address = '127.10.0.1'): Promise<HealthyHost> {
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#876' } })
      .png()
      .toBuffer();
    const host = new HealthyHost(address, publicKeyPem, picture);
    host.#server.listen(hostPort, address);
    await once(host.#server, 'listening');
    return host;
  }

  /** Resolves when something arrives at this path. */
  nextPost(path: string): Promise<void> {
    return new Promise((resolve) => this.#postListeners.set(path, resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    request.resume();
    if (request.method === 'POST') {
      this.#postListeners.get(path)?.();
      response.writeHead(202).end();
    } else if (path.startsWith('/users/')) {
      response.writeHead(200, { 'content-type': 'application/activity+json' }).end(JSON.stringify(this.#actor(path)));
    } else if (path.startsWith('/.well-known/webfinger?')) {
      response.writeHead(200, { 'content-type': 'application/jrd+json' }).end(JSON.stringify(this.#webfinger(path)));
    } else if (path.endsWith('.png')) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(this.#image);
    } else {
      response.writeHead(404).end();
    }
  }

  #webfinger(path: string): object {
    const subject = new URL(path, this.origin).searchParams.get('resource') ?? '';
    const href = `${this.origin}/users/${subject.slice('acct:'.length, subject.indexOf('@'))}`;
    return { subject, links: [{ rel: 'self', type: 'application/activity+json', href }] };
  }

  #actor(path: string): object {
    const id = `${this.origin}${path}`;
    return {
      '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
      id,
      type: 'Person',
      preferredUsername: path.split('/').at(-1),
      inbox: `${id}/inbox`,
      publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: this.publicKeyPem },
    };
  }
}
